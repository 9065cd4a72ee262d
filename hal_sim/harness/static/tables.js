/* Another table, and the people of a table with roles. */

import { el } from "/static/dom.js";
import { openDialog } from "/static/keys.js";
import { button, check, input, options, row, select } from "./controls.js";

/** @type {Record<string, string>} */
const EXCLUDES = { positions: "positions-count", "positions-count": "positions" };
const USUAL_DECKS = 8;

/** @param {App} app @param {Desk} desk */
export function openNewTable(app, desk) {
  const { t } = app;
  const { about, state } = desk;
  if (!about || !state) return;
  const now = state.table;
  /** @param {string} id */
  const rulesOf = (id) => about.games.find((one) => one.id === id) || about.games[0];
  /** @param {[number, number]} ends */
  const range = ([least, most]) => Array.from({ length: most - least + 1 }, (_, n) => least + n);
  const game = select("table-game", t("harness.game"), { onchange: fit });
  const boxes = select("table-boxes", t("harness.boxes"));
  const decks = select("table-decks", t("harness.decks"));
  const shuffling = select("table-shuffling", t("harness.shuffling"));
  const seed = input("table-seed", t("harness.seed"), { type: "number", min: 0, value: now.seed + 1 });
  const roles = check("table-roles", t("harness.with-roles"), null, { checked: now.roles });
  const sensors = about.sensors.map((name) => {
    const one = check("table-sensor", t(`harness.sensor.${name}`), (on) => on && exclude(name), { value: name });
    one.box.checked = now.sensors.includes(name);
    return one;
  });

  /** @param {string} name */
  function exclude(name) {
    const other = sensors.find((one) => one.box.value === EXCLUDES[name]);
    if (other) other.box.checked = false;
  }

  function fit() {
    const rules = rulesOf(game.value);
    options(boxes, range(rules.boxes), Math.min(now.boxes, rules.boxes[1]));
    options(decks, range(rules.decks), Math.max(rules.decks[0], Math.min(USUAL_DECKS, rules.decks[1])));
  }

  /** @param {Event} event */
  async function make(event) {
    event.preventDefault();
    set.disabled = true;
    const answer = await desk.post("table", {
      game: game.value,
      boxes: Number(boxes.value),
      decks: Number(decks.value),
      shuffling: shuffling.value,
      seed: Number(seed.value) || 0,
      sensors: sensors.filter((one) => one.box.checked).map((one) => one.box.value),
      roles: roles.box.checked,
    });
    set.disabled = false;
    if (answer.ok) close();
  }

  options(game, about.games.map((one) => one.id), now.game, (id) => `${rulesOf(id).title} (${id})`);
  options(shuffling, about.shufflings, now.shuffling, (one) => t(`harness.shuffling.${one}`));
  fit();
  /** @param {string} words @param {Child} node */
  const field = (words, node) => el("label", { class: "h-field" }, el("span", null, t(words)), node);
  const set = button("table-set", t("harness.set-up"), null, { type: "submit", class: "h-button h-strong" });
  const form = el(
    "form",
    { class: "h-form", onsubmit: make },
    field("harness.game", game),
    row(field("harness.boxes", boxes), field("harness.decks", decks), field("harness.seed", seed)),
    field("harness.shuffling", shuffling),
    el("fieldset", { class: "h-sensors" }, el("legend", null, t("harness.sensors")), sensors.map((one) => one.node)),
    roles.node,
    row(el("span", { class: "h-fill" }), set),
  );
  const close = openDialog(app, t("harness.new-table"), form, { focus: game });
}

/** @param {App} app @param {Desk} desk */
export function openPeople(app, desk) {
  const { t } = app;
  const titles = ["harness.name", "harness.role", "harness.pin"].map((one) => el("th", { scope: "col" }, t(one)));
  const people = (desk.state?.people || []).map((one) => {
    const cells = [one.name, t(`role.${one.role}`), el("code", null, one.pin)];
    return el("tr", { "data-role": one.role }, cells.map((cell) => el("td", null, cell)));
  });
  const rows = [el("thead", null, el("tr", null, titles)), el("tbody", null, people)];
  const table = el("table", { class: "h-people", "data-test": "people-table" }, rows);
  openDialog(app, t("harness.people"), el("div", { class: "h-form" }, el("p", null, t("harness.people-why")), table));
}
