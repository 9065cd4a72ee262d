/* What a person tells the table by hand: an irregularity that no sensor saw, a sensor that is wrong, or any statement.

   1. openReport(app) asks which irregularity, then where, with a way back; it says `call CODE [PLACE]`. The table
      refuses what cannot have occurred, with the reason.
   2. openSensorWrong(app) asks which place the hub misreads; it says `sensor-wrong PLACE`.
   3. openSay(app) takes a statement as it is written, for what has no button: bets and seats where nothing senses
      them, the shoe's loads and counts. A refusal stands above the keys, without the list of what could be said. */

import { el, fill } from "../../dom.js";
import { placeName } from "../../draw/places.js";
import { openDialog } from "../../input/keys.js";
import { refusalWords } from "../../refusals.js";
import { speak } from "./commands.js";
import { keypad } from "../login/keypad.js";

const CODES = [
  "misdealt-card",
  "double-draw",
  "dealer-not-dealt",
  "box-not-dealt",
  "box-short",
  "unwagered-box-dealt",
  "card-in-error",
  "dealer-overdraw",
  "hand-skipped",
  "missing-burn",
  "face-up-card",
  "unreadable-card",
  "cut-card-passed",
  "insurance-not-offered",
  "late-wager",
  "wager-withdrawn",
  "under-minimum",
  "over-maximum",
  "side-wager-without-main",
  "unsettled-side-wager",
  "absent-player",
  "foreign-card",
  "extra-card",
  "missing-card",
  "unshuffled-cards",
  "insufficient-cards",
  "power-failure",
  "link-lost",
  "uncovered",
];

/** @param {App} app */
export function openReport(app) {
  const { t } = app;
  const body = el("div", { class: "report-codes" });
  /** @param {string} words @param {() => unknown} run @param {string} test @param {string} value */
  const choice = (words, run, test, value) =>
    el(
      "button",
      { type: "button", class: "command", "data-test": test, "data-value": value, onclick: run },
      el("span", { class: "command-word" }, words),
    );

  /** @param {string} code */
  function where(code) {
    const boxes = (app.scene?.boxes || []).flatMap((box) => {
      const hands = box.hands || [];
      return hands.length > 1 ? hands.map((hand) => hand.place) : [String(box.number)];
    });
    /** @param {string} place */
    const report = (place) => async () => {
      close();
      await speak(app, ["call", code, place].filter(Boolean).join(" "));
    };
    fill(
      body,
      el("p", { class: "report-what" }, t(`what.${code}`)),
      choice(t("report.back"), which, "report-back", ""),
      choice(t("report.nowhere"), report(""), "report-place", ""),
      [...boxes, "dealer"].map((place) => choice(placeName(place, t), report(place), "report-place", place)),
    );
    body.querySelector("button")?.focus();
  }

  function which() {
    fill(body, CODES.map((code) => choice(t(`code.${code}`), () => where(code), "report-code", code)));
    body.querySelector("button")?.focus();
  }

  which();
  const close = openDialog(app, t("report.title"), body, { focus: body.querySelector("button") });
}

/** @param {App} app */
export function openSensorWrong(app) {
  const { t } = app;
  const places = [...(app.scene?.boxes || []).map((box) => String(box.number)), "dealer", "burn", "discard"];
  const body = el(
    "div",
    { class: "report-codes" },
    places.map((place) => {
      const report = async () => {
        close();
        await speak(app, `sensor-wrong ${place}`);
      };
      return el(
        "button",
        { type: "button", class: "command", "data-test": "sensor-place", "data-value": place, onclick: report },
        el("span", { class: "command-word" }, placeName(place, t)),
      );
    }),
  );
  const close = openDialog(app, t("sensor.title"), body, { focus: body.querySelector("button") });
}

/* Without the list of all words that there are: nobody reads it at a table. */
/** @param {Answer} answer @param {App} app */
function whyNot(answer, app) {
  const why = answer.refused ? refusalWords(answer, app) : answer.error || "";
  return app.t("shell.refused", { why: why.replace(/[:;,]?\s*expected one of .*$/s, "") });
}

/** @param {App} app */
export function openSay(app) {
  const { t } = app;
  const field = el(
    "input",
    {
      id: "say-field",
      class: "field",
      maxlength: 300,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      "data-test": "say-field",
    },
  );
  const pad = keypad(t, true);
  pad.use(field, true);
  const refused = el("p", { class: "say-refused", role: "alert", "data-test": "say-refused" });
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    const words = field.value.trim();
    if (!words) return;
    const answer = await app.say(words);
    if (answer.ended || answer.unreachable) return app.report(answer);
    if (!answer.ok) return fill(refused, whyNot(answer, app));
    app.toast(t("table.said"));
    close();
  };
  const form = el(
    "form",
    { class: "say-form", onsubmit: submit },
    el("label", { for: "say-field" }, t("table.say-label")),
    el(
      "div",
      { class: "say-line" },
      field,
      el(
        "button",
        { type: "submit", class: "command", "data-test": "say-send" },
        el("span", { class: "command-word" }, t("table.say-send")),
      ),
    ),
    refused,
    pad,
  );
  const close = openDialog(app, t("table.say"), form, { focus: field });
}
