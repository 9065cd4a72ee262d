/* The debrief: each thing that went wrong, what the table had asked for, the ruling with its clause, score and time. */

import { el } from "/static/dom.js";

/** @param {TrainingAct} act @param {Translate} t @param {string} lang */
function lineOf(act, t, lang) {
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
    el("p", null, t(`training.by.${act.by}`), " ", el("code", null, act.words)),
    el("p", null, t("training.advised", { step: act.advised[lang] })),
    act.refused && el("p", null, t("training.refused", { why: act.refused })),
    found.length > 0 && el("ul", null, found),
  );
}

/** @param {TrainingNow} now @param {Translate} t @param {string} lang */
export function debrief(now, t, lang) {
  if (now.left) return el("p", null, t("training.left"));
  const sums = { right: now.right, acts: now.acts, hints: now.hints, score: now.score, seconds: now.seconds };
  return [
    el("h2", null, t("training.debrief")),
    el("p", { "data-test": "result", "data-passed": String(now.passed), "data-score": now.score }, t(now.passed ? "training.passed" : "training.not-passed"), " · ", t("training.sums", sums)),
    now.failed.length > 0 && el("ul", null, now.failed.map((one) => el("li", null, t("training.missed", { what: one })))),
    now.debrief.length ? el("ol", null, now.debrief.map((act) => lineOf(act, t, lang))) : el("p", null, t("training.clean")),
    el("p", null, el("a", { href: "#/history" }, t("training.replay"))),
  ];
}
