/* What is done with the whole journal: verify it, save the report of affected rounds, save a bundle for support.

   1. It is for those who may know every card; others do not see it, and the server refuses them.
   2. The seal is green where the journal is whole, red where it is not. It says when, and what is not proved: a journal
      that nothing kept elsewhere anchors may be whole and old. */

import { el, fill } from "../../dom.js";
import { moment } from "../table/figures.js";

export const SEES_CARDS = ["pit-manager", "surveillance"];
const AGAIN_MS = 1000;
const WHOLE = 0;
const NOT_ANCHORED = 3;

/** @param {App} app @param {Verified} told */
function seal(app, told) {
  const { t } = app;
  if (told.running) return el("p", { class: "seal", "data-test": "seal", "data-seal": "running" }, t("audit.running"));
  if (told.status === null) return null;
  const good = told.status === WHOLE || told.status === NOT_ANCHORED;
  return el(
    "div",
    { class: `seal ${good ? "seal-good" : "seal-bad"}`, role: "status", "data-test": "seal", "data-seal": good ? "good" : "bad" },
    el("p", null, el("strong", null, good ? "✓ " : "✕ ", t(good ? "audit.whole" : "audit.not-whole"))),
    told.status === NOT_ANCHORED && el("p", null, t("audit.not-anchored")),
    told.at && el("p", { class: "soft" }, moment(app, told.at)),
    el("details", null, el("summary", null, t("audit.said")), el("pre", { class: "seal-lines", tabindex: "0" }, told.lines.join("\n"))),
  );
}

/** @param {App} app */
export function auditPanel(app) {
  const { t } = app;
  if (!app.may(SEES_CARDS)) return null;
  const shown = el("div", { class: "audit-seal" });
  /** @type {HTMLDetailsElement} */
  const panel = el("details", { class: "audit", "data-test": "audit" }, el("summary", { class: "audit-toggle" }, t("audit.title")));

  async function ask() {
    const told = await app.get("/api/verify").catch(() => null);
    if (!told || !panel.isConnected) return;
    fill(shown, seal(app, told));
    if (told.running) setTimeout(ask, AGAIN_MS);
  }

  async function verify() {
    const answer = await app.post("/api/verify");
    if (app.report(answer)) ask();
  }

  /** @param {string} name @param {string} address @param {string} file */
  const save = (name, address, file) => el("a", { class: "plain-button", href: address, download: file, "data-test": name }, t(`audit.${name}`));
  panel.append(
    el(
      "div",
      { class: "audit-buttons" },
      el("button", { type: "button", class: "plain-button plain-button-strong", "data-test": "verify", onclick: verify }, t("audit.verify")),
      save("affected", "/api/affected/html", "affected.html"),
      save("affected-csv", "/api/affected/csv", "affected.csv"),
      save("bundle", "/api/bundle", "truedeal-bundle.tar.gz"),
    ),
    shown,
  );
  panel.addEventListener("toggle", () => panel.open && ask());
  return panel;
}
