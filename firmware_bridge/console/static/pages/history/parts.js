/* The parts of one round beside its picture: steps, settlement, findings, notation.

   Each function returns a section; that of the steps has .mark(index), which marks a step and brings it into view. */

import { el } from "../../dom.js";
import { placeName } from "../../draw/places.js";
import { totalWords } from "../../draw/hand.js";
import { currentLang } from "../../texts.js";
import { answerWords, eventWords, roleWords, whoWords } from "../event_words.js";
import { badge, clock, miniCards, moment, scroller, signed, table } from "../table/figures.js";
import { clauseButton, clausePrint } from "../clause_words.js";
import { broughtWords } from "./words.js";

/** @param {string} name @param {Translate} t @param {...Child} children */
function section(name, t, ...children) {
  return el("section", { class: `history-part history-${name}` }, el("h2", null, t(`part.${name}`)), children);
}

// --- steps ------------------------------------------------------------------------------------------------------------

/** @param {App} app @param {PastStep[]} steps @param {(index: number) => unknown} choose @returns {StepsPart} */
export function stepsPart(app, steps, choose) {
  const { t } = app;
  const rows = steps.map((step, index) => {
    const marked = step.refused || step.brought.some((one) => ["found", "asked", "settled", "advised"].includes(one.is));
    return el(
      "li",
      { class: "past-step" },
      el(
        "button",
        { type: "button", class: "past-step-button", "data-test": "step-row", "data-n": step.n, onclick: () => choose(index) },
        el("span", { class: "past-step-time" }, clock(app, step.at)),
        el("span", { class: "past-step-text" }, eventWords(step.event, t), step.by && el("span", { class: "soft" }, ` · ${step.by.name}`)),
      ),
      marked && el("div", { class: "past-step-notes" }, broughtWords(app, { ...step, brought: step.brought.filter((one) => ["found", "asked", "settled", "advised"].includes(one.is)) })),
    );
  });
  const list = el("ol", { class: "past-steps" }, rows);
  const part = section("steps", t, steps.length ? list : el("p", null, t("history.no-steps")));
  /** @type {Element} */
  let marked = part;
  /** @param {number} index */
  const mark = (index) => {
    marked.removeAttribute("aria-current");
    marked = rows[index].firstElementChild || part;
    marked.setAttribute("aria-current", "step");
    if (part.hidden || !part.getClientRects().length) return;
    const [frame, at] = [part.getBoundingClientRect(), marked.getBoundingClientRect()];
    const scrolls = part.scrollHeight > part.clientHeight + 1;
    if (scrolls && (at.top < frame.top + 40 || at.bottom > frame.bottom - 10)) part.scrollTop += at.top - frame.top - frame.height / 2;
  };
  return Object.assign(part, { mark });
}

// --- settlement -------------------------------------------------------------------------------------------------------

/** @param {App} app @param {RoundReport} report */
function hands(app, report) {
  const { t } = app;
  const { dealer } = report;
  /** @param {string} name @param {DrawnHand} hand @param {Child} note */
  const line = (name, hand, note) =>
    el("tr", null, el("th", { scope: "row" }, name), el("td", null, miniCards(hand.cards, t)), el("td", { class: "hand-total" }, totalWords(hand, t)), el("td", null, note));
  const places = report.hands.map((hand) => `${hand.box}.${hand.hand}`);
  /** @param {PastHand} hand */
  const split = (hand) => places.includes(`${hand.box}.2`);
  /** @param {PastHand} hand */
  const named = (hand) => placeName(split(hand) ? `${hand.box}.${hand.hand}` : String(hand.box), t);
  return el(
    "table",
    { class: "plain-table hands-table" },
    el("caption", { class: "unseen" }, t("settle.hands")),
    el(
      "tbody",
      null,
      line(t("place.dealer"), dealer, dealer.blackjack ? badge(t("settle.natural"), "gold") : dealer.bust ? badge(t("settle.bust"), "bad") : ""),
      report.hands.map((hand) => line(named(hand), hand, hand.result ? resultBadge(hand.result, t) : "")),
    ),
  );
}

