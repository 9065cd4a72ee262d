/* The list of past rounds, and the search.

   1. What was searched for stays until it is cleared, also while a round is looked at.
   2. The newest rounds come first; "older" fetches the next page. A search that takes long says how far back it has
      looked, and goes on when it is asked to.
   3. While nothing is searched for and only the first page is shown, a round that ends appears by itself. */

import { el, fill } from "../dom.js";
import { badge, clock, day, problem, scroller, shortDay, signed, table, waiting, when } from "./figures.js";

const CODES = [
  "foreign-card", "extra-card", "missing-card", "unshuffled-cards", "insufficient-cards", "cut-card-passed", "missing-burn",
  "double-draw", "face-up-card", "unreadable-card", "misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short",
  "unwagered-box-dealt", "card-in-error", "dealer-overdraw", "hand-skipped", "late-wager", "wager-withdrawn", "under-minimum",
  "over-maximum", "side-wager-without-main", "insurance-not-offered", "absent-player", "power-failure",
  "unsettled-side-wager", "link-lost", "uncovered",
];
const RANKS = [..."A23456789TJQK"];
const SUITS = [..."SHDC"];
/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const PAGE = 30;
const SOON_MS = 700;
/** @type {Record<string, string>} */
const asked = {};

/** @type {Record<string, [string, string]>} */
export const OUTCOMES = { settled: ["good", "✓"], void: ["bad", "✕"], open: ["", "…"], concluded: ["", "■"] };

/** @param {string} outcome @param {Translate} t */
export function outcomeBadge(outcome, t) {
  const [kind, sign] = OUTCOMES[outcome] || ["", ""];
  return badge(t(`outcome.${outcome}`), kind, sign);
}

/** @param {string | number} value @param {string} text */
function option(value, text) {
  return el("option", { value, selected: false }, text);
}

/** @param {string} name @param {string} label @param {HTMLInputElement | HTMLSelectElement} control */
function field(name, label, control) {
  control.id = `find-${name}`;
  control.name = name;
  return el("div", { class: `find-field find-${name}` }, el("label", { for: control.id }, label), control);
}

/** @param {Record<string, string>} [more] */
function query(more = {}) {
  /** @type {Record<string, string>} */
  const values = { count: String(PAGE), ...asked, ...more };
  if (asked.rank && asked.suit) values.card = asked.rank + asked.suit;
  for (const name of ["from", "to"]) if (asked[name]) values[name] = new Date(asked[name]).toISOString();
  const used = Object.entries(values).filter(([name, value]) => value && !["rank", "suit"].includes(name));
  return `/api/rounds?${new URLSearchParams(used)}`;
}

function searching() {
  return Object.values(asked).some(Boolean);
}

/** @param {Record<string, HTMLInputElement | HTMLSelectElement>} controls @param {Translate} t */
function wrong(controls, t) {
  if (Boolean(controls.rank.value) !== Boolean(controls.suit.value)) return t("find.card-whole");
  const [from, to] = [controls.from.value, controls.to.value];
  return from && to && from > to ? t("find.order") : "";
}

/** @param {App} app @param {() => unknown} changed */
function form(app, changed) {
  const { t } = app;
  const complaint = el("p", { class: "find-wrong", role: "alert" });
  /** @param {Child[]} values */
  const select = (values) => el("select", { class: "find-control" }, values);
  const controls = {
    number: el("input", { class: "find-control", type: "number", inputmode: "numeric", min: 1, max: 999999999, step: 1 }),
    from: el("input", { class: "find-control", type: "datetime-local", step: 60 }),
    to: el("input", { class: "find-control", type: "datetime-local", step: 60 }),
    box: select([option("", t("find.any")), ...[1, 2, 3, 4, 5, 6, 7].map((box) => option(box, t("place.box", { box })))]),
    finding: select([option("", t("find.any-or-none")), option("any", t("find.with-finding")), ...CODES.map((code) => option(code, t(`code.${code}`)))]),
    rank: select([option("", t("find.any")), ...RANKS.map((rank) => option(rank, rank === "T" ? "10" : rank))]),
    suit: select([option("", t("find.any")), ...SUITS.map((suit) => option(suit, `${SIGNS[suit]} ${t(`suit.${suit}`)}`))]),
  };
  for (const [name, control] of Object.entries(controls)) control.value = asked[name] || "";
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    fill(complaint, wrong(controls, t));
    if (complaint.textContent) return;
    for (const [name, control] of Object.entries(controls)) asked[name] = control.value.trim();
    changed();
  };
  const clear = () => {
    fill(complaint);
    for (const [name, control] of Object.entries(controls)) asked[name] = control.value = "";
    changed();
  };
  return el(
    "form",
    { class: "find", role: "search", "aria-label": t("find.title"), onsubmit: submit },
    el("div", { class: "find-fields" }, Object.entries(controls).map(([name, control]) => field(name, t(`find.${name}`), control))),
    complaint,
    el(
      "div",
      { class: "find-buttons" },
      el("button", { type: "submit", class: "plain-button plain-button-strong", "data-test": "find" }, t("find.search")),
      el("button", { type: "button", class: "plain-button", "data-test": "find-clear", onclick: clear }, t("find.clear")),
    ),
  );
}

