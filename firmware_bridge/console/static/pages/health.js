/* Health: what is wrong and what to do, devices and links, shufflers, journal, disk, computer, sensors, plots over time.

   1. The state is asked for every SOON_MS, and at once when a device goes or comes; the plots every LATER_MS. While the
      page is not seen nothing is asked.
   2. A part is drawn again only if what it shows has changed.
   3. Every problem has its remedy, as `truedeal doctor` has it. */

import { el, fill } from "../dom.js";
import { problem, waitingNote } from "./table/figures.js";
import { devicesPart, factsPart, headline, problemsPart, sensorsPart } from "./health/parts.js";
import { drawPlots } from "./health/plots.js";
import { drawShufflers } from "./health/shufflers.js";

const SOON_MS = 10000;
const LATER_MS = 30000;
const WINDOWS = [1, 6, 24, 168];
let hours = 24;

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const signs = new Map();
  /** @param {string} name */
  const part = (name) => el("div", { class: `health-${name}` });
  const parts = { head: el("div", { class: "health-head", role: "status" }), problems: part("problems"), devices: part("devices"), shufflers: part("shufflers"), facts: part("facts"), sensors: part("sensors") };
  const plots = el("div", { class: "plots" });
  /** @type {Plot[]} */
  let drawn = [];
  /** @type {Plot[]} */
  let courses = [];
  let closed = false;
  let turn = 0;

  /** @param {keyof typeof parts} name @param {unknown} shows @param {() => Child} make */
  function draw(name, shows, make) {
    const sign = JSON.stringify(shows);
    if (signs.get(name) === sign) return;
    signs.set(name, sign);
    fill(parts[name], make());
  }

  async function refresh() {
    try {
      /** @type {HealthPage} */
      const { health, checks, coverage } = await app.get("/api/health");
      if (closed) return;
      draw("head", [checks.map((one) => [one.name, one.well])], () => headline(app, checks));
      draw("problems", checks.filter((one) => one.well === false), () => problemsPart(app, checks));
      draw("devices", health?.links, () => devicesPart(app, health));
      draw("shufflers", health?.shufflers, () => {
        for (const one of courses) one.close();
        const shown = drawShufflers(app, health);
        courses = shown.courses;
        return shown.parts;
      });
      draw("facts", [health && { ...health, links: null }, checks.filter((one) => !health || one.code)], () => factsPart(app, health, checks));
      draw("sensors", [coverage, health?.table.sensors], () => sensorsPart(app, health, coverage));
    } catch (error) {
      if (closed) return;
      signs.clear();
      for (const node of Object.values(parts)) fill(node);
      fill(parts.head, problem(app, error, refresh));
    }
  }

  async function plot() {
    const mine = (turn += 1);
    try {
      const told = await app.get(`/api/health/samples?hours=${hours}`);
      if (closed || mine !== turn) return;
      const open = new Set(drawn.filter((one) => one.querySelector("details")?.open).map((one) => one.dataset.test));
      for (const one of drawn) one.close();
      drawn = drawPlots(app, told, hours);
      for (const one of drawn) one.querySelector("details")?.toggleAttribute("open", open.has(one.dataset.test));
      fill(plots, drawn);
    } catch (error) {
      if (!closed && mine === turn) fill(plots, problem(app, error, plot));
    }
  }

  /** @param {number} count */
  const choice = (count) =>
    el("button", { type: "button", class: "window", "aria-pressed": String(count === hours), "data-test": `window-${count}`, onclick: () => choose(count) }, t(`health.window-${count}`));
  const choices = el("div", { class: "windows", role: "group", "aria-label": t("health.window") }, WINDOWS.map(choice));

  /** @param {number} count */
  function choose(count) {
    hours = count;
    [...choices.children].forEach((one, index) => one.setAttribute("aria-pressed", String(WINDOWS[index] === count)));
    plot();
  }

  fill(parts.head, waitingNote(app));
  root.append(
    el(
      "div",
      { class: "health", "data-test": "health" },
      parts.head,
      parts.problems,
      el("section", { class: "health-section", "aria-label": t("health.devices") }, el("h2", null, t("health.devices")), parts.devices),
      el("section", { class: "health-section", "aria-label": t("health.plots") }, el("div", { class: "section-head" }, el("h2", null, t("health.plots")), choices), plots),
      el("section", { class: "health-section", "aria-label": t("health.shufflers") }, el("h2", null, t("health.shufflers")), parts.shufflers),
      el("section", { class: "health-section", "aria-label": t("health.facts") }, el("h2", null, t("health.facts")), parts.facts),
      el("section", { class: "health-section", "aria-label": t("health.sensors") }, el("h2", null, t("health.sensors")), parts.sensors),
    ),
  );
  /** @param {() => unknown} what */
  const whenVisible = (what) => () => document.visibilityState === "visible" && what();
  const timers = [setInterval(whenVisible(refresh), SOON_MS), setInterval(whenVisible(plot), LATER_MS)];
  const off = /** @type {const} */ (["link", "journal", "gone", "back"]).map((kind) => app.on(kind, refresh));
  const turned = whenVisible(refresh);
  document.addEventListener("visibilitychange", turned);
  refresh();
  plot();
  return {
    close() {
      closed = true;
      timers.forEach(clearInterval);
      document.removeEventListener("visibilitychange", turned);
      off.forEach((stop) => stop());
      for (const one of [...drawn, ...courses]) one.close();
    },
  };
}
