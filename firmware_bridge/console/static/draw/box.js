/* One box: its number and lamp, its wagers, its hands.

   1. `marks` says what is marked: next and turn (the number of the hand, 0 for none), lit, and what else lies there.
   2. The box whose turn it is has a frame of gold and, over all that lies below it, a tab with the word (turnTab). In a
      split box the hand is framed too. */

import { svg } from "../dom.js";
import { round } from "./cards.js";
import { cardsOf, handWords, ribbonOf, totalBadge, totalWords } from "./hand.js";
import { LEAST, dropOn, frame, handRows, rect, text, wordWide } from "./target.js";
import { mainAlone, markers, spots, wagersOf } from "./wagers.js";

const PILL = 44;
const HIGH = 110; // cards this high leave room above them
const BESIDE = 36; // for a total beside the cards
const NARROW = 80; // no total stands beside the cards of a box that is narrower
const TOTAL = 24;

/** @param {ShownBox} box @param {BoxHand[]} hands @param {BoxMarks} marks @param {Translate} t */
function boxWords(box, hands, marks, t) {
  const parts = [t("place.box", { box: box.number })];
  if (marks.turn) parts.push(t("table.turn"));
  if (marks.next) parts.push(t("table.next-here"));
  const wagers = wagersOf(box);
  for (const wager of wagers) parts.push(`${t(`wager.${wager.kind}`)} ${wager.amount}${wager.act ? ` ${t(`done.${wager.act}`)}` : ""}`);
  if (!wagers.length) parts.push(t("table.empty-box"));
  for (const hand of hands) {
    if (!hand.cards.length && !hand.others.length) continue;
    if (hands.length > 1) parts.push(t("place.hand", { hand: hand.hand }));
    parts.push(handWords(hand, t));
    if (markers(hand.stakes)) parts.push(t("table.markers", { count: markers(hand.stakes) }));
  }
  return parts.join(t("list.join"));
}

/** @param {number} h */
function tabWide(h) {
  return Math.min(32, Math.max(20, h * 1.1));
}

/** @param {ShownBox} box @param {Area} area @param {number} h */
function numberTab(box, area, h) {
  const w = tabWide(h);
  const name = ["off", "on", "blink"][box.lamp || 0];
  return svg(
    "g",
    { class: `box-number lamp-${name}` },
    rect({ x: area.x, y: area.y, w, h }, { rx: 5 }),
    text(area.x + w / 2, area.y + h / 2, h * 0.8, "", String(box.number)),
  );
}

/** @param {BoxGeometry} geo @param {Translate} t */
export function turnTab(geo, t) {
  const word = t("table.turn-mark");
  const h = Math.min(21, Math.max(LEAST / 0.74, geo.frame.h * 0.075));
  const w = wordWide(`▲ ${word}`, h * 0.74) + 18;
  const x = geo.frame.x + geo.frame.w / 2;
  const y = geo.frame.y + geo.frame.h;
  return svg(
    "g",
    { class: "turn-tab" },
    svg("path", { d: `M${round(x - w / 2)} ${round(y)}h${round(w)}l-6 ${round(h)}h${round(12 - w)}Z` }),
    text(x, y + h / 2, h * 0.74, "", `▲ ${word}`),
  );
}

/**
 * @param {BoxHand} hand
 * @param {HandRow} row
 * @param {BoxMarks} marks
 * @param {string[] | null} old
 * @param {boolean} several
 * @param {Tools} tools
 */
function oneHand(hand, row, marks, old, several, tools) {
  const turn = several && marks.turn === hand.hand;
  const area = { ...row.cards, w: row.single ? row.cards.w : row.total.x + row.total.w - row.cards.x };
  const more = { next: marks.next === hand.hand, left: several, share: several ? 0.7 : 0.58, strip: several ? 38 : 0 };
  return svg(
    "g",
    {
      class: `hand${hand.over ? " hand-over" : ""}${turn ? " hand-turn" : ""}`,
      "data-place": tools.drop ? null : hand.place,
    },
    rect(area, { class: "hand-area", rx: 6 }),
    cardsOf(hand, row.cards, more, old, tools.t),
    totalBadge(hand, row, tools.t),
    ribbonOf(hand, row, tools.t),
    dropOn(hand.place, area, tools),
  );
}

