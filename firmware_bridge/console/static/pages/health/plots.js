/* The plots of Health: round pace, latency, link errors, findings by kind.

   1. A window ends now. A bucket that is not over yet counts for the part of it that has passed, a
      quarter at least.
   2. Of findings the five most frequent kinds are told apart; the others are one. */

import { barPlot, linePlot } from "../../draw/plots.js";
import { roleWords } from "../event_words.js";
import { number } from "../table/figures.js";

const KINDS = 5;
const HOUR = 3600000;

/** @param {string} text */
const time = (text) => new Date(text).getTime();

/** @param {App} app @param {Pace} pace @param {PlotWindow} window */
function pacePlot(app, pace, window) {
  const { t } = app;
  const width = pace.bucket * 1000;
  /** @param {number} at */
  const passed = (at) => Math.max(width / 4, Math.min(width, window.to - at));
  const points = pace.rounds.map((one) => ({ at: time(one.at), value: (one.count * HOUR) / passed(time(one.at)) }));
  const rounds = pace.rounds.reduce((sum, one) => sum + one.count, 0);
  const began = pace.rounds.find((one) => one.count > 0); // before the first round nobody played here
  const hours = Math.max(window.to - (began ? time(began.at) : window.from), width) / HOUR;
  return barPlot({
    ...window,
    name: "pace",
    title: t("plot.pace"),
    words: t("plot.pace-words", { rounds: number(app, rounds), rate: number(app, rounds / hours, 1) }),
    series: [{ name: t("plot.rounds-per-hour"), points }],
    width,
    unit: (value) => number(app, value, value < 10 ? 1 : 0),
  });
}

/** @param {App} app @param {Plots} told @param {PlotWindow} window */
function latencyPlot(app, told, window) {
  const { t } = app;
  /** @param {"p50" | "p99"} name */
  const points = (name) => told.latency.map((one) => ({ at: time(one.at), value: one[name] === null ? null : one[name] / 1000 }));
  const worst = Math.max(0, ...told.latency.map((one) => one.p99 ?? 0)) / 1000;
  const last = told.latency.at(-1);
  const gone = told.latency.filter((one) => one.here < 1).length;
  const words = last && last.p50 !== null ? t("plot.latency-words", { p50: number(app, last.p50 / 1000, 2), worst: number(app, worst, 2) }) : t("plot.no-samples");
  return linePlot({
    ...window,
    name: "latency",
    title: t("plot.latency"),
    words: words + (gone ? t("plot.gone", { count: gone }) : ""),
    series: [
      { name: t("plot.p50"), points: points("p50") },
      { name: t("plot.p99"), points: points("p99") },
    ],
    unit: (value) => `${number(app, value, value < 10 ? 1 : 0)} ms`,
  });
}

/** @param {App} app @param {Plots} told @param {PlotWindow} window */
function linksPlot(app, told, window) {
  const { t } = app;
  /** @param {{ frames: number, spoiled: number }} one */
  const rate = (one) => (one.frames > 0 ? (100 * one.spoiled) / one.frames : null);
  const series = Object.entries(told.links).map(([name, samples]) => ({ name: roleWords(name, t), points: samples.map((one) => ({ at: time(one.at), value: rate(one) })) }));
  const worst = series.map((one) => ({ name: one.name, most: Math.max(0, ...one.points.map((point) => point.value ?? 0)) })).sort((one, other) => other.most - one.most)[0];
  const words = !worst ? t("plot.no-samples") : worst.most > 0 ? t("plot.links-words", { device: worst.name, percent: number(app, worst.most, 2) }) : t("plot.links-clean");
  return linePlot({ ...window, name: "links", title: t("plot.links"), words, series, unit: (value) => `${number(app, value, 2)} %` });
}

/** @param {App} app @param {Pace} pace @param {PlotWindow} window */
function findingsPlot(app, pace, window) {
  const { t } = app;
  const shown = pace.codes.slice(0, KINDS);
  /** @param {PaceBucket} one @param {string} code */
  const count = (one, code) => one.findings[code] || 0;
  /** @param {PaceBucket} one */
  const others = (one) => pace.codes.slice(KINDS).reduce((sum, code) => sum + count(one, code), 0);
  const series = shown.map((code) => ({ name: t(`code.${code}`), points: pace.rounds.map((one) => ({ at: time(one.at), value: count(one, code) })) }));
  if (pace.codes.length > KINDS) series.push({ name: t("plot.others"), points: pace.rounds.map((one) => ({ at: time(one.at), value: others(one) })) });
  const total = pace.rounds.reduce((sum, one) => sum + Object.values(one.findings).reduce((all, each) => all + each, 0), 0);
  const words = total ? t("plot.findings-words", { count: total, code: t(`code.${pace.codes[0]}`) }) : t("plot.findings-none");
  const empty = [{ name: t("plot.findings"), points: pace.rounds.map((one) => ({ at: time(one.at), value: 0 })) }];
  return barPlot({ ...window, name: "findings", title: t("plot.findings"), words, series: series.length ? series : empty, width: pace.bucket * 1000, whole: true, unit: (value) => number(app, value) });
}

/** @param {App} app @param {Plots} told @param {number} hours */
export function drawPlots(app, told, hours) {
  const to = Date.now();
  const window = { from: to - hours * HOUR, to, lang: app.lang, t: app.t };
  const journal = told.pace ? [pacePlot(app, told.pace, window)] : [];
  const found = told.pace ? [findingsPlot(app, told.pace, window)] : [];
  return [...journal, latencyPlot(app, told, window), linksPlot(app, told, window), ...found];
}
