/* Insurance of another amount than half the wager, or for another Player.

   1. openInsurance(app, place, most) asks for the amount, with half the wager to begin with, and for a name where
      somebody other than the box's own Player insures; it says `insure PLACE AMOUNT [by NAME]`.
   2. What the table refuses stands above the keys, with its clause; nothing is closed until it has taken it. */

import { el, fill } from "../../dom.js";
import { placeName } from "../../draw/places.js";
import { openDialog } from "../../input/keys.js";
import { refusalWords } from "../../refusals.js";
import { keypad } from "../login/keypad.js";

/** @param {App} app @param {string} place @param {string} most */
export function openInsurance(app, place, most) {
  const { t } = app;
  const pad = keypad(t);
  /** @param {string} id @param {boolean} letters @param {Props} more */
  const field = (id, letters, more) => {
    /** @type {HTMLInputElement} */
    const made = el("input", { id: `insure-${id}`, class: "field", autocomplete: "off", "data-test": `insure-${id}`, onfocus: () => pad.use(made, letters), ...more });
    return made;
  };
  const amount = field("amount", false, { inputmode: "none", maxlength: 12, value: most });
  const name = field("name", true, { autocapitalize: "none", maxlength: 40, spellcheck: "false" });
  const refused = el("p", { class: "say-refused", role: "alert", "data-test": "insure-refused" });

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const player = name.value.trim();
    const answer = await app.say(["insure", place, amount.value.trim(), player && `by ${player}`].filter(Boolean).join(" "));
    if (answer.ended || answer.unreachable) return app.report(answer);
    if (!answer.ok) return fill(refused, t("shell.refused", { why: refusalWords(answer, app) || answer.error || "" }));
    close();
  }

  const form = el(
    "form",
    { class: "say-form", onsubmit: submit },
    el("label", { for: amount.id }, t("insure.amount", { most })),
    el(
      "div",
      { class: "say-line" },
      amount,
      el("button", { type: "submit", class: "command", "data-test": "insure-say" }, el("span", { class: "command-word" }, t("insure.say"))),
    ),
    el("label", { for: name.id }, t("insure.name")),
    name,
    refused,
    pad,
  );
  const close = openDialog(app, t("insure.title", { place: placeName(place, t) }), form, { focus: amount });
  amount.select();
}
