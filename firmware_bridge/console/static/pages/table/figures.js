/* Times, amounts and counts as people read them, and small things that several pages show.

   1. A time of the journal is UTC; it is shown in the zone of the browser. moment(at) has date and time, clock(at) the
      time alone, shortDay(at) the day as shortly as it can be said, span(from, to) both ends of a round.
   2. miniCards(codes, t) are cards in a line of text. badge(text, kind, sign) is a word in a frame, with a sign so that it
      does not speak by colour alone.
   3. table(head, rows, props) makes a table; a cell is a text, a node, or { text, class, title }. scroller(label, …) is
      what scrolls from side to side where there is no room, by keys too. */

import { el } from "../../dom.js";
import { cardName, cardShort } from "../../draw/cards.js";

/** @type {Record<string, string>} */
const LOCALES = { en: "en-GB", zh: "zh-CN" };

/** @param {BaseApp} app @param {string} at @param {Intl.DateTimeFormatOptions} options */
function format(app, at, options) {
  const time = new Date(at);
  const locale = LOCALES[app.lang] || "en-GB";
  return Number.isNaN(time.getTime()) ? at : new Intl.DateTimeFormat(locale, { hourCycle: "h23", ...options }).format(time);
}

/** @param {BaseApp} app @param {string} at */
export function clock(app, at) {
  return format(app, at, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** @param {BaseApp} app @param {string} at */
export function moment(app, at) {
  return format(app, at, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** @param {BaseApp} app @param {string} at */
export function day(app, at) {
  return format(app, at, { year: "numeric", month: "short", day: "numeric" });
}

/** @param {BaseApp} app @param {string} at */
export function shortDay(app, at) {
  const [then, now] = [new Date(at), new Date()];
  if (then.toDateString() === now.toDateString()) return app.t("figure.today");
  return format(app, at, { month: "short", day: "numeric", year: then.getFullYear() === now.getFullYear() ? undefined : "numeric" });
}

/** @param {BaseApp} app @param {string} at @param {(app: BaseApp, at: string) => string} [shown] */
export function when(app, at, shown = moment) {
  return el("time", { datetime: at, title: `${String(at).slice(0, 19).replace("T", " ")} UTC` }, shown(app, at));
}

/** @param {BaseApp} app @param {string} from @param {string} to */
export function span(app, from, to) {
  const seconds = Math.max(0, Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1000));
  const lasted = seconds < 60 ? app.t("figure.seconds", { count: seconds }) : app.t("figure.minutes", { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  return el("span", { class: "when" }, when(app, from), " – ", when(app, to, clock), ` (${lasted})`);
}

/** @param {string | number | null | undefined} amount */
export function signed(amount) {
  if (amount === null || amount === undefined) return "";
  return Number(amount) > 0 ? `+${amount}` : String(amount).replace("-", "−");
}

/** @param {BaseApp} app @param {number} value @param {number} [digits] */
export function number(app, value, digits = 0) {
  return new Intl.NumberFormat(LOCALES[app.lang] || "en-GB", { maximumFractionDigits: digits }).format(value);
}

/** @param {string[] | undefined} codes @param {Translate} t */
export function miniCards(codes, t) {
  return el(
    "span",
    { class: "cards-line" },
    (codes || []).map((code) =>
      el("span", { class: `mini mini-${code === "??" ? "back" : /[HD](#|$)/.test(code) ? "red" : "black"}`, role: "img", "aria-label": cardName(code, t), "data-card": code.split("#")[0] }, cardShort(code)),
    ),
  );
}

/** @param {string} text @param {string} [kind] @param {string} [sign] */
export function badge(text, kind = "", sign = "") {
  return el("span", { class: `badge ${kind && `badge-${kind}`}` }, sign && el("span", { class: "badge-sign", "aria-hidden": "true" }, sign), text);
}

/** @param {"td" | "th"} tag @param {Cell} content @param {Record<string, unknown>} [props] */
function cell(tag, content, props = {}) {
  const plain = content !== null && typeof content === "object" && !(content instanceof Node) && !Array.isArray(content);
  if (!plain) return el(tag, props, content);
  const { text, ...more } = content;
  return el(tag, { ...props, ...more }, text);
}

/** @param {Cell[]} head @param {(Node | Cell[])[]} rows @param {Record<string, unknown>} [props] */
export function table(head, rows, props = {}) {
  return el(
    "table",
    { class: "plain-table", ...props },
    el("thead", null, el("tr", null, head.map((one) => cell("th", one, { scope: "col" })))),
    el("tbody", null, rows.map((row) => (row instanceof Node ? row : el("tr", null, row.map((one) => cell("td", one)))))),
  );
}

/** @param {string} label @param {...Child} children */
export function scroller(label, ...children) {
  return el("div", { class: "scroll-x", tabindex: "0", role: "group", "aria-label": label }, children);
}

/** @param {BaseApp} app @param {any} error @param {() => unknown} [again] */
export function problem(app, error, again) {
  return el(
    "div",
    { class: "page-problem", role: "alert" },
    el("p", null, el("span", { "aria-hidden": "true" }, "⚠ "), error.status ? error.message : app.t("figure.unreachable")),
    again && el("button", { type: "button", class: "plain-button", onclick: again }, app.t("figure.again")),
  );
}

/** @param {BaseApp} app */
export function waitingNote(app) {
  return el("p", { class: "page-wait", role: "status" }, app.t("figure.loading"));
}
