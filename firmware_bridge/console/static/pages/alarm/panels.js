/* What the Alarm shows in the place of the table while somebody enters something: a card, several cards, a reason.

   1. cardPicker(t, { several, confirm, onpick, oncancel }) lets a person name one card, or several, by rank and
      suit.
   2. choosing(t, options, onpick, oncancel) lets a Player take several of the disclosed cards, in the order of
      pressing.
   3. reasonPanel(app, onreason, oncancel) takes a reason of up to 200 characters, with keys on the screen.
   4. listPanel(t, buttons, oncancel) shows more statements than the bar has room for. */

import { el, fill } from "../../dom.js";
import { cardShort } from "../../draw/cards.js";
import { onLongPress } from "../../input/long_press.js";
import { mini } from "./parts.js";
import { keypad } from "../login/keypad.js";

const RANKS = [..."A23456789TJQK"];
const SUITS = [..."SHDC"];

/** @param {Translate} t @param {() => unknown} oncancel */
function back(t, oncancel) {
  return el(
    "button",
    { type: "button", class: "command panel-back", "data-test": "panel-back", onclick: oncancel },
    el("span", { class: "command-word" }, `‹ ${t("alarm.cancel")}`),
  );
}

/**
 * @param {Translate} t
 * @param {() => unknown} oncancel
 * @param {string} words
 * @param {boolean} ready
 * @param {() => unknown} onclick
 */
function foot(t, oncancel, words, ready, onclick) {
  return el(
    "div",
    { class: "panel-foot" },
    back(t, oncancel),
    el(
      "button",
      { type: "button", class: "command command-strong", "data-test": "pick", disabled: !ready, onclick },
      el("span", { class: "command-word" }, words),
    ),
  );
}

/** @param {Translate} t @param {PickerOptions} options */
export function cardPicker(t, { several, confirm, onpick, oncancel }) {
  let [rank, suit] = ["", ""];
  /** @type {string[]} */
  const picked = [];
  const root = el("div", { class: "panel picker", role: "group", "aria-label": t("alarm.which-card") });

  /** @param {string} kind @param {string} value */
  function choose(kind, value) {
    if (kind === "rank") rank = rank === value ? "" : value;
    else suit = suit === value ? "" : value;
    if (several && rank && suit) {
      picked.push(rank + suit);
      [rank, suit] = ["", ""];
    }
    draw(value);
  }

  /** @param {string} kind @param {string} value @param {string} shown @param {string} label */
  function key(kind, value, shown, label) {
    return el(
      "button",
      {
        type: "button",
        class: `key ${"HD".includes(value) && kind === "suit" ? "key-red" : ""}`,
        "data-test": kind,
        "data-value": value,
        "aria-label": label,
        "aria-pressed": String(value === rank || value === suit),
        onclick: () => choose(kind, value),
      },
      shown,
    );
  }

  /** @param {string} [focus] */
  function draw(focus) {
    const cards = several ? picked : rank && suit ? [rank + suit] : [];
    const words = cards.map(cardShort).join(" ") || "…";
    fill(
      root,
      el("p", { class: "panel-title" }, t("alarm.rank")),
      el(
        "div",
        { class: "picker-ranks" },
        RANKS.map((one) => key("rank", one, one === "T" ? "10" : one, t(`rank.${one}`))),
      ),
      el("p", { class: "panel-title" }, t("alarm.suit")),
      el(
        "div",
        { class: "picker-suits" },
        SUITS.map((one) => key("suit", one, cardShort(`A${one}`).slice(1), t(`suit.${one}`))),
      ),
      el("div", { class: "picker-shown" }, cards.map((code) => mini(code, t))),
      foot(t, oncancel, confirm(words, cards), cards.length > 0 || Boolean(several), () => onpick(cards)),
    );
    /** @type {HTMLElement | null} */
    const again = focus ? root.querySelector(`[data-value="${focus}"]`) : null;
    again?.focus();
  }

  draw();
  return root;
}

/**
 * @param {Translate} t
 * @param {string[]} options
 * @param {(cards: string[]) => unknown} onpick
 * @param {() => unknown} oncancel
 */
export function choosing(t, options, onpick, oncancel) {
  /** @type {number[]} */
  const picked = [];
  const root = el("div", { class: "panel", role: "group", "aria-label": t("alarm.several") });

  /** @param {number} [focus] */
  function draw(focus) {
    fill(
      root,
      el(
        "div",
        { class: "picker-ranks" },
        options.map((option, index) =>
          el(
            "button",
            {
              type: "button",
              class: "key key-card",
              "aria-pressed": String(picked.includes(index)),
              onclick: () => {
                if (picked.includes(index)) picked.splice(picked.indexOf(index), 1);
                else picked.push(index);
                draw(index);
              },
            },
            mini(option, t),
          ),
        ),
      ),
      foot(
        t,
        oncancel,
        t("alarm.take", { cards: picked.map((index) => cardShort(options[index])).join(" ") }),
        picked.length > 0,
        () => onpick(picked.map((index) => options[index])),
      ),
    );
    /** @type {NodeListOf<HTMLElement>} */
    const all = root.querySelectorAll(".key");
    if (focus !== undefined) all[focus]?.focus();
  }

  draw();
  return root;
}

/**
 * @param {App} app
 * @param {(reason: string) => unknown} onreason
 * @param {() => unknown} oncancel
 * @returns {Panel}
 */
export function reasonPanel(app, onreason, oncancel) {
  const { t } = app;
  /** @type {HTMLInputElement} */
  const field = el(
    "input",
    {
      id: "own-reason",
      class: "field",
      maxlength: 200,
      "data-test": "own-reason",
      oninput: () => (enter.disabled = !field.value.trim()),
    },
  );
  const enter = onLongPress(
    el(
      "button",
      { type: "button", class: "command command-strong", "data-test": "clear-own", disabled: true },
      el("span", { class: "command-word" }, t("alarm.clear-now")),
      el("span", { class: "command-place" }, t("hold.mark")),
    ),
    app,
    () => field.value.trim() && onreason(field.value.trim()),
  );
  const pad = keypad(t);
  pad.use(field, true);
  const root = el(
    "form",
    { class: "panel", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    el("label", { for: "own-reason" }, t("alarm.clear-why")),
    el("div", { class: "reason-line" }, field, enter, back(t, oncancel)),
    pad,
  );
  return Object.assign(root, { start: () => field.focus() });
}

/** @param {Translate} t @param {string} title @param {Child} buttons @param {() => unknown} oncancel */
export function listPanel(t, title, buttons, oncancel) {
  return el(
    "div",
    { class: "panel", role: "group", "aria-label": title },
    el("p", { class: "panel-title" }, title),
    el("div", { class: "panel-list", tabindex: "0", role: "region", "aria-label": title }, buttons),
    el("div", { class: "panel-foot" }, back(t, oncancel)),
  );
}
