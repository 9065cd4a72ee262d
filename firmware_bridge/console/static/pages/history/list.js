/* The list of past rounds.

   1. What is searched for stands in the address (find.js).
   2. The newest rounds come first; "older" fetches the next page. A search that takes long says how far back it has
      looked, and goes on when it is asked to.
   3. While nothing is searched for and only the first page is shown, a round that ends appears by itself.
   4. What was found can be saved as CSV. Who may know every card verifies the journal here, saves the report of the
      affected rounds and a bundle (audit.js). */

import { el, fill } from "../../dom.js";
import { badge, clock, day, problem, scroller, shortDay, signed, table, waitingNote, when } from "../table/figures.js";
import { auditPanel } from "./audit.js";
import { isSearch, lastSearch, presets, searchForm, searchOf, summary } from "./find.js";

const PAGE = 30;
const SOON_MS = 700;

/** @type {Record<string, [string, string]>} */
export const OUTCOMES = { settled: ["good", "✓"], void: ["bad", "✕"], open: ["", "…"], concluded: ["", "■"] };

/** @param {string} outcome @param {Translate} t */
export function outcomeBadge(outcome, t) {
  const [kind, sign] = OUTCOMES[outcome] || ["", ""];
  return badge(t(`outcome.${outcome}`), kind, sign);
}

/** @param {App} app @param {RoundRow} one */
function row(app, one) {
  const { t } = app;
  const open = () => app.go(`history/${one.key}`);
  return el(
    "tr",
    { class: "round-row", "data-test": "round", "data-key": one.key, "data-number": one.number, onclick: open },
    el("td", { class: "round-number" }, el("a", { href: `#/history/${one.key}`, "aria-label": t("history.open", { number: one.number }) }, one.number), one.bookmark && el("span", { class: "round-mark", role: "img", "aria-label": t("notes.bookmarked") }, " ★"), one.noted > 0 && el("span", { class: "round-mark", role: "img", "aria-label": t("notes.count", { count: one.noted }) }, " ✎")),
    el("td", { class: "nowrap" }, el("span", { class: "round-time" }, when(app, one.ended, clock)), " ", el("span", { class: "soft" }, shortDay(app, one.ended))),
    el("td", { class: "wide-only" }, t(`game.${one.game}`)),
    el("td", null, outcomeBadge(one.outcome, t)),
    el("td", { class: "round-boxes" }, one.boxes || "–"),
    el("td", { class: "round-findings" }, one.findings.length ? one.findings.map((code) => badge(t(`code.${code}`), "bad", "!")) : el("span", { class: "soft" }, "–")),
    el("td", { class: "number wide-only" }, one.staked ?? ""),
    el("td", { class: "number" }, signed(one.net)),
  );
}

/** @param {HTMLElement} root @param {App} app @param {Record<string, string>} query @returns {Page} */
export function mountList(root, app, query) {
  const { t } = app;
  lastSearch.query = query;
  const searching = isSearch(query);
  const body = el("tbody");
  const status = el("p", { class: "find-status", role: "status" });
  const more = el("div", { class: "find-more" });
  const heading = el("p", { class: "find-asked" });
  let turn = 0;
  let pages = 0;
  let timer = 0;
  let known = "";

  /** @param {RoundsPage} page @param {boolean} fresh */
  function show(page, fresh) {
    if (fresh) fill(body);
    body.append(...page.rounds.map((one) => row(app, one)));
    const looked = page.next && page.rounds.length < PAGE ? page.back_to : null;
    const count = body.childElementCount;
    const said = [
      count ? t(count === 1 ? "find.count-one" : "find.count", { count }) : t(searching ? "find.none" : "find.no-rounds"),
      looked && t("find.back-to", { at: day(app, looked) }),
      page.unread.length > 0 && t("find.unread", { names: page.unread.join(", ") }),
    ];
    fill(status, said.filter(Boolean).join(" · "));
    fill(more, page.next && el("button", { type: "button", class: "plain-button", "data-test": "older", onclick: () => load(page.next || "") }, t(looked ? "find.go-on" : "find.older")));
  }

  /** @param {string} [next] */
  async function load(next = "") {
    const mine = (turn += 1);
    if (!next) fill(heading, searching ? summary(query, t) : t("history.last"));
    if (!next && !body.childElementCount) fill(status, waitingNote(app));
    try {
      const page = await app.get(`/api/rounds?${searchOf(query, { count: String(PAGE), next })}`);
      if (mine !== turn) return;
      pages = next ? pages + 1 : 1;
      show(page, !next);
    } catch (error) {
      if (mine === turn) fill(status, problem(app, error, () => load(next)));
    }
  }

  const panel = el("details", { class: "find-panel", open: window.matchMedia("(min-width: 1000px)").matches || searching }, el("summary", { class: "find-toggle" }, t("find.title")), searchForm(app, query));
  const head = ["number", "ended", ["game", "wide-only"], "outcome", "boxes", "findings", ["staked", "number wide-only"], ["net", "number"]];
  const listed = table(head.map((one) => (Array.isArray(one) ? { text: t(`round.${one[0]}`), class: one[1] } : t(`round.${one}`))), [], { class: "plain-table rounds" });
  listed.querySelector("tbody")?.replaceWith(body);
  root.append(
    el(
      "div",
      { class: "history", "data-test": "history" },
      el("aside", { class: "history-find" }, el("h1", { class: "page-title" }, t("nav.history")), presets(app, query), panel, auditPanel(app)),
      el("section", { class: "history-list", "aria-label": t("history.rounds") }, el("div", { class: "find-head" }, heading, el("a", { class: "plain-button", "data-test": "csv", download: "rounds.csv", href: `/api/rounds.csv?${searchOf(query)}` }, t("find.csv"))), scroller(t("history.rounds"), listed), status, more),
    ),
  );
  load();

  return {
    scene(scene) {
      const now = `${scene.state} ${scene.round}`;
      const over = ["complete", "void"].includes(scene.state) && known && known !== now;
      known = now;
      if (!over || searching || pages > 1) return;
      clearTimeout(timer);
      timer = setTimeout(load, SOON_MS);
    },
    close() {
      turn += 1;
      clearTimeout(timer);
    },
  };
}