/** @type {Record<string, [string, string]>} */
const RESULTS = { win: ["good", "+"], lose: ["bad", "−"], "stand-off": ["", "="], surrendered: ["", "½"], returned: ["", "↩"], refused: ["", "×"] };

/** @param {string} result @param {Translate} t */
function resultBadge(result, t) {
  const [kind, sign] = RESULTS[result] || ["", ""];
  return badge(t(`result.${result}`), kind, sign);
}

/** @param {WagerReport[]} rows @param {"stake" | "net"} name */
function sum(rows, name) {
  return (rows.reduce((total, row) => total + Math.round(Number(row[name] ?? 0) * 100), 0) / 100).toFixed(2);
}

/** @param {App} app @param {ToldRound} told */
export function settlementPart(app, told) {
  const { t } = app;
  const { report } = told.round;
  /** @param {string} text */
  const number = (text) => ({ text, class: "number" });
  const head = [t("detail.kind"), number(t("detail.stake")), t("settle.result"), number(t("detail.net"))];
  const rows = report.wagers.map((row) => [
    el("span", null, t(`wager.${row.kind}`), el("br"), el("span", { class: "soft nowrap" }, placeName(`${row.box}${row.hand > 1 ? `.${row.hand}` : ""}/${row.slot}`, t), row.player && ` · ${row.player}`)),
    number(row.stake),
    row.result ? el("span", null, resultBadge(row.result, t), row.clause && clauseButton(app, told.round.game, row.clause, { class: "clause-button settle-clause" })) : t("result.open"),
    number(signed(row.net)),
  ]);
  const total = el("tr", { class: "total-row" }, el("th", { scope: "row" }, t("settle.total")), el("td", { class: "number" }, sum(report.wagers, "stake")), el("td"), el("td", { class: "number" }, signed(sum(report.wagers, "net"))));
  const wagers = table(head, [...rows, total], { class: "plain-table wagers-table" });
  return section("settlement", t, hands(app, report), rows.length ? scroller(t("detail.wagers"), wagers) : el("p", null, t("settle.none")), el("p", { class: "soft note" }, t("settle.net-note")));
}

// --- findings ---------------------------------------------------------------------------------------------------------

/** @param {App} app @param {PastFinding} finding @param {ToldRound} told */
function findingCard(app, finding, told) {
  const { t } = app;
  const step = told.steps.find((one) => one.n === finding.n);
  /** @param {string} name @param {Child} value */
  const fact = (name, value) => value && el("div", { class: "fact" }, el("dt", null, t(name)), el("dd", null, value));
  const places = (finding.places || "").split(" ").filter(Boolean).map((place) => placeName(place, t)).join(t("list.join"));
  const reported = told.round.report.findings.find((one) => one.code === finding.code && one.clause === finding.clause);
  const obstacle = reported?.obstacle;
  const moves = finding.moves || [];
  return el(
    "article",
    { class: "finding-card", "data-test": "finding", "data-code": finding.code },
    el("h3", null, el("span", { class: "finding-sign", "aria-hidden": "true" }, "!"), t(`code.${finding.code}`)),
    el("p", null, t(`what.${finding.code}`)),
    el(
      "dl",
      { class: "facts" },
      fact("alarm.ruling", [t(`rule.${finding.ruling}`), " ", clauseButton(app, told.round.game, finding.clause), clausePrint(app, told.round.game, finding.clause)]),
      fact("history.where", places),
      fact("alarm.error-of", finding.whose && t(`whose.${finding.whose}`)),
      fact("history.when", step ? clock(app, step.at) : t("history.later", { n: finding.n })),
      fact("history.obstacle", obstacle && t(`obstacle.${obstacle}`)),
    ),
    moves.length > 0 &&
      el(
        "ol",
        { class: "finding-moves", "aria-label": t("alarm.moves") },
        moves.map((move) => el("li", null, miniCards([move.card], t), " ", t("history.move", { from: placeName(move.from, t), to: placeName(move.to, t) }))),
      ),
    el("h4", { class: "finding-todo" }, t("history.to-do")),
    el("ol", { class: "finding-steps", "data-test": "finding-steps" }, finding.steps.map((one) => el("li", null, one[currentLang()]))),
  );
}