/** @param {Translate} t */
function summary(t) {
  const said = Object.entries(asked)
    .filter(([, value]) => value)
    .map(([name, value]) => {
      /** @type {Record<string, () => string>} */
      const words = { finding: () => (value === "any" ? t("find.with-finding") : t(`code.${value}`)), suit: () => SIGNS[value], rank: () => (value === "T" ? "10" : value) };
      return `${t(`find.${name}`)}: ${name in words ? words[name]() : value.replace("T", " ")}`;
    });
  return said.join(" · ");
}

/** @param {App} app @param {RoundRow} one */
function row(app, one) {
  const { t } = app;
  const open = () => app.go(`history/${one.first}`);
  return el(
    "tr",
    { class: "round-row", "data-test": "round", "data-first": one.first, "data-number": one.number, onclick: open },
    el("td", { class: "round-number" }, el("a", { href: `#/history/${one.first}`, "aria-label": t("history.open", { number: one.number }) }, one.number)),
    el("td", { class: "nowrap" }, el("span", { class: "round-time" }, when(app, one.ended, clock)), " ", el("span", { class: "soft" }, shortDay(app, one.ended))),
    el("td", { class: "wide-only" }, t(`game.${one.game}`)),
    el("td", null, outcomeBadge(one.outcome, t)),
    el("td", null, one.boxes || "–"),
    el("td", { class: "round-findings" }, one.findings.length ? one.findings.map((code) => badge(t(`code.${code}`), "bad", "!")) : el("span", { class: "soft" }, "–")),
    el("td", { class: "number wide-only" }, one.staked ?? ""),
    el("td", { class: "number" }, signed(one.net)),
  );
}

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mountList(root, app) {
  const { t } = app;
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
      count ? t(count === 1 ? "find.count-one" : "find.count", { count }) : t(searching() ? "find.none" : "find.no-rounds"),
      looked && t("find.back-to", { at: day(app, looked) }),
      page.unread.length > 0 && t("find.unread", { names: page.unread.join(", ") }),
    ];
    fill(status, said.filter(Boolean).join(" · "));
    fill(more, page.next && el("button", { type: "button", class: "plain-button", "data-test": "older", onclick: () => load(page.next || "") }, t(looked ? "find.go-on" : "find.older")));
  }

  /** @param {string} [next] */
  async function load(next = "") {
    const mine = (turn += 1);
    if (!next) fill(heading, searching() ? summary(t) : t("history.last"));
    if (!next && !body.childElementCount) fill(status, waiting(app));
    try {
      const page = await app.get(query(next ? { next } : {}));
      if (mine !== turn) return;
      pages = next ? pages + 1 : 1;
      show(page, !next);
    } catch (error) {
      if (mine === turn) fill(status, problem(app, error, () => load(next)));
    }
  }

  const panel = el("details", { class: "find-panel", open: window.matchMedia("(min-width: 1000px)").matches || searching() }, el("summary", { class: "find-toggle" }, t("find.title")), form(app, () => load()));
  const head = ["number", "ended", ["game", "wide-only"], "outcome", "boxes", "findings", ["staked", "number wide-only"], ["net", "number"]];
  const listed = table(head.map((one) => (Array.isArray(one) ? { text: t(`round.${one[0]}`), class: one[1] } : t(`round.${one}`))), [], { class: "plain-table rounds" });
  listed.querySelector("tbody")?.replaceWith(body);
  root.append(
    el(
      "div",
      { class: "history", "data-test": "history" },
      el("aside", { class: "history-find" }, el("h1", { class: "page-title" }, t("nav.history")), panel),
      el("section", { class: "history-list", "aria-label": t("history.rounds") }, heading, scroller(t("history.rounds"), listed), status, more),
    ),
  );
  load();

  return {
    scene(scene) {
      const now = `${scene.state} ${scene.round}`;
      const over = ["complete", "void"].includes(scene.state) && known && known !== now;
      known = now;
      if (!over || searching() || pages > 1) return;
      clearTimeout(timer);
      timer = setTimeout(load, SOON_MS);
    },
    close() {
      turn += 1;
      clearTimeout(timer);
    },
  };
}
