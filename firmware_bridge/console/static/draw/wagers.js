/* Wagers on their spots.

   1. A spot that holds nothing is a ring with its name. A wager is a chip with its amount; the kind is told by the
      letter on the chip and by the words of its label, not by colour alone.
   2. wagersOf(box) lists everything that lies on a box: main wagers by slot, doubled chips and Free Bet Markers on the
      hands, insurance, side wagers; not what has gone back to its Player.
      A side wager that an interim settlement has settled is ticked.
   3. Where there is less room than wagers, those of a kind are summed up ("250 ×3"; without the count where even that
      has no room); the details of the box have all.
   4. spotRows(kinds) is the number of rows that a game's wagers need: it depends on the game alone, so that nothing
      moves while chips arrive.
   5. usedRows(box, geo, kinds) is how many of them its wagers take: a split box gives the others to its hands.
      Where "100+100" has no room a doubled wager is its sum, with the ×2 of its chip.
   6. amount(text) is money as it is written on the felt: "100", "12.50", "12.5k"; short begins at 1000. */

import { svg } from "../dom.js";
import { round } from "./cards.js";
import { LEAST, wordWide } from "./target.js";

const LEAST_PILL = 50; // a chip and two digits

/** @param {string | number} text @param {boolean} [short] */
export function amount(text, short = false) {
  const value = Number(text);
  if (!Number.isFinite(value)) return String(text);
  if (value >= 1_000_000) return `${trim(value / 1_000_000)}m`;
  if (value >= (short ? 1000 : 10_000)) return `${trim(value / 1000)}k`;
  return trim(value);
}

/** @param {number} value */
function trim(value) {
  return value % 1 === 0 ? String(value) : value.toFixed(2).replace(/0$/, "");
}

/** @param {ShownBox} box @returns {DrawnWager[]} */
export function wagersOf(box) {
  const found = [];
  for (const main of box.mains || []) {
    found.push({ kind: "main", slot: main.slot, amount: main.amount, player: main.player, hand: 0, added: doubled(box, main) });
  }
  for (const side of (box.sides || []).filter(lies)) found.push({ ...side });
  for (const one of (box.insurance || []).filter(lies)) found.push({ kind: "insurance", ...one, hand: 0 });
  for (const one of box.early || []) found.push({ ...one, early: true, hand: 0 });
  return found;
}

/* Whether it has not gone back to its Player. */
/** @param {{ returned?: string | null }} wager */
function lies(wager) {
  return !wager.returned;
}

/* What was added to a wager on the only hand of its box. */
/** @param {ShownBox} box @param {ShownMain} main */
function doubled(box, main) {
  const [hand, second] = box.hands || [];
  const stake = second ? null : hand?.stakes.find((one) => one.slot === main.slot && one.doubled);
  const added = stake ? Math.round(Number(stake.amount) * 100) - Math.round(Number(main.amount) * 100) : 0;
  return added > 0 ? String(added / 100) : undefined;
}

/** @param {ShownStake[] | undefined} stakes */
export function markers(stakes) {
  return (stakes || []).reduce((sum, one) => sum + Number(one.free_split || 0) + Number(one.free_double || 0), 0);
}

/**
 * @param {DrawnWager} wager
 * @param {Omit<Area, "h">} cell
 * @param {number} h
 * @param {Translate} t
 * @param {boolean} several
 */
function pill(wager, cell, h, t, several) {
  const { x, y, w } = cell;
  const r = h / 2;
  /** @param {string} words */
  const size = (words) => Math.min(h * 0.78, (w - h - 4) / wordWide(words.padStart(2), 1));
  const times = wager.count && wager.count > 1 ? ` ×${wager.count}` : "";
  const added = wager.added ? `+${amount(wager.added)}` : "";
  const tick = wager.act ? "✓" : "";
  const long = tick + amount(wager.amount) + added + times;
  const short = tick + amount(wager.amount, true) + added + times;
  const alone = tick + amount(wager.amount, true);
  const whole = amount(Number(wager.amount) + Number(wager.added || 0), true);
  const text = [long, short].find((words) => size(words) >= LEAST) || (added ? tick + whole : alone);
  const narrow = size(text) < LEAST ? { textLength: round(w - h - 4), lengthAdjust: "spacingAndGlyphs" } : {};
  const done = wager.act ? ` ${t(`done.${wager.act}`)}` : "";
  const name = `${t(`wager.${wager.kind}`)} ${wager.amount}${done}`;
  const main = wager.added ? "×2" : several ? String(wager.slot) : "";
  const letter = wager.kind === "main" ? main : t(`wager.short.${wager.kind}`);
  const [cx, cy] = [round(x + r), round(y + r)];
  return svg(
    "g",
    {
      class: `wager wager-${wager.kind}${wager.early ? " wager-early" : ""}`,
      "data-wager": wager.kind,
      "data-slot": wager.slot,
      "data-amount": wager.amount,
      "data-added": wager.added,
      "data-act": wager.act || null,
    },
    svg("title", null, several ? `${name}, ${t("place.slot", { slot: wager.slot })}` : name),
    svg("rect", { x: round(x), y: round(y), width: round(w), height: round(h), rx: round(r), class: "wager-plate" }),
    svg("circle", { cx, cy, r: round(r - 0.5), class: "chip" }),
    svg("circle", { cx, cy, r: round(r * 0.78), class: "chip-edge" }),
    svg("text", { x: cx, y: cy, "font-size": round(Math.max(LEAST, h * 0.52)), class: "chip-letter" }, letter),
    svg(
      "text",
      { x: round(x + h + (w - h - 3) / 2), y: cy, "font-size": round(Math.max(LEAST, size(text))), class: "wager-amount", ...narrow },
      text,
    ),
  );
}

