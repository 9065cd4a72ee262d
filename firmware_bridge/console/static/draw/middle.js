/* What lies before the Dealer: the Dealer's hand, the shoe, cards set aside, the burned and the discarded cards. */

import { svg } from "../dom.js";
import { round } from "./cards.js";
import { beside, cardsOf, handWords } from "./hand.js";
import { LEAST, dropOn, frame, rect, text, wordWide } from "./target.js";

const PILE_SHOWS = 4;
const BESIDE_ASIDE = 4; // between the words of the shoe and the cards set aside

/** @param {string} name @param {Marks} marks */
function classes(name, marks) {
  return `${name}${marks.next ? " is-next" : ""}${marks.lit ? " is-lit" : ""}`;
}

/**
 * @param {DrawnHand} dealer
 * @param {Area} area
 * @param {Marks & { others: string[], strays: string[] }} marks
 * @param {Tools & { old: string[] | null }} tools
 */
export function drawDealer(dealer, area, marks, tools) {
  const { t } = tools;
  const hand = { ...dealer, cards: dealer.cards || [], others: marks.others, strays: marks.strays };
  const words = [t("place.dealer"), marks.next && t("table.next-here"), handWords(hand, t)].filter(Boolean);
  const wide = Math.min(104, area.w * 0.26);
  const pad = 5;
  const name = t("place.dealer");
  const size = Math.min(16, area.h * 0.13);
  const cards = { x: area.x + pad, y: area.y + pad, w: area.w - wide - 3 * pad, h: area.h - 2 * pad };
  const h = Math.min(110, area.h * 0.62);
  const total = { x: area.x + area.w - wide - pad, y: area.y + (area.h - h + size) / 2, w: wide, h };
  const known = hand.cards.length > 0 && hand.total !== null;
  return frame(
    "dealer",
    words.join(t("list.join")),
    tools,
    { class: classes("dealer", marks), "data-place": tools.drop ? null : "dealer" },
    rect(area, { class: "dealer-frame", rx: 10 }),
    text(area.x + area.w - 8, area.y + size * 0.9, size, "felt-word felt-end", name),
    cardsOf(hand, cards, { next: marks.next, share: 0.4, most: 220 }, tools.old, t),
    known && beside(hand, total, t),
    dropOn("dealer", area, tools),
  );
}

/** @param {string} name @param {string[]} cards @param {Area} area @param {Marks} marks @param {Tools} tools */
export function drawPile(name, cards, area, marks, tools) {
  const { t } = tools;
  if (name === "aside" && !cards.length) return svg("g", { class: "pile" });
  const words = [t(`place.${name}`), marks.next && t("table.next-here"), handWords({ cards }, t)].filter(Boolean);
  const title = Math.max(LEAST + 3, Math.min(20, area.h * 0.22));
  const inner = { x: area.x + 4, y: area.y + title + 2, w: area.w - 8, h: area.h - title - 6 };
  const more = cards.length > PILE_SHOWS ? ` · ${cards.length}` : "";
  const full = `${t(`place.${name}`)}${more}`;
  /** @param {string} said */
  const size = (said) => Math.min(15, title * 0.8, (area.w - 4) / wordWide(said, 1));
  const label = size(full) < LEAST - 0.5 ? t(`place.short.${name}`) : full;
  return frame(
    name,
    words.join(t("list.join")),
    tools,
    { class: `${classes("pile", marks)} pile-${name}`, "data-place": tools.drop ? null : name },
    rect(area, { class: "pile-frame", rx: 8 }),
    text(
      area.x + area.w / 2,
      area.y + title * 0.6,
      Math.max(LEAST, size(label)),
      "felt-word",
      label,
    ),
    cardsOf({ cards: cards.slice(-PILE_SHOWS) }, inner, { next: marks.next, share: 0.72 }, null, t),
    dropOn(name, area, tools),
  );
}

/** @param {ShownShoe | null} shoe @param {Area} area @param {Tools} tools */
export function drawShoe(shoe, area, tools) {
  const { t } = tools;
  if (!shoe) return svg("g", { class: "shoe" });
  const out = t("table.shoe-out", { out: shoe.out, cards: shoe.cards });
  const lock = t(shoe.away ? "table.shoe-away" : shoe.locked ? "table.shoe-locked" : "table.shoe-open");
  const cut = t(`cutting-card.${shoe.cutting_card}`);
  const w = Math.min(area.h * 0.68, 82, area.w * 0.36);
  const h = w * 1.35;
  const at = { x: area.x + 2, y: area.y + (area.h - h) / 2, w, h };
  const left = shoe.cards ? Math.max(0, 1 - shoe.out / shoe.cards) : 1;
  const tx = at.x + w + 9;
  const room = area.x + area.w - tx - BESIDE_ASIDE;
  /** @param {string} words @param {number} most */
  const size = (words, most) => Math.min(most, room / wordWide(words, 1.04));
  const line = Math.min(26, area.h / 3.4);
  /** @type {[string, string, number][]} */
  const lines = [
    [out, "shoe-text shoe-strong", 19],
    [lock, shoe.away || shoe.locked ? "shoe-text shoe-alert" : "shoe-text", 16],
    [cut, shoe.cutting_card === "out" ? "shoe-text shoe-alert" : "shoe-text", 16],
  ];
  const shown = lines.filter(([words]) => size(words, 16) >= LEAST);
  return svg(
    "g",
    {
      class: `shoe${shoe.away ? " is-away" : shoe.locked ? " is-locked" : ""}`,
      role: "img",
      "aria-label": [t("table.shoe"), out, cut, lock].join(t("list.join")),
      "data-locked": String(shoe.locked),
      "data-away": String(shoe.away),
    },
    rect(at, { rx: 8, class: "shoe-body" }),
    rect(
      { x: at.x + w * 0.15, y: at.y + h * (0.08 + 0.66 * (1 - left)), w: w * 0.7, h: h * 0.66 * left },
      { rx: 2, class: "shoe-cards" },
    ),
    svg("path", { d: `M${round(at.x + w * 0.1)} ${round(at.y + h * 0.84)}h${round(w * 0.8)}`, class: "shoe-mouth" }),
    !shoe.away && lockSign(at.x + w / 2, at.y + h * 0.42, h * 0.32, shoe.locked),
    shown.map(([words, name, most], index) =>
      text(
        tx,
        at.y + h / 2 + (index - (shown.length - 1) / 2) * line,
        Math.max(LEAST, size(words, Math.min(most, line * 0.82))),
        name,
        words,
      ),
    ),
  );
}

/** @param {number} x @param {number} y @param {number} size @param {boolean} locked */
function lockSign(x, y, size, locked) {
  const shackle = locked ? "M-6 -2v-5a6 6 0 0 1 12 0v5" : "M-6 -2v-5a6 6 0 0 1 11 -3";
  return svg(
    "g",
    { class: "lock", transform: `translate(${round(x)} ${round(y)}) scale(${Math.round(size / 0.24) / 100})` },
    svg("path", { d: shackle, class: "lock-shackle" }),
    svg("rect", { x: -9, y: -2, width: 18, height: 14, rx: 3, class: "lock-body" }),
  );
}
