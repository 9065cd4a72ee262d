/* Another table, and the people of a table with roles.

   1. What has happened at a table and stands in no file is not thrown away unasked: askToReplace(app, server, then) asks
      first, with the way to save it. The form of a new table says so itself. */

import { el } from "/static/dom.js";
import { closeDialog, openDialog } from "/static/input/keys.js";
import { button, check, countWords, input, options, row, select } from "./controls.js";
import { icon } from "./icons.js";

/** @type {Record<string, string>} */
const EXCLUDES = { positions: "positions-count", "positions-count": "positions" };
const USUAL_DECKS = 8;

/** @param {App} app */
function saveLink(app) {
  const file = { class: "h-button", href: "/api/harness/recording", download: "", "data-test": "save-first" };
  return el("a", file, icon("save"), app.t("harness.save"));
}

/** @param {App} app @param {HarnessServer} server @param {() => unknown} then */
export function askToReplace(app, server, then) {
  const { t } = app;
  if (!server.state?.own) return then();
  const does = () => {
    close();
    then();
  };
  const replace = button("replace", t("harness.replace"), does, { class: "h-button h-strong" });
  const keep = button("keep-table", t("harness.keep"), () => close());
  const why = el("p", null, countWords(t, server.state.recording.count, "harness.replace-why-one", "harness.replace-why"));
  const form = el("div", { class: "h-form" }, why, row(saveLink(app), el("span", { class: "h-fill" }), keep, replace));
  const close = openDialog(app, t("harness.replace-ask"), form, { focus: keep });
  return close;
}

/** @param {App} app @param {HarnessServer} server */
export function openNewTable(app, server) {
  const { t } = app;
  const { about, state } = server;
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
    const answer = await server.post("table", {
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

  options(game, about.games.map((one) => one.id), now.game, (id) => `${t(`game.${id}`)} (${id})`);
  options(shuffling, about.shufflings, now.shuffling, (one) => t(`harness.shuffling.${one}`));
  fit();
  /** @param {string} words @param {Child} node */
  const field = (words, node) => el("label", { class: "h-field" }, el("span", null, t(words)), node);
  const words = t(state.own ? "harness.replace" : "harness.set-up");
  const set = button("table-set", words, null, { type: "submit", class: "h-button h-strong" });
  const lost = state.own && el("p", { "data-test": "table-lost" }, countWords(t, state.recording.count, "harness.replace-why-one", "harness.replace-why"));
  const form = el(
    "form",
    { class: "h-form", onsubmit: make },
    field("harness.game", game),
    row(field("harness.boxes", boxes), field("harness.decks", decks), field("harness.seed", seed)),
    field("harness.shuffling", shuffling),
    el("fieldset", { class: "h-sensors" }, el("legend", null, t("harness.sensors")), sensors.map((one) => one.node)),
    roles.node,
    lost,
    row(state.own && saveLink(app), el("span", { class: "h-fill" }), set),
  );
  const close = openDialog(app, t("harness.new-table"), form, { focus: game });
}

/* The simulated badge reader: it types, as a keyboard wedge does. */
/** @param {App} app @param {string} number */
function typeBadge(app, number) {
  closeDialog();
  for (const key of [app.session.badge, ...number, "Enter"]) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}

/** @param {App} app @param {HarnessServer} server */
export function openPeople(app, server) {
  const { t } = app;
  const titles = ["harness.name", "harness.role", "harness.pin", "harness.badge-title"].map((one) => el("th", { scope: "col" }, t(one)));
  const people = (server.state?.people || []).map((one) => {
    const reader = el("button", { type: "button", class: "h-button", "data-test": "badge", onclick: () => typeBadge(app, one.name) }, t("harness.badge"));
    const cells = [one.name, t(`role.${one.role}`), el("code", null, one.pin), reader];
    return el("tr", { "data-role": one.role }, cells.map((cell) => el("td", null, cell)));
  });
  const rows = [el("thead", null, el("tr", null, titles)), el("tbody", null, people)];
  const table = el("table", { class: "h-people", "data-test": "people-table" }, rows);
  openDialog(app, t("harness.people"), el("div", { class: "h-form" }, el("p", null, t("harness.people-why")), table));
}
