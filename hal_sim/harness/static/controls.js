/* The small things of which every part is made: buttons, lists to choose from, fields, groups of choices.

   Each has data-test, by which it is found, and a label for people who hear the page where its words do not say enough. */

import { el, fill } from "/static/dom.js";

/**
 * @param {string} test
 * @param {Child} words
 * @param {(() => unknown) | null} [onclick]
 * @param {Record<string, unknown>} [more]
 */
export function button(test, words, onclick, more = {}) {
  return el("button", { type: "button", class: "h-button", "data-test": test, onclick, ...more }, words);
}

/** @param {string} test @param {string} label @param {Props} [more] */
export function select(test, label, more = {}) {
  return el("select", { class: "h-select", "aria-label": label, "data-test": test, ...more });
}

/**
 * @template {string | number} V
 * @param {HTMLSelectElement} node
 * @param {V[]} values
 * @param {V} chosen
 * @param {(value: V) => string} [words]
 */
export function options(node, values, chosen, words = (value) => String(value)) {
  return fill(node, values.map((value) => el("option", { value, selected: value === chosen }, words(value))));
}

/** @param {string} test @param {string} label @param {Record<string, unknown>} [more] */
export function input(test, label, more = {}) {
  const usual = { class: "h-input", type: "text", "aria-label": label, "data-test": test, autocomplete: "off" };
  return el("input", { ...usual, ...more });
}

/**
 * @param {string} test
 * @param {string} words
 * @param {((on: boolean) => unknown) | null} [onchange]
 * @param {Record<string, unknown>} [more]
 */
export function check(test, words, onchange, more = {}) {
  /** @type {HTMLInputElement} */
  const box = el("input", { type: "checkbox", "data-test": test, onchange: () => onchange?.(box.checked), ...more });
  return { node: el("label", { class: "h-check" }, box, words), box };
}

/** @param {...Child} children */
export function row(...children) {
  return el("div", { class: "h-row" }, children);
}

/** @param {string} label @param {...Child} children */
export function labelled(label, ...children) {
  const name = el("span", { class: "h-label" }, label);
  return el("div", { class: "h-row", role: "group", "aria-label": label }, name, children);
}

/** @param {string} id @param {string} words @param {...Child} children */
export function head(id, words, ...children) {
  return el("div", { class: "h-head" }, el("h2", { id }, words), children);
}

/** @param {Record<string, unknown>} [more] @param {...Child} children */
export function small(more = {}, ...children) {
  return el("span", { class: "h-small", ...more }, children);
}

/**
 * @param {string} test
 * @param {string} label
 * @param {number[]} values
 * @param {() => number} chosen
 * @param {(value: number) => unknown} choose
 */
export function choices(test, label, values, chosen, choose) {
  const made = values.map((value) =>
    button(test, String(value), () => choose(value), { class: "h-option", "data-value": value }),
  );
  return {
    node: el("div", { class: "h-group", role: "group", "aria-label": label }, made),
    buttons: made,
    draw() {
      made.forEach((one, index) => one.setAttribute("aria-pressed", String(values[index] === chosen())));
    },
  };
}

/* One thing has words of its own: "1 event", "2 events". */
/** @param {Translate} t @param {number} count @param {string} one @param {string} several */
export function countWords(t, count, one, several) {
  return t(count === 1 ? one : several, { count });
}
