/* Parts of the picture that can be chosen or dropped on, and the small shapes that all parts are made of.

   1. A part is a button where places can be chosen, a group of targets in the harness, else a picture. It has its words
      in aria-label either way.
   2. wordWide(word, size) is about how wide a word is in bold letters of that size.
   3. No letter is smaller than LEAST; broken(word) parts a word where two lines can have it.
   4. targetOf(geo, scene, place) is the rectangle of a place, for arrows and targets; of a pile, what is below its name. */

import { svg } from "../dom.js";
import { round } from "./cards.js";
import { parse, placeName, rowsOf } from "./places.js";
import { usedRows } from "./wagers.js";

/** The smallest letters: a word that has no room for them is shorter or takes two lines. */
export const LEAST = 14;
const NAME = 26; // the name of a pile, and an arrowhead below it

/** @param {Area} area @param {Props} [props] */
export function rect(area, props) {
  const [w, h] = [Math.max(0, area.w), Math.max(0, area.h)]; // a picture that is squeezed for a moment has no room for it
  return svg("rect", { x: round(area.x), y: round(area.y), width: round(w), height: round(h), ...props });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} name
 * @param {Child} content
 * @param {Props} [props]
 */
export function text(x, y, size, name, content, props) {
  return svg("text", { x: round(x), y: round(y), "font-size": round(size), class: name, ...props }, content);
}

/** @param {string} word @param {number} size */
export function wordWide(word, size) {
  /** @param {string} letter */
  const wide = (letter) => {
    if (letter > "\u2e80") return 1;
    if (/[A-Zmw@▲×]/.test(letter)) return 0.74;
    return /\d/.test(letter) ? 0.66 : 0.58;
  };
  return [...word].reduce((sum, letter) => sum + wide(letter), 0) * size;
}

/** @param {string} word @returns {string[]} */
export function broken(word) {
  const at = word.includes(" · ") ? word.indexOf(" · ") : word.lastIndexOf(" ");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at).replace(/^ (· )?/, "")];
}

/** @param {string} place @param {Tools} tools @returns {Props} */
function pressed(place, tools) {
  const press = (/** @type {Event} */ event) => tools.press?.(place, event);
  return {
    tabindex: "0",
    onclick: press,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press(event);
    },
  };
}

/** @param {string} place @param {string} label @param {Tools} tools @param {Props} props @param {...Child} children */
export function frame(place, label, tools, props, ...children) {
  const button = tools.press && !tools.drop;
  const role = button ? "button" : tools.drop ? "group" : "img";
  return svg("g", { role, "aria-label": label, ...(button ? pressed(place, tools) : {}), ...props }, children);
}

/** @param {string} place @param {Area} area @param {Tools} tools */
export function dropOn(place, area, tools) {
  if (!tools.drop) return null;
  const label = placeName(place, tools.t);
  return rect(
    area,
    { class: "drop-target", rx: 6, role: "button", "aria-label": label, "data-place": place, ...pressed(place, tools) },
  );
}

/** @param {ShownBox} box @param {BoxGeometry} geo @param {string[]} kinds */
export function handRows(box, geo, kinds) {
  return rowsOf(geo, (box.hands || []).length, geo.bare ? 1 : usedRows(box, geo, kinds));
}

/* A pile without its name. */
/** @param {Area | undefined} area @returns {Area | null} */
function unnamed(area) {
  return area ? { ...area, y: area.y + NAME, h: area.h - NAME } : null;
}

/** @param {Geometry} geo @param {DrawnScene} scene @param {string} name @returns {Area | null} */
export function targetOf(geo, scene, name) {
  const place = parse(name);
  if (place.name === "drawn") return geo.aside;
  if (place.name === "dealer") return geo.dealer;
  if (place.name !== "box") return unnamed(/** @type {Record<string, any>} */ (geo)[place.name]);
  const index = scene.boxes.findIndex((box) => box.number === place.box);
  if (index < 0) return null;
  const rows = handRows(scene.boxes[index], geo.boxes[index], scene.spots || []);
  return (rows[(place.hand || 1) - 1] || rows[0]).cards;
}
