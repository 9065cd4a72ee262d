/* The search of the past: its fields, its presets, and how both stand in the address.

   1. What is searched for stands in the address ("#/history?finding=double-draw&box=3"), so that it can be kept, sent
      and gone back to. The page has no other memory of it than `lastSearch`, for the way back from a round.
   2. A preset is a period that moves with the clock: today, this shift, the last seven days. A shift begins at 6, 14
      and 22 o'clock.
   3. searchOf(query) is what the server is asked, with times of the browser's own zone as moments. */

import { el, fill } from "../../dom.js";

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
const OUTCOMES = ["settled", "concluded", "void"];
const SHIFTS = [22, 14, 6];
export const PERIODS = ["today", "shift", "week"];
export const FIELDS = ["number", "from", "to", "box", "finding", "clause", "outcome", "person", "amount", "notes", "rank", "suit"];
/** @type {{ query: Record<string, string> }} what was searched for last */
export const lastSearch = { query: {} };

/** @param {Record<string, string>} query */
export function isSearch(query) {
  return Object.values(query).some(Boolean);
}

/** @param {Record<string, string>} query the part of an address, with its question mark */
export function addressOf(query) {
  const used = Object.entries(query).filter(([name, value]) => value && [...FIELDS, "period"].includes(name));
  return used.length ? `?${new URLSearchParams(used)}` : "";
}

/** @param {string} period @param {Date} now @returns {Date} */
export function beginOf(period, now) {
  const begin = new Date(now);
  begin.setHours(0, 0, 0, 0);
  if (period === "week") begin.setDate(begin.getDate() - 6);
  if (period === "shift") {
    const hour = SHIFTS.find((one) => one <= now.getHours());
    if (hour === undefined) begin.setDate(begin.getDate() - 1);
    begin.setHours(hour ?? SHIFTS[0]);
  }
  return begin;
}

/** @param {Record<string, string>} query @param {Record<string, string>} [more] */
export function searchOf(query, more = {}) {
  /** @type {Record<string, string>} */
  const values = { ...query, ...more };
  if (values.rank && values.suit) values.card = values.rank + values.suit;
  for (const name of ["from", "to"]) if (values[name]) values[name] = new Date(values[name]).toISOString();
  if (PERIODS.includes(values.period)) values.from = beginOf(values.period, new Date()).toISOString();
  const used = Object.entries(values).filter(([name, value]) => value && !["rank", "suit", "period"].includes(name));
  return new URLSearchParams(used).toString();
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

/** @param {Record<string, HTMLInputElement | HTMLSelectElement>} controls @param {Translate} t */
function wrong(controls, t) {
  if (Boolean(controls.rank.value) !== Boolean(controls.suit.value)) return t("find.card-whole");
  const [from, to] = [controls.from.value, controls.to.value];
  return from && to && from > to ? t("find.order") : "";
}

/** @param {App} app @param {Record<string, string>} query */
export function searchForm(app, query) {
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
    clause: el("input", { class: "find-control", inputmode: "decimal", maxlength: 20, placeholder: "5.23.1" }),
    outcome: select([option("", t("find.any")), ...OUTCOMES.map((one) => option(one, t(`outcome.${one}`)))]),
    person: el("input", { class: "find-control", maxlength: 60, autocomplete: "off" }),
    amount: el("input", { class: "find-control", inputmode: "decimal", maxlength: 12, placeholder: "1000" }),
    notes: select([option("", t("find.any-or-none")), option("any", t("find.noted")), option("bookmarked", t("find.bookmarked"))]),
    rank: select([option("", t("find.any")), ...RANKS.map((rank) => option(rank, rank === "T" ? "10" : rank))]),
    suit: select([option("", t("find.any")), ...SUITS.map((suit) => option(suit, `${SIGNS[suit]} ${t(`suit.${suit}`)}`))]),
  };
  for (const [name, control] of Object.entries(controls)) control.value = query[name] || "";
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    fill(complaint, wrong(controls, t));
    if (complaint.textContent) return;
    const asked = Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, control.value.trim()]));
    const period = asked.from || asked.to ? "" : query.period;
    app.go(`history${addressOf({ period, ...asked })}`);
  };
  const clear = () => app.go("history");
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

/** @param {App} app @param {Record<string, string>} query */
export function presets(app, query) {
  const { t } = app;
  return el(
    "div",
    { class: "find-presets", role: "group", "aria-label": t("find.period") },
    PERIODS.map((period) =>
      el(
        "a",
        {
          class: "plain-button find-preset",
          href: `#/history${addressOf({ ...query, from: "", to: "", period: query.period === period ? "" : period })}`,
          "aria-current": query.period === period ? "true" : null,
          "data-test": `period-${period}`,
        },
        t(`find.${period}`),
      ),
    ),
  );
}

/** @param {Record<string, string>} query @param {Translate} t */
export function summary(query, t) {
  /** @type {Record<string, (value: string) => string>} */
  const words = {
    finding: (value) => (value === "any" ? t("find.with-finding") : t(`code.${value}`)),
    outcome: (value) => t(`outcome.${value}`),
    notes: (value) => t(value === "any" ? "find.noted" : "find.bookmarked"),
    suit: (value) => SIGNS[value],
    rank: (value) => (value === "T" ? "10" : value),
    period: (value) => t(`find.${value}`),
  };
  return Object.entries(query)
    .filter(([name, value]) => value && [...FIELDS, "period"].includes(name))
    .map(([name, value]) => `${t(`find.${name}`)}: ${name in words ? words[name](value) : value.replace("T", " ")}`)
    .join(" · ");
}
