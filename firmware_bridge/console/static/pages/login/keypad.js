/* Keys on the screen, for a table that has no keyboard.

   1. keypad(t) has numbers for the PIN and letters for the name; it types into the field that was used last. With
      `signs` it has those of deal notation too.
   2. Its keys take no focus from the field when they are pressed, so that a real keyboard goes on working. */

import { el, fill } from "../../dom.js";

const NUMBERS = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["clear", "0", "back"]];
const LETTERS = ["1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm.@"];
const SIGNS = ["/", "="];

/** @param {Translate} t @param {boolean} [signs] @returns {Keypad} */
export function keypad(t, signs = false) {
  const root = el("div", { class: "keypad" });
  /** @type {HTMLInputElement | null} */
  let field = null;
  let capital = false;
  let letters = false;

  /** @param {string} text */
  function type(text) {
    if (!field) return;
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    field.setRangeText(text, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function back() {
    if (!field) return;
    const at = field.selectionStart ?? field.value.length;
    const to = field.selectionEnd ?? at;
    field.setRangeText("", at === to ? Math.max(0, at - 1) : at, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function clear() {
    if (!field) return;
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {string} sign @param {string | null} label @param {() => unknown} run @param {string} [more] */
  function key(sign, label, run, more = "") {
    return el(
      "button",
      {
        type: "button",
        class: `key ${more}`,
        "aria-label": label,
        onpointerdown: (event) => event.preventDefault(),
        onclick: run,
      },
      sign,
    );
  }

  /** @param {string} name */
  function special(name) {
    if (name === "back") return key("⌫", t("login.backspace"), back, "key-soft");
    if (name === "clear") return key("✕", t("login.clear"), clear, "key-soft");
    return key(name, null, () => type(name));
  }

  function draw() {
    root.className = `keypad ${letters ? "keypad-letters" : "keypad-numbers"}`;
    if (!letters) {
      fill(root, NUMBERS.map((row) => row.map(special)));
      return;
    }
    const rows = LETTERS.map((row) =>
      [...row].map((letter) => {
        const shown = capital ? letter.toUpperCase() : letter;
        return key(shown, null, () => type(shown));
      }),
    );
    const shift = key("⇧", t("login.shift"), () => {
      capital = !capital;
      draw();
    }, "key-soft");
    shift.setAttribute("aria-pressed", String(capital));
    rows[3].push(key("⌫", t("login.backspace"), back, "key-soft"));
    fill(
      root,
      rows.slice(0, 3),
      rows[3],
      shift,
      signs && SIGNS.map((sign) => key(sign, null, () => type(sign))),
      key("␣", t("help.space"), () => type(" "), signs ? "key-space key-space-short" : "key-space"),
      key("✕", t("login.clear"), clear, "key-soft"),
    );
  }

  /** @param {HTMLInputElement} wanted @param {boolean} withLetters */
  const use = (wanted, withLetters) => {
    field = wanted;
    letters = withLetters;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", letters ? t("login.letters") : t("login.pad"));
    draw();
  };
  return Object.assign(root, { use });
}
