/* The pit: every table as a tile, the loudest first. #/pit/NAME is one table (table.js).

   1. A tile is drawn anew when it has changed; the order changes only where a tile has become louder or calmer.
   2. The search looks at name, game, Dealer and alarms; what is searched for stands in the address. "Alarms alone"
      leaves the other tiles out.
   3. An alarm that comes is said aloud for those who hear the page. */

import { el, fill } from "/static/dom.js";
import { codeWords, drawTile, louder } from "../tile.js";

/** @param {Tile} tile @param {PitApp} app @param {string} words */
function fits(tile, app, words) {
  const game = tile.game ? app.t(`game.${tile.game}`) : "";
  const said = [tile.name, tile.called, game, tile.dealer, ...tile.alarms.map((one) => codeWords(one.code, app))];
  return words.toLowerCase().split(/\s+/).every((word) => said.some((text) => text.toLowerCase().includes(word)));
}

/** @param {HTMLElement} root @param {PitApp} app @param {string[]} [rest] @param {Record<string, string>} [query] @returns {PitPage} */
export function mount(root, app, rest = [], query = {}) {
  return rest[0] ? mountOne(root, app, rest[0]) : mountPit(root, app, query);
}

/* The page of one table brings all that draws a picture: it is loaded when somebody wants it. */
/** @param {HTMLElement} root @param {PitApp} app @param {string} name @returns {PitPage} */
function mountOne(root, app, name) {
  /** @type {PitPage | null} */
  let page = null;
  let closed = false;
  import("./table.js").then(({ mountTable }) => {
    if (!closed) page = mountTable(root, app, name);
  });
  return {
    tiles: (changed, gone) => page?.tiles?.(changed, gone),
    close() {
      closed = true;
      page?.close?.();
    },
  };
}

/** @param {HTMLElement} root @param {PitApp} app @param {Record<string, string>} query @returns {PitPage} */
function mountPit(root, app, query) {
  const { t } = app;
  const list = el("ul", { class: "tiles", "aria-label": t("nav.pit") });
  const status = el("p", { class: "pit-status", role: "status" });
  /** @type {Map<string, HTMLElement>} */
  const drawn = new Map();
  /** @type {Map<string, string>} */
  const known = new Map();
  let asked = query.words || "";
  let alone = query.alarms === "1";

  function keepAddress() {
    const said = new URLSearchParams({ ...(asked && { words: asked }), ...(alone && { alarms: "1" }) }).toString();
    history.replaceState(null, "", said ? `#/pit?${said}` : "#/pit");
  }
  const field = el("input", { class: "find-control", type: "search", id: "pit-words", value: asked, maxlength: 60, autocomplete: "off", placeholder: t("pit.search"), "data-test": "pit-search", oninput: () => {
    asked = field.value.trim();
    keepAddress();
    arrange();
  } });
  const only = el("button", { type: "button", class: "plain-button", "data-test": "alarms-alone", "aria-pressed": String(alone), onclick: () => {
    alone = !alone;
    only.setAttribute("aria-pressed", String(alone));
    keepAddress();
    arrange();
  } }, t("pit.alarms-alone"));

  /** @param {Tile} tile */
  const shown = (tile) => (!alone || tile.alarms.length > 0) && fits(tile, app, asked);

  function arrange() {
    const tiles = [...app.tiles.values()].sort(louder);
    const wanted = tiles.filter(shown).map((tile) => /** @type {HTMLElement} */ (drawn.get(tile.name)));
    const focused = document.activeElement;
    wanted.forEach((node, index) => list.children[index] !== node && list.insertBefore(node, list.children[index] || null));
    while (list.children.length > wanted.length) list.lastElementChild?.remove();
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) focused.focus();
    const alarms = tiles.reduce((sum, tile) => sum + tile.alarms.length + tile.more, 0);
    fill(status, t("pit.count", { tables: tiles.length, alarms }));
  }

  /** @param {Tile[]} tiles */
  function update(tiles) {
    for (const tile of tiles) {
      const node = drawTile(app, tile);
      const before = drawn.get(tile.name);
      const button = before?.contains(document.activeElement) ? document.activeElement?.getAttribute("data-test") : null;
      before?.replaceWith(node);
      drawn.set(tile.name, node);
      if (button || before?.contains(document.activeElement)) /** @type {HTMLElement | null} */ (node.querySelector(button ? `[data-test="${button}"]` : "a"))?.focus();
      announce(tile);
    }
    arrange();
  }

  /** @param {Tile} tile */
  function announce(tile) {
    const keys = tile.alarms.map((one) => `${one.journal} ${one.n} ${one.code}`).join("|");
    const before = known.get(tile.name);
    known.set(tile.name, keys);
    const fresh = tile.alarms.filter((one) => before !== undefined && !before.split("|").includes(`${one.journal} ${one.n} ${one.code}`));
    for (const one of fresh) app.announce(t("pit.alarm-at", { table: tile.called || tile.name, code: codeWords(one.code, app) }));
  }

  root.append(
    el("h1", { class: "unseen" }, t("nav.pit")),
    el("div", { class: "pit-bar", role: "search" }, el("label", { for: "pit-words", class: "unseen" }, t("pit.search")), field, only, status),
    list,
  );
  update([...app.tiles.values()]);
  return {
    tiles(changed, gone) {
      for (const name of gone) drawn.delete(name);
      update(changed);
    },
  };
}
