/* The robot dealer: whether it plays, how fast, and how often it errs.

   1. "Any error" is the chance that a round has some error, of whatever kind. Each dial is the chance of one kind.
   2. A change counts from the robot's next round on; the speed counts at once, for a scenario too. */

import { el, fill } from "/static/dom.js";
import { button, head, options, select, small } from "../controls.js";
import { icon } from "../icons.js";

/** @type {(number | "max")[]} */
const SPEEDS = [0.5, 1, 2, 5, 20, "max"];
const STEP = 0.05;

/** @param {PartTools} tools @returns {HarnessPart} */
export function robotPart({ app, server }) {
  const { t, has } = app;
  const play = button("robot", null, toggle, { class: "h-button h-strong" });
  const setSpeed = () => server.post("robot", { speed: speed.value === "max" ? "max" : Number(speed.value) });
  /** @type {HTMLSelectElement} */
  const speed = select("speed", t("harness.speed"), { onchange: setSpeed });
  const any = dial("any", t("harness.any-error"), (value) => server.post("robot", { any: value }));
  const list = el("div", { class: "h-dials", role: "group", "aria-label": t("harness.errors"), tabindex: "0" });
  const quiet = button("no-errors", t("harness.no-errors"), () => server.post("robot", { any: 0, rates: {} }));
  const rounds = small();
  /** @type {Map<string, ReturnType<typeof dial>>} */
  const dials = new Map();
  const node = el(
    "section",
    { "aria-labelledby": "h-robot" },
    head("h-robot", t("harness.part.robot"), rounds, el("span", { class: "h-fill" }), play, speed),
    el("div", { class: "h-row h-any" }, any.node, quiet),
    list,
  );

  function toggle() {
    server.post("robot", { playing: server.state?.playing !== "robot" });
  }

  function rates() {
    return Object.fromEntries([...dials].filter(([, one]) => one.value() > 0).map(([name, one]) => [name, one.value()]));
  }

  /** @param {string} name @param {string} words @param {(value: number) => unknown} changed */
  function dial(name, words, changed) {
    const shown = el("span", { class: "h-percent" });
    /** @type {HTMLInputElement} */
    const range = el("input", {
      type: "range",
      min: 0,
      max: 1,
      step: STEP,
      value: 0,
      class: "h-range",
      "data-test": "dial",
      "data-error": name,
      oninput: () => set(Number(range.value)),
      onchange: () => changed(Number(range.value)),
    });
    const label = el("label", { class: "h-dial" }, el("span", { class: "h-dial-name" }, words), range, shown);
    /** @param {number} value */
    const set = (value) => {
      if (Number(range.value) !== value) range.value = String(value);
      shown.textContent = `${Math.round(value * 100)} %`;
      label.classList.toggle("is-set", value > 0);
    };
    set(0);
    return { node: label, range, set, value: () => Number(range.value) };
  }

  function makeDials() {
    for (const { name, code } of server.about?.errors || []) {
      const words = has(`harness.error.${name}`) ? t(`harness.error.${name}`) : t(`code.${code}`);
      dials.set(name, dial(name, words, () => server.post("robot", { rates: rates() })));
    }
    fill(list, [...dials.values()].map((one) => one.node));
  }

  /** @param {number | "max"} now */
  function drawSpeed(now) {
    if (document.activeElement === speed || speed.value === String(now)) return;
    const known = SPEEDS.includes(now) ? SPEEDS : [...SPEEDS, now];
    options(speed, known, now, (value) => (value === "max" ? t("harness.speed-max") : `${value}×`));
  }

  return {
    node,
    update({ playing, robot }) {
      if (server.about && !dials.size) makeDials();
      const plays = String(playing === "robot");
      if (play.dataset.playing !== plays) {
        play.dataset.playing = plays;
        fill(play, icon(plays === "true" ? "pause" : "play"), t(plays === "true" ? "harness.stop" : "harness.start"));
      }
      rounds.textContent = t("harness.rounds", { count: robot.rounds });
      drawSpeed(robot.speed ?? "max");
      if (document.activeElement !== any.range) any.set(robot.any);
      for (const [name, one] of dials) {
        one.node.hidden = !robot.possible.includes(name);
        if (document.activeElement !== one.range) one.set(robot.rates[name] || 0);
      }
    },
    keys: () => [{ key: "r", words: t("harness.robot-key"), run: toggle }],
  };
}
