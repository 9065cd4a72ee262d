/* The parts of Health that are no plots: headline, problems, devices and links, facts, sensors.

   A check of the doctor has a code and values; health.check.CODE is its text. One that is not known here is shown in the
   doctor's own words. */

import { el } from "../../dom.js";
import { badge, number, scroller, table } from "../table/figures.js";
import { roleWords } from "../event_words.js";

/** @type {Record<string, [string, string]>} */
const MARKS = { true: ["good", "✓"], false: ["bad", "!"], null: ["", "·"] };

/** @param {App} app @param {Check} check @param {"name" | "said" | "remedy"} what */
export function checkWords(app, check, what) {
  const key = `health.${what}.${check.code}`;
  const values = { ...check.values };
  if (values.device) values.device = roleWords(String(values.device), app.t);
  if (values.sensor) values.sensor = app.t(`sensor.${values.sensor}`);
  if (check.code === "alarm") values.code = app.t(`code.${values.code}`);
  return app.has(key) ? app.t(key, values) : check[what === "name" ? "name" : what];
}

/** @param {App} app @param {Check[]} checks */
export function headline(app, checks) {
  const { t } = app;
  const wrong = checks.filter((check) => check.well === false).length;
  return el(
    "h1",
    { class: `health-line ${wrong ? "is-bad" : "is-good"}`, "data-test": "health-line", "data-problems": wrong },
    el("span", { class: "health-sign", "aria-hidden": "true" }, wrong ? "!" : "✓"),
    wrong ? t(wrong === 1 ? "health.one-problem" : "health.problems", { count: wrong }) : t("health.well"),
  );
}

/** @param {App} app @param {Check[]} checks */
export function problemsPart(app, checks) {
  const { t } = app;
  const wrong = checks.filter((check) => check.well === false);
  return wrong.map((check) =>
    el(
      "article",
      { class: "problem", "data-test": "problem", "data-code": check.code },
      el("h2", null, el("span", { class: "finding-sign", "aria-hidden": "true" }, "!"), checkWords(app, check, "name")),
      el("p", null, checkWords(app, check, "said")),
      el("p", { class: "remedy" }, el("strong", null, t("health.remedy")), " ", checkWords(app, check, "remedy")),
    ),
  );
}

/** @param {LinkHealth} link */
function rate(link) {
  if (!link.link) return null;
  const total = link.link.frames + link.link.bad;
  return total ? (100 * (link.link.bad + link.link.gaps + link.link.resent)) / total : 0;
}

/** @param {LinkHealth} link @param {boolean | undefined} proved @param {Translate} t */
function proofBadge(link, proved, t) {
  if (!proved) return badge(t("health.unproved"), "bad", "!");
  if (link.edition === 1) return badge(t("health.in-clear"), "bad", "!");
  return badge(t("health.proved"), "good", "✓");
}

/** @param {App} app @param {HealthFacts | null} health */
export function devicesPart(app, health) {
  const { t } = app;
  if (!health) return el("p", { class: "soft" }, t("health.no-daemon"));
  /** @param {string} text */
  const right = (text) => ({ text, class: "number" });
  const rows = Object.entries(health.links).map(([name, link]) => {
    const spoiled = rate(link);
    const proved = link.authenticated && link.proved !== false;
    return el(
      "tr",
      { "data-test": "device", "data-device": name, "data-up": String(link.up) },
      el("th", { scope: "row" }, roleWords(name, t), el("span", { class: "soft device-port" }, link.port)),
      el("td", null, link.up ? badge(t("health.up"), "good", "✓") : badge(t("health.away"), "bad", "!")),
      el("td", null, link.firmware ? `${link.firmware} · ${(link.protocol || []).join(".")}` : "–", el("span", { class: "soft device-port" }, link.serial || "")),
      el("td", null, proofBadge(link, proved, t)),
      el("td", { class: "number" }, link.link ? number(app, link.link.frames) : "–"),
      el("td", { class: "number" }, link.link ? `${link.link.bad} / ${link.link.gaps} / ${link.link.resent}` : "–"),
      el("td", { class: "number" }, spoiled === null ? "–" : badge(`${spoiled.toFixed(2)} %`, spoiled > 1 ? "bad" : "", spoiled > 1 ? "!" : "")),
      el("td", { class: "number" }, link.station ? link.station.downs : "–"),
    );
  });
  const head = [t("health.device"), t("health.state"), t("health.firmware"), t("health.proof"), right(t("health.frames")), right(t("health.spoiled")), right(t("health.rate")), right(t("health.downs"))];
  return scroller(t("health.devices"), table(head, rows, { class: "plain-table devices-table" }));
}

