/* Cables, power, noise, the shuffler, the jackpot meter, and counts.

   1. A cable that is out keeps what its device sees until it is plugged in again; so much of it is shown.
   2. Cutting the power kills the daemon's process; its return is a new start of the computer. "Restart" is of the software
      alone.
   3. A count says what the device would say; a wrong one can be typed in its place. */

import { el, fill } from "/static/dom.js";
import { button, input, labelled, options, row, select, small } from "../controls.js";
import { icon } from "../icons.js";
import { openNewTable, openPeople } from "../tables.js";

const RATES = ["0", "0.0001", "0.001", "0.003"];

/** @param {PartTools} tools @returns {HarnessPart} */
export function devicesPart({ app, server }) {
  const { t } = app;
  /** @param {string} name @param {string} words @param {() => string} statement */
  const act = (name, words, statement) => button(name, t(words), () => server.act(statement()));
  /** @param {string} name @param {string} label @param {Record<string, unknown>} more */
  const number = (name, label, more) => input(name, label, { type: "number", class: "h-input h-number", ...more });
  const cables = el("div", { class: "h-cables" });
  const switched = () => server.post("power", { do: server.state?.power ? "off" : "on" });
  const power = button("power", null, switched, { role: "switch" });
  const restart = button("restart", [icon("again"), t("harness.restart")], () => server.post("power", { do: "restart" }));
  const noisy = select("noise-device", t("harness.noise-device"));
  const makeNoise = () => server.post("noise", { device: noisy.value, rate: rate.value });
  /** @type {HTMLSelectElement} */
  const rate = options(select("noise-rate", t("harness.noise-rate"), { onchange: makeNoise }), RATES, "0");
  const riffles = number("riffles", t("harness.riffles"), { value: "3", min: 1, max: 9 });
  const counted = number("counted", t("harness.counted"), { min: 0, max: 9999 });
  const box = select("meter-box", t("harness.meter-box"));
  const times = select("meter-times", t("harness.meter-times"));
  const show = act("jackpot", "harness.meter", () => `jackpot ${box.value}/1 ${times.value}`);
  const meter = labelled(t("device.meter"), box, times, show);
  const people = button("people-small", t("harness.people"), () => openPeople(app, server));
  const editor = el("a", { class: "h-button", href: "#/harness/editor", "data-test": "editor-small" }, t("editor.title"));
  const tables = row(button("new-table-small", t("harness.new-table"), () => openNewTable(app, server)), editor, people);
  tables.classList.add("h-only-small");
  let known = "";
  const node = el(
    "section",
    { "aria-labelledby": "h-devices" },
    el("h2", { id: "h-devices", class: "unseen" }, t("harness.part.devices")),
    row(cables, el("span", { class: "h-fill" }), power, restart, tables),
    row(
      labelled(
        t("device.shuffler"),
        act("shuffle", "harness.shuffle", () => "shuffle machine"),
        act("riffle", "harness.riffle", () => `shuffle riffle ${riffles.value}`),
        riffles,
        act("load", "harness.load", () => "load"),
      ),
      labelled(
        t("harness.counts"),
        counted,
        act("shoe-count", "harness.shoe-count", () => `shoe-count ${counted.value || server.state?.shoe.left}`),
        act("discard-count", "harness.discard-count", () => `discard-count ${counted.value || server.state?.shoe.out}`),
      ),
      labelled(t("harness.noise"), noisy, rate),
      meter,
    ),
  );

  /** @param {HarnessDevice} device */
  function cable(device) {
    const state = !device.plugged ? "out" : device.up ? "up" : "down";
    const words = device.kept > 0 ? t("harness.keeps", { count: device.kept }) : t(`harness.cable.${state}`);
    const props = {
      class: `h-cable h-cable-${state}`,
      role: "switch",
      "aria-checked": String(device.plugged),
      "aria-label": `${t(`device.${device.name}`)}: ${t(`harness.cable.${state}`)}`,
      "data-device": device.name,
      "data-state": state,
    };
    const inside = [icon(device.plugged ? "plug" : "unplug"), el("span", null, t(`harness.short.${device.name}`))];
    if (device.kept > 0 || state !== "up") inside.push(small({}, words));
    return button("cable", inside, () => server.post("cable", { device: device.name, plugged: !device.plugged }), props);
  }

  return {
    node,
    update({ devices, power: on, shoe, table }) {
      counted.placeholder = String(shoe.left);
      const shown = devices.map((one) => [one.name, one.plugged, one.up, one.kept]);
      const sign = JSON.stringify([shown, on, table.number, table.roles]);
      if (sign === known) return;
      known = sign;
      /** @type {HTMLElement | null} */
      const before = cables.querySelector(":focus");
      fill(cables, devices.map(cable));
      /** @type {HTMLElement | null} */
      const again = before && cables.querySelector(`[data-device="${before.dataset.device}"]`);
      again?.focus();
      fill(power, icon("power"), t(on ? "harness.cut-power" : "harness.power-on"));
      power.setAttribute("aria-checked", String(on));
      power.classList.toggle("h-due", !on);
      restart.disabled = !on;
      people.hidden = !table.roles;
      meter.hidden = !table.multipliers.length;
      const names = devices.map((one) => one.name);
      if (!noisy.childElementCount) options(noisy, names, "shoe", (name) => t(`harness.short.${name}`));
      const boxes = Array.from({ length: table.boxes }, (_, n) => n + 1);
      options(box, boxes, Number(box.value) || 1, (n) => t("place.box", { box: n }));
      options(times, table.multipliers, Number(times.value) || table.multipliers[0], (n) => `${n}×`);
    },
  };
}
