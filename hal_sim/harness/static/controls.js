/* The small things of which every part is made: buttons, lists to choose from, fields, groups of choices.

   Each has data-test, by which it is found, and a label for who hears the page where its words do not say enough. */

import { el, fill } from "/static/dom.js";

export function button(test, words, onclick, more = {}) {
  return el("button", { type: "button", class: "h-button", "data-test": test, onclick, ...more }, words);
}

export function select(test, label, more = {}) {
  return el("select", { class: "h-select", "aria-label": label, "data-test": test, ...more });
}

export function options(node, values, chosen, words = String) {
  return fill(node, values.map((value) => el("option", { value, selected: value === chosen }, words(value))));
}

export function input(test, label, more = {}) {
  const usual = { class: "h-input", type: "text", "aria-label": label, "data-test": test, autocomplete: "off" };
  return el("input", { ...usual, ...more });
}

export function check(test, words, onchange, more = {}) {
  const box = el("input", { type: "checkbox", "data-test": test, onchange: () => onchange?.(box.checked), ...more });
  return { node: el("label", { class: "h-check" }, box, words), box };
}

export function row(...children) {
  return el("div", { class: "h-row" }, children);
}

export function labelled(label, ...children) {
  const name = el("span", { class: "h-label" }, label);
  return el("div", { class: "h-row", role: "group", "aria-label": label }, name, children);
}

export function head(id, words, ...children) {
  return el("div", { class: "h-head" }, el("h2", { id }, words), children);
}

export function small(more = {}, ...children) {
  return el("span", { class: "h-small", ...more }, children);
}

export function choices(test, label, values, chosen, choose, words = String) {
  const one = (value) => button(test, words(value), () => choose(value), { class: "h-option", "data-value": value });
  const made = values.map(one);
  return {
    node: el("div", { class: "h-group", role: "group", "aria-label": label }, made),
    buttons: made,
    draw() {
      made.forEach((one, index) => one.setAttribute("aria-pressed", String(values[index] === chosen())));
    },
  };
}