/** @param {App} app @param {ToldRound} told */
export function findingsPart(app, told) {
  const { t } = app;
  const { findings, rulings, cleared } = told.round;
  if (!findings.length && !rulings.length) return section("findings", t, el("p", { class: "none" }, el("span", { "aria-hidden": "true" }, "✓ "), t("history.no-findings")));
  /** @param {PastRound["rulings"][number]} ruling */
  const who = (ruling) => [whoWords(ruling.who, t), ruling.by && `${ruling.by.name} (${roleWords(ruling.by.role, t)})`].filter(Boolean).join(" · ");
  const said = [
    ...rulings.map((ruling) => ({ at: ruling.at, who: who(ruling), what: answerWords(ruling.what, t) || eventWords(ruling.what, t) })),
    ...cleared.map((one) => ({ at: one.at, who: `${one.by} (${roleWords(one.role, t)})`, what: t("history.cleared", { codes: one.codes.map((code) => t(`code.${code}`)).join(t("list.join")), reason: one.reason }) })),
  ];
  return section(
    "findings",
    t,
    findings.map((finding) => findingCard(app, finding, told)),
    el("h3", { class: "part-head" }, t("history.decided")),
    said.length
      ? table([t("history.time"), t("history.who"), t("history.what")], said.map((one) => [{ text: moment(app, one.at), class: "nowrap" }, one.who, one.what]), { class: "plain-table", "data-test": "rulings" })
      : el("p", { class: "soft" }, t("history.nobody")),
  );
}

// --- notation ---------------------------------------------------------------------------------------------------------

/** @param {App} app @param {HTMLTextAreaElement} box */
async function copy(app, box) {
  const { t } = app;
  let done = false;
  try {
    await navigator.clipboard.writeText(box.value);
    done = true;
  } catch {
    box.select();
    done = document.execCommand("copy");
  }
  app.toast(t(done ? "notation.copied" : "notation.not-copied"), done ? "good" : "bad");
}

/** @param {HTMLTextAreaElement} box @param {string} name */
function save(box, name) {
  const address = URL.createObjectURL(new Blob([box.value], { type: "text/plain" }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** @param {App} app @param {ToldRound} told */
export function notationPart(app, told) {
  const { t } = app;
  const { notation, about, round } = told;
  if (!notation) return section("notation", t, el("p", null, t(about.kept ? "notation.kept" : "notation.none")));
  const box = el("textarea", { class: "notation-box", readonly: true, spellcheck: "false", wrap: "off", "aria-label": t("part.notation"), "data-test": "notation", rows: Math.min(40, notation.split("\n").length) });
  box.value = notation;
  return section(
    "notation",
    t,
    el("p", { class: "soft" }, t(`notation.begins-${about.begins}`), " ", t(about.plays ? "notation.plays" : "notation.plays-not")),
    el(
      "div",
      { class: "notation-buttons no-print" },
      el("button", { type: "button", class: "plain-button plain-button-strong", "data-test": "copy", onclick: () => copy(app, box) }, t("notation.copy")),
      el("button", { type: "button", class: "plain-button", "data-test": "save", onclick: () => save(box, `round-${round.number}-${round.first}.deal`) }, t("notation.save")),
    ),
    box,
    el("pre", { class: "notation-print print-only", "aria-hidden": "true" }, notation),
  );
}
