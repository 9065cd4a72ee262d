/* One table of the pit: its own picture as it was heard last, its alarms, and its last rounds.

   The picture is fetched when the table's tile says that it has changed. Cards that do not lie open are masked there. */

import { el, fill } from "/static/dom.js";
import { tableView } from "/static/draw/layout.js";
import { problem } from "/static/pages/table/figures.js";
import { alarmLine, facts, troubles } from "../tile.js";
import { lastRounds } from "./rounds.js";

const STYLES = ["/static/style/table/picture.css", "/static/style/table/marks.css"];

/** @param {HTMLElement} root @param {PitApp} app @param {string} name @returns {PitPage} */
export function mountTable(root, app, name) {
  const { t } = app;
  const view = tableView({ t });
  const felt = el("div", { class: "one-felt", "data-test": "picture" }, view);
  const said = el("div", { class: "one-said" });
  const heading = el("h1", { class: "one-title" });
  const rounds = el("section", { class: "one-rounds", "aria-label": t("one.rounds") });
  let pictures = -1;
  let turn = 0;
  for (const address of STYLES) app.style(address);

  function describe() {
    const tile = app.tiles.get(name);
    fill(heading, tile?.called || name, tile?.game && el("span", { class: "soft" }, ` ${t(`game.${tile.game}`)}`));
    if (!tile) return fill(said, el("p", { role: "alert" }, t("one.unknown")));
    return fill(
      said,
      tile.state && el("p", { class: "one-state" }, el("strong", { "data-test": "one-state", "data-state": tile.state }, t(`state.${tile.state}`)), tile.round ? ` · ${t("one.round", { number: tile.round })}` : ""),
      tile.alarms.length > 0 && el("ul", { class: "tile-alarms" }, tile.alarms.map((alarm) => alarmLine(app, tile, alarm))),
      facts(app, tile),
      troubles(app, tile),
    );
  }

  async function load() {
    const tile = app.tiles.get(name);
    if (!tile || tile.pictures === pictures) return;
    pictures = tile.pictures;
    const mine = (turn += 1);
    try {
      /** @type {TablePicture} */
      const told = await app.get(`/api/tables/${name}`);
      if (mine !== turn) return;
      felt.hidden = told.picture === null;
      view.update(told.picture);
    } catch (error) {
      if (mine === turn) fill(said, problem(app, error, load));
    }
  }

  root.append(
    el("div", { class: "one", "data-test": "one-table" }, el("p", null, el("a", { href: "#/pit", class: "plain-button" }, `← ${t("nav.pit")}`)), heading, el("div", { class: "one-parts" }, felt, said), rounds),
  );
  describe();
  load();
  lastRounds(rounds, app, name);
  return {
    tiles(changed, gone) {
      if (!gone.includes(name) && !changed.some((tile) => tile.name === name)) return;
      describe();
      load();
    },
    close() {
      turn += 1;
      view.close();
    },
  };
}
