/* The debrief: each thing that went wrong, in words; what the table had asked for, why it refused, the ruling with its
   clause, score and time. */

import { el } from "/static/dom.js";
import { placeName } from "/static/draw/places.js";
import { eventWords } from "/static/pages/event_words.js";
import { refusalWords } from "/static/refusals.js";

/* An act may be of several statements; a card that was drawn and laid is told with its place. */
/** @param {string} words @param {Translate} t */
function doneWords(words, t) {
  return words.split("; ").map((one) => {
    const [verb, place, ...more] = one.split(" ");
    return verb === "draw" && place && !more.length ? t("training.dealt", { place: placeName(place, t) }) : eventWords(one, t);
  }).join("; ");
}

/** @param {TrainingAct} act @param {App} app */
function lineOf(act, app) {
  const { t, lang } = app;
  const found = act.findings.map((one) =>
    el(
      "li",
      { "data-test": "explained", "data-clause": one.clause, "data-code": one.code },
      el("strong", null, t(`code.${one.code}`)),
      " ",
      t("training.ruling", { ruling: t(`ruling.${one.ruling}`), clause: one.clause }),
    ),
  );
  return el(
    "li",
    { "data-by": act.by },
    el("p", null, t(`training.by.${act.by}`), " ", el("strong", { "data-test": "done" }, doneWords(act.words, t))),
    el("p", null, t("training.advised", { step: act.advised[lang] })),
    act.refused && el("p", null, t("training.refused", { why: refusalWords(act, app) })),
    found.length > 0 && el("ul", null, found),
  );
}

/** @param {TrainingNow} now @param {App} app */
export function debrief(now, app) {
  const { t } = app;
  if (now.left) return el("p", null, t("training.left"));
  const sums = { right: now.right, acts: now.acts, hints: now.hints, score: now.score, seconds: now.seconds };
  return [
    el("h2", null, t("training.debrief")),
    el("p", { "data-test": "result", "data-passed": String(now.passed), "data-score": now.score }, t(now.passed ? "training.passed" : "training.not-passed"), " · ", t("training.sums", sums)),
    now.failed.length > 0 && el("ul", null, now.failed.map((one) => el("li", null, t("training.missed", { what: one })))),
    now.debrief.length ? el("ol", null, now.debrief.map((act) => lineOf(act, app))) : el("p", null, t("training.clean")),
    el("p", null, el("a", { href: "#/history" }, t("training.replay"))),
  ];
}
