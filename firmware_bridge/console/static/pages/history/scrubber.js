/* Going through the steps of a round: a slider, buttons for one step and for the ends, and playing.

   scrubber({ steps, t, words, shows }) → element
     steps    the steps; one with a finding or a refusal is marked at the slider
     words    (index) => what happened there, for those who hear the page
     shows    (index) => called whenever another step is chosen
   The element has .go(index), .by(count), .ends(last), .play() (or pauses), .playing(), .close() */

import { el, fill, svg } from "../../dom.js";

const PACES = [1, 2, 4];
/** @type {Record<string, string>} */
const SIGNS = {
  first: "M4 4h3v16H4zM20 4v16L8 12z",
  back: "M17 4v16L5 12z",
  play: "M6 3l14 9-14 9z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  forward: "M7 4v16l12-8z",
  last: "M17 4h3v16h-3zM4 4v16l12-8z",
};
const STEP_MS = 900;

/**
 * @param {{ steps: PastStep[], t: Translate, words: (index: number) => string, shows: (index: number) => void }} options
 * @returns {Scrubber}
 */
export function scrubber({ steps, t, words, shows }) {
  const last = Math.max(0, steps.length - 1);
  let at = -1;
  let timer = 0;
  let pace = 0;

  /** @type {HTMLInputElement} */
  const slider = el("input", { type: "range", class: "scrub-slider", min: 0, max: last, step: 1, value: 0, "aria-label": t("scrub.slider"), "data-test": "scrubber", oninput: () => chosen(Number(slider.value)) });
  const count = el("span", { class: "scrub-count", "data-test": "step-count" });
  /** @param {string} name @param {() => unknown} press */
  const button = (name, press) => el("button", { type: "button", class: "scrub-button", "data-test": `scrub-${name}`, "aria-label": t(`scrub.${name}`), title: t(`scrub.${name}`), onclick: press }, sign(name));
  const buttons = {
    first: button("first", () => ends(false)),
    back: button("back", () => by(-1)),
    play: button("play", () => play()),
    forward: button("forward", () => by(1)),
    last: button("last", () => ends(true)),
  };
  const speed = el("button", { type: "button", class: "scrub-button scrub-pace", "data-test": "scrub-pace", onclick: faster });
  const marks = el("div", { class: "scrub-marks", "aria-hidden": "true" }, steps.map(mark));
  const root = el(
    "div",
    { class: "scrubber", role: "group", "aria-label": t("scrub.title") },
    el("div", { class: "scrub-buttons" }, buttons.first, buttons.back, buttons.play, buttons.forward, buttons.last, speed),
    el("div", { class: "scrub-track" }, marks, slider),
    count,
  );

  /** @param {PastStep} step @param {number} index */
  function mark(step, index) {
    const found = (step.brought || []).some((one) => one.is === "found");
    if (!found && !step.refused) return null;
    return el("span", { class: found ? "scrub-mark scrub-found" : "scrub-mark", style: { left: `${last ? (100 * index) / last : 0}%` } }, found ? "!" : "×");
  }

  function faster() {
    pace = (pace + 1) % PACES.length;
    paced();
    if (timer) {
      stop();
      play();
    }
  }

  function paced() {
    fill(speed, `${PACES[pace]}×`);
    speed.setAttribute("aria-label", t("scrub.pace", { pace: PACES[pace] }));
  }

  /** @param {boolean} is */
  function playing(is) {
    const name = t(is ? "scrub.pause" : "scrub.play");
    fill(buttons.play, sign(is ? "pause" : "play"));
    buttons.play.setAttribute("aria-label", name);
    buttons.play.title = name;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    playing(false);
  }

  /** @param {number} index */
  function chosen(index) {
    const wanted = Math.min(last, Math.max(0, index));
    if (wanted === at) return;
    at = wanted;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", t("scrub.value", { step: at + 1, count: last + 1, words: words(at) }));
    slider.style.setProperty("--done", `${last ? (100 * at) / last : 100}%`);
    fill(count, t("scrub.count", { step: at + 1, count: last + 1 }));
    buttons.first.disabled = buttons.back.disabled = at === 0;
    buttons.last.disabled = buttons.forward.disabled = at === last;
    shows(at);
  }

  /** @param {number} more */
  function by(more) {
    if (timer) stop();
    chosen(at + more);
  }

  /** @param {boolean} end */
  function ends(end) {
    if (timer) stop();
    chosen(end ? last : 0);
  }

  function play() {
    if (timer) return stop();
    if (at === last) chosen(0);
    playing(true);
    timer = setInterval(() => (at === last ? stop() : chosen(at + 1)), STEP_MS / PACES[pace]);
  }

  playing(false);
  paced();
  return Object.assign(root, { go: chosen, by, ends, play, playing: () => Boolean(timer), close: () => clearInterval(timer) });
}

/** @param {string} name */
function sign(name) {
  return svg("svg", { class: "scrub-sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}
