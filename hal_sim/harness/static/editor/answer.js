/* The answer to "what if": taken or refused, what would be found, by which clause, with which ruling, and what comes next. */

import { el } from "/static/dom.js";
import { placeName } from "/static/draw/places.js";

/** @param {FoundThere} found @param {Translate} t */
export function foundLine(found, t) {
  const where = found.places.map((place) => placeName(place, t)).join(", ");
  const title = el("strong", null, t(`code.${found.code}`), where && ` (${where})`);
  const ruling = t("editor.ruling", { ruling: t(`ruling.${found.ruling}`), clause: found.clause });
  return el("li", { "data-test": "editor-found", "data-code": found.code, "data-clause": found.clause }, title, " ", ruling);
}

/** @param {string} who @param {Translate} t */
function person(who, t) {
  return /^\d/.test(who) ? t("who.player", { place: placeName(who, t) }) : t(`who.${who}`);
}

/** @param {WhatIfAnswer} answer @param {Translate} t @param {string} lang */
export function answerOf(answer, t, lang) {
  const asked = answer.asks.map((one) => t("editor.asked", { who: person(one.who, t), clause: one.clause }));
  return [
    el("p", null, t("editor.if"), " ", el("code", null, answer.statement)),
    answer.refused && el("p", { class: "e-problem" }, t("editor.refused", { why: answer.refused })),
    !answer.refused && !answer.findings.length && el("p", { class: "e-good" }, t("editor.nothing-found")),
    answer.findings.length > 0 && el("ul", null, answer.findings.map((found) => foundLine(found, t))),
    asked.map((words) => el("p", null, words)),
    el("p", { "data-test": "editor-next" }, t("editor.next", { next: answer.next[lang] })),
  ];
}
