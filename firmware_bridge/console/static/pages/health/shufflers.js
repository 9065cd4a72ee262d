/* What all its shoes together say of each shuffler: verdict, figures for the technician, and the course of the evidence.

   The plot has powers of ten, because evidence multiplies from card to card; what is below one is drawn as one. */

import { linePlot } from "../../draw/plots.js";
import { el } from "../../dom.js";
import { roleWords } from "../event_words.js";
import { badge, number } from "../table/figures.js";

/** @type {Record<string, [string, string]>} */
const BADGES = { none: ["good", "✓"], advisory: ["gold", "?"], alarm: ["bad", "!"] };
const DAY = 86400000;

/** @param {App} app @param {number} evidence */
function evidenceWords(app, evidence) {
  return evidence < 10 ? number(app, evidence, 2) : number(app, Math.round(evidence));
}

/** @param {App} app @param {ShufflerHealth} one */
function course(app, one) {
  const { t } = app;
  const points = one.course.map((shoe) => ({ at: new Date(shoe.at).getTime(), value: Math.max(0, Math.log10(shoe.evidence)) }));
  const from = points[0]?.at ?? Date.now() - DAY;
  const to = Math.max(points.at(-1)?.at ?? 0, from + 1000);
  return linePlot({
    from,
    to,
    lang: app.lang,
    t,
    name: "shuffler",
    title: `${roleWords(one.device, t)} · ${one.method}`,
    words: t("shuffler.words", { shoes: one.shoes, decks: one.decks, cards: one.cards, evidence: evidenceWords(app, one.evidence), neighbours: number(app, one.neighbours), expected: number(app, one.expected, 1) }),
    series: [{ name: t("shuffler.course"), points }],
    unit: (value) => evidenceWords(app, 10 ** value),
  });
}

/** @param {App} app @param {HealthFacts | null} health @returns {{ parts: Child, courses: Plot[] }} */
export function drawShufflers(app, health) {
  const { t } = app;
  const told = health?.shufflers;
  if (!told || !told.length) {
    const why = !health ? "health.no-daemon" : told ? "health.no-shuffler" : "health.not-judged";
    return { parts: el("p", { class: "soft", "data-test": "no-shufflers" }, t(why)), courses: [] };
  }
  const courses = told.map((one) => course(app, one));
  const parts = told.map((one, index) => {
    const [kind, sign] = BADGES[one.verdict];
    const chi = one.chi.map((each) => el("li", null, t(`shuffler.chi.${each.over}`, { value: number(app, each.value, 1), limit: number(app, each.limit, 1) })));
    return el(
      "article",
      { class: "shuffler", "data-test": "shuffler", "data-verdict": one.verdict },
      el("p", null, badge(t(`shuffler.verdict.${one.verdict}`), kind, sign), " ", t("shuffler.most", { trace: t(`shuffler.trace.${one.trace}`) })),
      el("div", { class: "plots" }, courses[index]),
      el("ul", { class: "soft" }, chi),
    );
  });
  return { parts, courses };
}