/* The room of a box with a pill at its foot: the cards lie above it. */
/** @param {BoxGeometry} geo @returns {BoxGeometry} */
function withPill(geo) {
  const top = geo.frame.y + geo.frame.h - PILL - 6;
  const foot = { ...geo.foot, y: Math.min(geo.foot.y, top), h: 0 };
  return { ...geo, foot, hands: { ...geo.hands, h: foot.y - geo.hands.y - 2 } };
}

/* The total stands above the corner of the cards, above them in a narrow box, beside them where they are low, or nowhere
   where there is no room for both; the foot is for the ribbon. */
/** @param {HandRow} row @param {BoxHand} hand @param {Translate} t @returns {HandRow} */
function cornered(row, hand, t) {
  const { x, y, w, h } = row.cards;
  if (!totalWords(hand, t)) return { ...row, foot: row.total };
  if (h >= HIGH) return { ...row, total: { x: x + w - 40, y: y - 2, w: 40, h: TOTAL }, foot: row.total };
  if (w < NARROW && h >= 2 * TOTAL) {
    return { ...row, cards: { ...row.cards, y: y + TOTAL, h: h - TOTAL }, total: { x, y, w, h: TOTAL - 2 }, foot: row.total };
  }
  if (w < 2 * BESIDE) return { ...row, foot: row.total, cramped: true };
  const beside = { x: x + w - BESIDE, y: y + h / 2 - TOTAL / 2, w: BESIDE, h: TOTAL };
  return { ...row, cards: { ...row.cards, w: w - BESIDE - 2 }, total: beside, foot: row.total };
}

/** @param {ShownBox} box @param {BoxMarks} marks @returns {BoxHand[]} */
export function handsOf(box, marks) {
  const hands = (box.hands || []).length ? box.hands : [{ hand: 1, place: String(box.number), cards: [], total: null }];
  return hands.map(
    (hand) => ({
      ...hand,
      others: marks.others[hand.hand] || [],
      strays: marks.strays[hand.hand] || [],
      ribbon: marks.ribbons[hand.hand],
    }),
  );
}

/**
 * @param {ShownBox} box
 * @param {BoxGeometry} geo
 * @param {BoxMarks} marks
 * @param {Tools & { old: [ShownBox, BoxMarks] | null }} tools
 */
export function drawBox(box, geo, marks, tools) {
  const { t } = tools;
  const hands = handsOf(box, marks);
  const room = handRows(box, marks.pilled ? withPill(geo) : geo, tools.scene.spots || []);
  const rows = room.map((row, index) => (row.single && (marks.pilled || marks.ribbons[1]) ? cornered(row, hands[index], t) : row));
  const before = tools.old && handsOf(...tools.old);
  const state = `${marks.turn ? " is-turn" : ""}${marks.next ? " is-next" : ""}${marks.lit ? " is-lit" : ""}`;
  return frame(
    String(box.number),
    boxWords(box, hands, marks, t),
    tools,
    { class: `box${state}`, "data-box": box.number },
    rect(geo.frame, { class: "box-frame", rx: 10 }),
    geo.bare ? mainAlone(box, geo, t, tabWide(geo.rowH) + 3) : spots(box, tools.scene.spots || [], geo, t, tabWide(geo.rowH) + 3),
    numberTab(box, geo.spot, geo.rowH),
    hands.map((hand, index) => {
      const old = before && (before[index] ? [...before[index].cards, ...before[index].others] : []);
      return oneHand(hand, rows[index], marks, old, hands.length > 1, tools);
    }),
  );
}