/** @param {string} kind @param {number} x @param {number} y @param {number} size @param {Translate} t */
function ring(kind, x, y, size, t) {
  const r = size / 2 - 1;
  const [cx, cy] = [round(x + size / 2), round(y + size / 2)];
  return svg(
    "g",
    { class: `ring ring-${kind === "main" ? "main" : "side"}`, "data-spot": kind },
    svg("circle", { cx, cy, r: round(r) }),
    kind !== "main" && svg("text", { x: cx, y: cy, "font-size": round(Math.max(LEAST, r)) }, t(`wager.short.${kind}`)),
  );
}

/** @param {DrawnWager[]} wagers @returns {DrawnWager[]} */
function summed(wagers) {
  const kinds = new Map();
  for (const one of wagers) {
    const other = kinds.get(one.kind);
    const sum = Number(one.amount) + Number(other ? other.amount : 0);
    kinds.set(one.kind, { ...one, amount: sum.toFixed(2), count: (other ? other.count : 0) + 1 });
  }
  return [...kinds.values()];
}

/* The main wagers in one pill beside the number of the box, where there is no room for the others. */
/** @param {ShownBox} box @param {BoxGeometry} geo @param {Translate} t @param {number} left */
export function mainAlone(box, geo, t, left) {
  const [main] = summed(wagersOf(box).filter((one) => one.kind === "main"));
  const w = geo.spot.w - left;
  if (!main || w < LEAST_PILL) return null;
  return svg("g", { class: "spots" }, pill({ ...main, count: 1 }, { x: geo.spot.x + left, y: geo.spot.y, w }, geo.rowH, t, false));
}

/** @param {string[]} kinds @param {Area} area @param {number} left @param {Translate} t */
function empty(kinds, area, left, t) {
  if (kinds.length < 3) {
    const side = Math.min(area.h * 0.6, (area.w - left) / (kinds.length + 1.5), 34);
    const main = Math.min(area.h, area.w - left - kinds.length * (side + 3), 60);
    const wide = main + kinds.length * (side + 3);
    const x = Math.max(area.x + left, area.x + (area.w - wide) / 2);
    const middle = (/** @type {number} */ size) => area.y + (area.h - size) / 2;
    const at = (/** @type {number} */ index) => x + main + 3 + index * (side + 3);
    return [
      ring("main", x, middle(main), main, t),
      ...kinds.map((kind, index) => ring(kind, at(index), middle(side), side, t)),
    ];
  }
  const lower = Math.min(area.h * 0.44, (area.w - 3 * kinds.length) / kinds.length, 34);
  const main = Math.min(area.h - lower - 2, area.w - 2 * left, 54);
  const wide = kinds.length * (lower + 3) - 3;
  const at = (/** @type {number} */ index) => area.x + (area.w - wide) / 2 + index * (lower + 3);
  return [
    ring("main", area.x + (area.w - main) / 2, area.y, main, t),
    ...kinds.map((kind, index) => ring(kind, at(index), area.y + main + 2, lower, t)),
  ];
}

/** @param {string[]} kinds */
export function spotRows(kinds) {
  return 1 + Math.ceil((kinds.length + 1) / 2);
}

/** @param {Area} area */
function columns(area) {
  return area.w > 150 ? 2 : 1; // of the first row, beside the number of the box
}

/** @param {ShownBox} box @param {BoxGeometry} geo @param {string[]} kinds */
export function usedRows(box, geo, kinds) {
  const beyond = Math.min(wagersOf(box).length, kinds.length + 2) - columns(geo.spot);
  return Math.max(1, Math.min(spotRows(kinds), 1 + Math.ceil(beyond / 2)));
}

/** @param {ShownBox} box @param {string[]} kinds @param {BoxGeometry} geo @param {Translate} t @param {number} left */
export function spots(box, kinds, geo, t, left) {
  const area = geo.spot;
  const wagers = wagersOf(box);
  if (!wagers.length) return svg("g", { class: "spots" }, empty(kinds, area, left, t));
  const several = wagers.some((one) => one.slot > 1);
  const [gap, h] = [2, geo.rowH];
  /** @type {Omit<Area, "h">[]} */
  const cells = [];
  /** @param {number} index @param {number} count @param {number} x @param {number} w */
  const row = (index, count, x, w) => {
    const each = (w - gap * (count - 1)) / count;
    for (let n = 0; n < count; n += 1) cells.push({ x: x + n * (each + gap), y: area.y + index * (h + gap), w: each });
  };
  row(0, Math.min(columns(area), wagers.length), area.x + left, area.w - left);
  for (let index = 1; index < spotRows(kinds); index += 1) row(index, 2, area.x, area.w);
  const shown = wagers.length > cells.length ? summed(wagers) : wagers;
  return svg(
    "g",
    { class: "spots" },
    shown.slice(0, cells.length).map((wager, index) => pill(wager, cells[index], h, t, several && !wager.count)),
  );
}
