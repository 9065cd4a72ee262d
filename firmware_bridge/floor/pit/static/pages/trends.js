/* Trends over all tables: findings by kind, table, Dealer, shuffler and hour of the day, as plots.

   1. The window is the period or the times of the address, the last seven days without one; the search narrows it.
   2. The hour of the day is this browser's own. */

import { el, fill } from "/static/dom.js";
import { barPlot } from "/static/draw/plots.js";
import { number, problem, waitingNote } from "/static/pages/table/figures.js";
import { askedOf, searchForm, viewsBar } from "../search.js";
import { codeWords } from "../tile.js";

const FIELDS = ["words", "table", "code", "dealer", "shuffler", "game", "from", "to"];
const DIMENSIONS = ["code", "table", "dealer", "shuffler"];
const HOUR = 3600000;
const DAY_HOURS = 24;

/** @param {string} at */
const time = (at) => new Date(at).getTime();

/** @param {PitApp} app @param {string} name @param {Trend} trend @param {Trends} told */
function plotOf(app, name, trend, told) {
  const { t } = app;
  /** @param {TrendSeries} one */
  const seriesName = (one) => (one.others ? t("plot.others") : (name === "code" ? codeWords(one.name, app) : one.name) || t("trends.nobody"));
  const width = told.bucket * 1000;
  const series = trend.series.map((one) => ({ name: seriesName(one), points: one.points.map((point) => ({ at: time(point.at), value: point.value })) }));
  const words = series.length ? t("trends.words", { count: number(app, told.findings), kinds: trend.kinds, most: series[0].name }) : t("plot.findings-none");
  const empty = [{ name: t("nav.findings"), points: [] }];
  return barPlot({ name, title: t(`trends.${name}`), words, series: series.length ? series : empty, from: Math.floor(time(told.from) / width) * width, to: time(told.to), width, whole: true, unit: (value) => number(app, value), lang: app.lang, t });
}

/** @param {PitApp} app @param {Trends} told */
function hoursPlot(app, told) {
  const { t } = app;
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const counts = Array.from({ length: DAY_HOURS }, () => 0);
  for (const point of told.hours) counts[new Date(point.at).getHours()] += point.value;
  const from = midnight.getTime();
  const most = counts.indexOf(Math.max(...counts));
  const words = told.findings ? t("trends.hour-words", { hour: `${String(most).padStart(2, "0")}:00` }) : t("plot.findings-none");
  const points = counts.map((value, hour) => ({ at: from + hour * HOUR, value }));
  return barPlot({ name: "hour", title: t("trends.hour"), words, series: [{ name: t("nav.findings"), points }], from, to: from + DAY_HOURS * HOUR, width: HOUR, whole: true, unit: (value) => number(app, value), lang: app.lang, t });
}

/** @param {HTMLElement} root @param {PitApp} app @param {string[]} rest @param {Record<string, string>} [query] @returns {PitPage} */
export function mount(root, app, rest, query = {}) {
  const { t } = app;
  const asked = { ...query, ...(!query.period && !query.from && { period: "week" }) };
  const plots = el("div", { class: "plots", "data-test": "plots" });
  const summary = el("p", { class: "find-status", role: "status" });
  /** @type {Plot[]} */
  let drawn = [];
  let turn = 0;
  app.style("/static/style/health.css");

  function close() {
    for (const one of drawn) one.close();
    drawn = [];
  }

  async function load() {
    const mine = (turn += 1);
    fill(summary, waitingNote(app));
    try {
      /** @type {Trends} */
      const told = await app.get(`/api/trends?${askedOf(asked)}`);
      if (mine !== turn) return;
      close();
      drawn = [...DIMENSIONS.map((name) => plotOf(app, name, told.by[name], told)), hoursPlot(app, told)];
      fill(plots, drawn);
      const rate = told.rounds ? number(app, (1000 * told.findings) / told.rounds, 1) : "–";
      fill(summary, t("trends.summary", { findings: number(app, told.findings), rounds: number(app, told.rounds), rate }));
    } catch (error) {
      if (mine === turn) fill(summary, problem(app, error, load));
    }
  }

  root.append(
    el("div", { class: "past", "data-test": "trends" }, el("h1", { class: "page-title" }, t("nav.trends")), viewsBar(app, "trends", query), el("details", { class: "find-panel" }, el("summary", { class: "plain-button" }, t("find.title")), searchForm(app, "trends", query, FIELDS)), summary, plots),
  );
  load();
  return {
    close() {
      turn += 1;
      close();
    },
  };
}
