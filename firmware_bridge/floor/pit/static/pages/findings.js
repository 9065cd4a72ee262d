/* Findings and void rounds of all tables: the newest first, found by what stands in the address. */

import { el, fill } from "/static/dom.js";
import { badge, clock, problem, scroller, shortDay, table, waitingNote, when } from "/static/pages/table/figures.js";
import { askedOf, searchForm, viewsBar } from "../search.js";
import { codeWords } from "../tile.js";
import { outcomeBadge } from "./rounds.js";

const FIELDS = ["what", "words", "table", "code", "clause", "dealer", "shuffler", "game", "from", "to"];

/** @param {PitApp} app @param {FindingRow} one */
function row(app, one) {
  const { t } = app;
  const ruling = app.has(`ruling.${one.ruling}`) ? t(`ruling.${one.ruling}`) : one.ruling;
  const found = one.code ? badge(codeWords(one.code, app), "bad", "!") : outcomeBadge(one.outcome, t);
  return el(
    "tr",
    { "data-test": "finding", "data-code": one.code, "data-table": one.table },
    el("td", { class: "nowrap" }, when(app, one.at, clock), " ", el("span", { class: "soft" }, shortDay(app, one.at))),
    el("td", null, el("a", { href: `#/pit/${one.table}` }, one.table)),
    el("td", null, found),
    el("td", { class: "clause" }, one.clause),
    el("td", null, ruling),
    el("td", null, one.places || "–"),
    el("td", null, one.dealer || "–"),
    el("td", null, one.shuffler || "–"),
    el("td", null, one.person || "–"),
    el("td", { title: one.key }, one.round ?? ""),
  );
}

/** @param {HTMLElement} root @param {PitApp} app @param {string[]} rest @param {Record<string, string>} [query] @returns {PitPage} */
export function mount(root, app, rest, query = {}) {
  const { t } = app;
  const head = ["at", "table", "what", "clause", "ruling", "places", "dealer", "shuffler", "person", "round"];
  const listed = table(head.map((name) => t(`past.${name}`)), [], { class: "plain-table findings" });
  const body = /** @type {HTMLElement} */ (listed.querySelector("tbody"));
  const status = el("p", { class: "find-status", role: "status" });
  const more = el("div");
  let turn = 0;

  /** @param {string} [next] */
  async function load(next = "") {
    const mine = (turn += 1);
    if (!next) fill(status, waitingNote(app));
    try {
      /** @type {PastPage} */
      const page = await app.get(`/api/past?${askedOf(query, next ? { next } : {})}`);
      if (mine !== turn) return;
      body.append(...page.rows.map((one) => row(app, one)));
      const count = body.childElementCount;
      fill(status, count ? t(page.next ? "past.count-more" : "past.count", { count }) : t("past.none"));
      fill(more, page.next && el("button", { type: "button", class: "plain-button", "data-test": "older", onclick: () => load(page.next || "") }, t("past.older")));
    } catch (error) {
      if (mine === turn) fill(status, problem(app, error, () => load(next)));
    }
  }

  const csv = el("a", { class: "plain-button", "data-test": "csv", download: "", href: `/api/past.csv?${askedOf(query)}` }, t("find.csv"));
  root.append(
    el("div", { class: "past", "data-test": "findings" }, el("h1", { class: "page-title" }, t(query.what === "voids" ? "past.voids" : "nav.findings")), viewsBar(app, "findings", query), el("details", { class: "find-panel", open: window.matchMedia("(min-width: 1000px)").matches }, el("summary", { class: "plain-button" }, t("find.title")), searchForm(app, "findings", query, FIELDS)), el("p", null, csv), scroller(t("nav.findings"), listed), status, more),
  );
  load();
  return { close: () => (turn += 1) };
}
