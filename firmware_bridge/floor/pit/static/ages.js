/* How long ago something was, by the centre's clock.

   1. setCentre(ms) tells what the centre's clock says now; centreNow() is that clock, whatever this computer's says.
   2. age(since, t) is an element with the age in words. All of them grow by themselves, once a second (tickAges). */

import { el } from "/static/dom.js";

let offset = 0;

/** @param {number} now */
export function setCentre(now) {
  offset = now - Date.now();
}

export function centreNow() {
  return Date.now() + offset;
}

/** @param {number} since @param {Translate} t */
export function ageWords(since, t) {
  const seconds = Math.max(0, Math.floor((centreNow() - since) / 1000));
  if (seconds < 100) return t("age.seconds", { count: seconds });
  if (seconds < 6000) return t("age.minutes", { count: Math.floor(seconds / 60) });
  if (seconds < 360000) return t("age.hours", { count: Math.floor(seconds / 3600) });
  return t("age.days", { count: Math.floor(seconds / 86400) });
}

/** @param {number} since @param {Translate} t */
export function age(since, t) {
  return el("span", { class: "age", "data-since": since }, ageWords(since, t));
}

/** @param {Translate} t */
export function tickAges(t) {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-since]"))) {
    const words = ageWords(Number(node.dataset.since), t);
    if (node.textContent !== words) node.textContent = words;
  }
}