/** @param {string} name @param {Child} value @param {boolean | null} [mark] @param {Child} [extra] */
function fact(name, value, mark = null, extra = null) {
  const [kind, sign] = MARKS[String(mark)];
  return el("div", { class: `fact-card ${kind && `fact-${kind}`}` }, el("dt", null, el("span", { class: "fact-sign", "aria-hidden": "true" }, sign), name), el("dd", null, value, extra));
}

/** @param {number} share @param {string} label */
function bar(share, label) {
  return el("span", { class: "meter", role: "img", "aria-label": label }, el("span", { class: "meter-fill", style: { width: `${Math.round(100 * share)}%` } }));
}

/** @param {App} app @param {number | null | undefined} value */
function milliseconds(app, value) {
  return value === null || value === undefined ? "–" : `${number(app, value / 1000, 2)} ms`;
}

/** @param {App} app @param {HealthFacts | null} health @param {Check[]} checks */
export function factsPart(app, health, checks) {
  const { t } = app;
  /** @param {...string} codes */
  const firstCheck = (...codes) => checks.find((check) => codes.includes(check.code));
  /** @type {HTMLElement[]} */
  const cards = [];
  /**
   * @param {string} key
   * @param {Check | null | undefined} check
   * @param {string | null} [value]
   * @param {Child} [extra]
   */
  const add = (key, check, value, extra) => cards.push(fact(t(`health.fact.${key}`), value ?? (check ? checkWords(app, check, "said") : "–"), check ? check.well : null, extra));
  /** @param {string} name */
  const named = (name) => checks.find((check) => check.name === name);
  add("daemon", named("daemon"));
  if (health) {
    const { latency, journal, disk } = health;
    add("latency", null, t("health.latency", { p50: milliseconds(app, latency?.p50), p99: milliseconds(app, latency?.p99), max: milliseconds(app, latency?.max) }));
    add("program", named("program"));
    add("memory", named("memory"));
    add("journal", named("journal"), null, el("span", { class: "fact-more" }, t("health.signed", { n: journal.signed ?? "–", segment: journal.segment })));
    add("anchors", named("anchors") || named("anchor"));
    if (firstCheck("archive", "archive-failed")) add("archive", firstCheck("archive", "archive-failed"));
    add("disk", named("disk"), null, disk && bar(1 - disk.free / disk.total, t("health.disk-used", { percent: Math.round(100 * (1 - disk.free / disk.total)) })));
    add("roles", named("roles"));
  }
  add("clock", named("clock"));
  add("voltage", named("voltage"));
  add("usb", named("USB resets"));
  return el("dl", { class: "fact-cards" }, cards);
}

/** @param {App} app @param {HealthFacts | null} health @param {Covered[]} coverage @returns {Child} */
export function sensorsPart(app, health, coverage) {
  const { t } = app;
  if (!health) return el("p", { class: "soft" }, t("health.no-daemon"));
  const fitted = health.table.sensors;
  const all = ["shoe", "positions", "positions-count", "bets", "discard", "panel"];
  const sorted = [...coverage].sort((one, other) => Number(one.covered) - Number(other.covered));
  const rows = sorted.map((one) => [
    t(`code.${one.code}`),
    one.covered ? badge(t("health.sensed"), "good", "✓") : badge(t("health.said-by-person"), "gold", "?"),
    one.covered ? "" : one.missing ? t("health.needs", { sensors: one.missing.split(" and ").map((sensor) => t(`sensor.${sensor}`)).join(t("list.join")) }) : t("health.no-sensor"),
    { text: one.clauses.join(", "), class: "clauses" },
  ]);
  return [
    el("p", { class: "sensor-line" }, all.map((sensor) => (fitted.includes(sensor) ? badge(t(`sensor.${sensor}`), "good", "✓") : badge(t(`sensor.${sensor}`), "", "–")))),
    el("p", { class: "soft" }, t("health.covered", { covered: coverage.filter((one) => one.covered).length, count: coverage.length, game: t(`game.${health.table.game}`) })),
    scroller(t("health.sensors"), table([t("health.finding"), t("health.found-by"), t("health.missing"), t("health.clauses")], rows, { class: "plain-table sensors-table", "data-test": "coverage" })),
  ];
}
