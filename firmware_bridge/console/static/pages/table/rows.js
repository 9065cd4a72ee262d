/* The table on a phone: a row for the Dealer and for each box that is in the round.

   1. boxRows(app, onPlace) → { root, update(scene, pilled), areaOf(box) }. style/small.css shows it instead of the
      picture where the window is narrower than 600 pixels.
   2. A row has number, cards, wagers with their marks (doubled, free, settled on the way), total and what was decided or
      is to be paid; a press shows its details. The hands of a split box stand one below the other, each with its total.
      The row that acts is framed and scrolled into view.
   3. areaOf(box) is the room of a pill on its row, null where no rows are shown. */

import { el, fill } from "../../dom.js";
import { parse, placeName } from "../../draw/places.js";
import { ribbonsOf } from "../../draw/ribbons.js";
import { amount, markers, wagersOf } from "../../draw/wagers.js";
import { mini } from "../alarm/parts.js";

const PILL = { w: 112, h: 44 };

/* A wager with its marks: doubled, settled on the way. */
/** @param {DrawnWager} one @param {Translate} t */
function chipWords(one, t) {
  const letter = one.kind === "main" ? "" : `${t(`wager.short.${one.kind}`)} `;
  const added = one.added ? `+${amount(one.added)}` : "";
  return `${one.added ? "×2 " : ""}${letter}${one.act ? "✓" : ""}${amount(one.amount)}${added}`;
}

/* The total of a hand; that of a split one with its marks, which no chip of the box can show. */
/** @param {ShownHand} hand @param {boolean} split */
function totalOf(hand, split) {
  const doubled = split && hand.stakes.some((one) => one.doubled) ? "×2" : "";
  const free = markers(hand.stakes) ? " F" : "";
  return `${hand.total ?? ""}${doubled && ` ${doubled}`}${free}`;
}

/** @param {ShownHand} hand @param {Translate} t */
function handLine(hand, t) {
  return el("span", { class: "row-hand" }, hand.cards.map((code) => mini(code, t)), el("strong", null, totalOf(hand, true)));
}

/** @param {App} app @param {(place: string) => unknown} onPlace */
export function boxRows(app, onPlace) {
  const { t } = app;
  const root = el("div", { class: "rows", "data-test": "rows" });
  /** @type {Map<number, HTMLElement>} */
  const made = new Map();
  let shown = "";
  let acting = "";

  /** @param {string} place @param {Child} cards @param {Child} wagers @param {Child} total @param {string} marks */
  function row(place, cards, wagers, total, marks) {
    return el(
      "button",
      { type: "button", class: `box-row ${marks}`, "data-row": place, onclick: () => onPlace(place) },
      el("span", { class: "row-name" }, placeName(place, t)),
      el("span", { class: "row-cards" }, cards),
      el("span", { class: "row-wagers" }, wagers),
      el("span", { class: "row-total" }, total),
    );
  }

  /** @param {ShownBox} box @param {Scene} scene @param {boolean} pilled */
  function boxRow(box, scene, pilled) {
    const turn = parse(scene.turn).box === box.number && scene.state !== "held";
    const next = scene.advice.deals && parse(scene.advice.place).box === box.number;
    const ribbons = ribbonsOf(scene, box);
    const split = box.hands.length > 1;
    return row(
      String(box.number),
      split ? box.hands.map((hand) => handLine(hand, t)) : box.hands.flatMap((hand) => hand.cards.map((code) => mini(code, t))),
      wagersOf(box).map((one) => chipWords(one, t)).join(" · "),
      [
        !split && box.hands.map((hand) => totalOf(hand, false)),
        box.hands.filter((hand) => hand.natural).map((hand) => el("span", { class: "row-mark row-natural" }, t(`natural.${hand.natural}`))),
        Object.values(ribbons).map((one) => el("span", { class: `row-mark row-${one.kind}` }, t(one.text, one.values))),
      ],
      `${turn ? "is-turn " : ""}${next ? "is-next " : ""}${pilled ? "has-pill" : ""}`,
    );
  }

  return {
    root,
    /** @param {Scene} scene @param {Set<number>} pilled */
    update(scene, pilled) {
      const boxes = scene.boxes.filter((box) => box.hands.length || box.mains.length || box.sides.length || box.early.length);
      const sign = JSON.stringify([boxes, scene.dealer, scene.turn, scene.advice, scene.settlement, [...pilled], app.lang]);
      if (sign === shown) return;
      shown = sign;
      made.clear();
      const deals = scene.advice.deals && scene.advice.place === "dealer";
      for (const box of boxes) made.set(box.number, boxRow(box, scene, pilled.has(box.number)));
      fill(
        root,
        row("dealer", scene.dealer.cards.map((code) => mini(code, t)), "", scene.dealer.total ?? "", deals ? "is-next" : ""),
        [...made.values()],
      );
      const now = root.querySelector(".is-turn, .is-next");
      if (now && acting !== (now.getAttribute("data-row") || "")) now.scrollIntoView({ block: "nearest" });
      acting = now?.getAttribute("data-row") || "";
    },
    /** @param {number} box @returns {PillArea | null} */
    areaOf(box) {
      const node = made.get(box);
      if (!node || !node.getClientRects().length) return null;
      return { x: node.offsetLeft + node.offsetWidth - PILL.w - 6, y: node.offsetTop + (node.offsetHeight - PILL.h) / 2, w: PILL.w };
    },
  };
}
