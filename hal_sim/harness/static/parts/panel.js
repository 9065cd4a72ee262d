/* The Dealer's panel: lamps, display, alarm, buttons, key switch, as the simulated device has them.

   1. What a button means the daemon says, from how the round stands. A press may also say a place, an option and an
      amount; what was said goes with one press and is forgotten.
   2. The lamps are told apart by their sign, not by colour alone: ○ off, ● steady, ◉ blinking. */

import { el, fill } from "/static/dom.js";
import { button, head, input, options, select, small } from "../controls.js";
import { icon } from "../icons.js";

const LAMPS = ["○", "●", "◉"];
const OFFERS = ["insurance", "surrender"];
/** @type {Record<string, string>} */
const KEYS = {
  bets: "b",
  offer: "o",
  close: "c",
  interim: "i",
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  "free-double": "f",
  "free-split": "g",
  surrender: "u",
  insure: "v",
  collect: "t",
  pay: "y",
  settle: "e",
  done: "w",
  call: "!",
};

/** @param {PartTools} tools @returns {HarnessPart} */
export function panelPart({ app, server }) {
  const { t } = app;
  const lines = [el("div", { class: "h-line" }), el("div", { class: "h-line" })];
  const lamps = el("div", { class: "h-lamps", "data-test": "lamps" });
  const alarm = el("span", { class: "h-alarm", "data-test": "panel-alarm" });
  const turn = () => server.post("key", { on: !server.state?.panel.key });
  const key = button("key", [icon("key"), t("harness.key")], turn, { class: "h-button h-key", role: "switch" });
  const place = select("press-place", t("harness.press-place"));
  const option = select("press-option", t("harness.press-option"));
  const shape = { inputmode: "decimal", placeholder: t("harness.amount"), maxlength: 10 };
  const amount = input("press-amount", t("harness.press-amount"), shape);
  const buttons = el("div", { class: "h-buttons", role: "group", "aria-label": t("harness.buttons") });
  let known = "";
  const node = el(
    "section",
    { "aria-labelledby": "h-panel" },
    head("h-panel", t("harness.part.panel"), lamps, alarm, key),
    el("div", { class: "h-display", role: "status", "aria-label": t("harness.display"), "data-test": "display" }, lines),
    buttons,
    el("div", { class: "h-row h-press" }, small({}, t("harness.press-more")), place, option, amount),
  );
  options(option, [0, 1, 2], 0, (n) => (n ? t("harness.option", { n }) : t("harness.option-auto")));

  /** @param {string} name */
  async function press(name) {
    /** @type {Record<string, unknown>} */
    const body = { button: name };
    if (place.value) body.place = place.value;
    if (Number(option.value)) body.option = Number(option.value);
    if (amount.value.trim()) body.amount = amount.value.trim();
    await server.post("press", body);
    [place.value, option.value, amount.value] = ["", "0", ""];
  }

  /** @param {string} name */
  function pressed(name) {
    const speaks = name === "offer" || name === "close";
    return button("press", t(`button.${name}`), () => press(name), {
      class: `h-press-button h-press-${name}`,
      "data-button": name,
      "aria-keyshortcuts": KEYS[name]?.toUpperCase(),
      title: speaks ? OFFERS.map((one, index) => `${index + 1} ${t(`offer.${one}`)}`).join(", ") : null,
    });
  }

  /** @param {number} state @param {number} index */
  function lamp(state, index) {
    const label = t("harness.lamp", { box: index + 1, state: t(`harness.lamp.${state}`) });
    const props = { class: `h-lamp h-lamp-${state}`, role: "img", "aria-label": label, "data-lamp": state };
    return el("span", props, index + 1, el("i", null, LAMPS[state] || LAMPS[0]));
  }

  /** @param {Scene | null} scene */
  function placesOf(scene) {
    /** @param {ShownBox} box */
    const hands = (box) => (box.hands?.length > 1 ? box.hands.map((one) => one.place) : [String(box.number)]);
    return (scene?.boxes || []).flatMap(hands);
  }

  return {
    node,
    update({ panel }, scene) {
      if (server.about && !buttons.childElementCount) fill(buttons, server.about.buttons.map(pressed));
      const places = placesOf(scene);
      const sign = JSON.stringify([panel, places]);
      if (sign === known) return;
      known = sign;
      [panel.upper, panel.lower].forEach((text, index) => {
        lines[index].textContent = text || "\u00a0";
      });
      fill(lamps, panel.lamps.map(lamp));
      fill(alarm, panel.alarm && [icon("bell"), t("harness.alarm")]);
      alarm.dataset.on = String(panel.alarm);
      key.setAttribute("aria-checked", String(panel.key));
      const before = place.value;
      options(place, ["", ...places], places.includes(before) ? before : "", (one) => one || t("harness.place-auto"));
    },
    keys() {
      /** @param {string} name */
      const words = (name) => `${t("harness.part.panel")}: ${t(`button.${name}`)}`;
      const keyed = (server.about?.buttons || []).filter((name) => KEYS[name]);
      return keyed.map((name) => ({ key: KEYS[name], words: words(name), run: () => press(name) }));
    },
  };
}
