/* One table as a tile: what it says, how loud it is, and where it stands among the others.

   1. drawTile(app, tile) is the element. Its name is the link to the table's own picture; the whole tile leads there.
   2. A tile speaks by its edge, a sign and a word, never by colour alone.
   3. louder(one, other) orders tiles: the loudest first, of two with alarms the one that waits longer, then by name.
   4. isLoud(alarm) tells whether nobody has taken up an alarm in time: the page sounds, whoever else was told. */

import { el } from "/static/dom.js";
import { age, centreNow } from "./ages.js";

const LOOKS = ["alarm", "taken", "wrong", "gone", "grey", "unheard", "calm"];
/** @type {Record<string, string>} */
const SIGNS = { alarm: "⚠", taken: "✋", wrong: "✕", gone: "✕", grey: "…", unheard: "…", calm: "" };
const ALONE_MS = 60000;
const LISTED = 3;

/** @param {TileAlarm} alarm */
export function isLoud(alarm) {
  if (alarm.stage.startsWith("escalated")) return true;
  return alarm.stage === "raised" && centreNow() - alarm.since_ms >= ALONE_MS;
}

/** @param {Tile} tile */
function oldest(tile) {
  const open = tile.alarms.filter((alarm) => !alarm.taken);
  return Math.min(...(open.length ? open : tile.alarms).map((alarm) => alarm.since_ms), Infinity);
}

/** @param {Tile} one @param {Tile} other */
export function louder(one, other) {
  const loud = LOOKS.indexOf(one.look) - LOOKS.indexOf(other.look);
  if (loud) return loud;
  const [first, second] = [oldest(one), oldest(other)];
  if (first !== second) return first - second;
  return one.name.localeCompare(other.name, "en", { numeric: true });
}

/** @param {string} code @param {PitApp} app */
export function codeWords(code, app) {
  return app.has(`code.${code}`) ? app.t(`code.${code}`) : code;
}

/** @param {PitApp} app @param {Tile} tile @param {TileAlarm} alarm */
export function alarmLine(app, tile, alarm) {
  const { t } = app;
  const press = () => app.takeUp(tile, alarm);
  return el(
    "li",
    { class: `tile-alarm${alarm.taken ? " is-taken" : ""}`, "data-test": "tile-alarm", "data-code": alarm.code, "data-stage": alarm.stage },
    el("span", { class: "tile-code" }, codeWords(alarm.code, app), alarm.times > 1 && ` ×${alarm.times}`),
    " ",
    age(alarm.since_ms, t),
    alarm.taken
      ? el("span", { class: "tile-by" }, t("pit.taken-by", { name: alarm.taken.by }))
      : el("button", { type: "button", class: "plain-button tile-take", "data-test": "take-up", "aria-label": t("pit.take-up-named", { code: codeWords(alarm.code, app), table: tile.called || tile.name }), onclick: press }, t("pit.take-up")),
    alarm.detail && el("span", { class: "tile-detail" }, alarm.detail),
  );
}

/** @param {Tile} tile @param {Translate} t */
function limits(tile, t) {
  const main = tile.limits.find((one) => one.kind === "main") || tile.limits[0];
  return main ? t("pit.limit", { least: whole(main.least), most: whole(main.most) }) : "–";
}

/** @param {string} amount */
function whole(amount) {
  return amount.replace(/\.00$/, "");
}

/** @param {PitApp} app @param {Tile} tile */
export function facts(app, tile) {
  const { t } = app;
  /** @type {[string, Child][]} */
  const found = [
    ["dealer", tile.dealer || "–"],
    ["limits", limits(tile, t)],
    ["boxes", tile.boxes.length ? tile.boxes.join(" ") : "–"],
    ["rounds", String(tile.rounds)],
    ["card", tile.card_ms === null ? "–" : age(tile.card_ms, t)],
  ];
  return el("dl", { class: "tile-facts" }, found.map(([name, value]) => el("div", { class: `tile-fact tile-${name}` }, el("dt", null, t(`pit.${name}`)), el("dd", null, value))));
}

/** @param {PitApp} app @param {Tile} tile */
export function troubles(app, tile) {
  const { t } = app;
  const silent = ["grey", "gone"].includes(tile.look) && tile.heard_ms !== null;
  const said = [
    tile.look === "unheard" && t("pit.unheard"),
    silent && [t("pit.silent"), " ", age(tile.heard_ms || 0, t)],
    !tile.daemon && t("pit.no-daemon"),
    tile.stalled && t("pit.stalled", { why: tile.stalled }),
    tile.clock !== null && t("pit.clock", { seconds: tile.clock }),
    tile.lag && t("pit.lag", { seconds: tile.lag.seconds, rows: tile.lag.rows }),
  ].filter(Boolean);
  return said.length ? el("p", { class: "tile-trouble" }, said.map((one, index) => [index > 0 && " · ", one])) : null;
}

/** @param {PitApp} app @param {Tile} tile */
export function drawTile(app, tile) {
  const { t } = app;
  const known = tile.look !== "unheard";
  return el(
    "li",
    { class: `tile tile-is-${tile.look}${tile.quarantined ? " is-quarantined" : ""}`, "data-test": "tile", "data-table": tile.name, "data-look": tile.look },
    el(
      "h2",
      { class: "tile-head" },
      el("a", { class: "tile-link", href: `#/pit/${tile.name}` }, tile.called || tile.name),
      el("span", { class: "tile-look" }, SIGNS[tile.look] && el("span", { "aria-hidden": "true" }, `${SIGNS[tile.look]} `), t(`look-of.${tile.look}`)),
    ),
    el("p", { class: "tile-game" }, tile.game ? t(`game.${tile.game}`) : "–", known && tile.state && [" · ", el("strong", { "data-test": "tile-state" }, t(`state.${tile.state}`))]),
    tile.alarms.length > 0 && el("ul", { class: "tile-alarms" }, tile.alarms.slice(0, LISTED).map((alarm) => alarmLine(app, tile, alarm)), tile.alarms.length + tile.more > LISTED && el("li", { class: "soft" }, t("pit.more", { count: tile.alarms.length + tile.more - LISTED }))),
    known && facts(app, tile),
    troubles(app, tile),
  );
}
