/* Cards, drawn.

   1. card(code, x, y, h) is one card of height h as an SVG group with data-card. The code is that of the notation:
      "9H", "TS", "AS#17", "JOKER"; "??" is the back of a card that lies face down.
   2. The index, rank over suit, stands at the upper left, so large that it is read where the next card covers the
      rest.
   3. fan(count, area, { next, share, most, left }) says where the cards of one hand lie within { x, y, w, h }: side
      by side while there is room, then overlapping, then in a second row. It returns { h, w, at: [{ x, y }],
      next }: `next` is where a card would come, under the others, of which a strip is left to be seen if `next` is
      asked for.
   4. cardName(code, t) is the card in words, for those who hear the page. */

import { svg } from "../dom.js";

export const RATIO = 0.7;
const WIDER = 0.8; // of a small one
const SEEN = 0.5; // of a card's width is seen at least where the next one covers it: its index
const SMALL = 46; // a card below this height shows its index only, larger
const LEAST = 8;
const LOWER = 0.46; // of a card's height a second row lies lower
/** @type {Record<string, string>} */
const RANKS = { T: "10" };
/** @type {Record<string, string>} */
const SUITS = {
  S:
    "M50 4C50 4 8 38 8 62c0 15 11 24 23 24 7 0 12-3 15-7-1 8-5 13-10 17h28" +
    "c-5-4-9-9-10-17 3 4 8 7 15 7 12 0 23-9 23-24C92 38 50 4 50 4z",
  H: "M50 94C50 94 6 62 6 33 6 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 9 23 25 0 29-44 61-44 61z",
  D: "M50 3C60 21 72 37 88 50 72 63 60 79 50 97 40 79 28 63 12 50 28 37 40 21 50 3z",
  C:
    "M50 5c-12 0-21 9-21 20 0 7 3 12 8 16-3-1-6-2-9-2C16 39 7 48 7 60s9 21 21 21c7 0 14-4 18-10-1 11-5 18-11 24h30" +
    "c-6-6-10-13-11-24 4 6 11 10 18 10 12 0 21-9 21-21s-9-21-21-21c-3 0-6 1-9 2 5-4 8-9 8-16C71 14 62 5 50 5z",
};
/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RED = new Set(["H", "D"]);

/** @param {string} letter @param {number} x @param {number} y @param {number} size @param {string} name */
function suit(letter, x, y, size, name) {
  return svg("path", { d: SUITS[letter], class: name, transform: `translate(${x} ${y}) scale(${size / 100})` });
}

/** @param {number} w @param {number} h @param {number} r */
function back(w, h, r) {
  const inset = Math.max(2, w * 0.08);
  const lines = [];
  const step = Math.max(5, w * 0.17);
  for (let at = inset + step; at < w + h - inset; at += step) {
    const [a, b] = [Math.max(inset, at - (h - inset)), Math.min(w - inset, at - inset)];
    lines.push(`M${a} ${at - a}L${b} ${at - b}`, `M${w - a} ${at - a}L${w - b} ${at - b}`);
  }
  return [
    svg("rect", { x: inset, y: inset, width: w - 2 * inset, height: h - 2 * inset, rx: r * 0.6, class: "back-fill" }),
    svg("path", { d: lines.join(""), class: "back-lines" }),
  ];
}

/** @param {string} code @param {number} x @param {number} y @param {number} h @param {{ class?: string }} [more] */
export function card(code, x, y, h, more = {}) {
  const w = wide(h);
  const r = Math.max(2.5, h * 0.07);
  const face = code.split("#")[0];
  const group = svg("g", {
    class: `card ${face === "??" ? "card-back" : RED.has(face.slice(-1)) ? "card-red" : "card-black"} ${more.class || ""}`,
    "data-card": face,
    transform: `translate(${round(x)} ${round(y)})`,
  });
  group.append(svg("rect", { width: round(w), height: round(h), rx: round(r), class: "card-face" }));
  if (face === "??") group.append(...back(w, h, r));
  else if (face === "JOKER") {
    group.append(
      svg("text", { x: w / 2, y: h * 0.62, "font-size": h * 0.5, class: "card-rank", "text-anchor": "middle" }, "★"),
    );
  } else group.append(...facing(face, w, h));
  return group;
}

/** @param {string} face @param {number} w @param {number} h */
function facing(face, w, h) {
  const rank = RANKS[face[0]] || face[0];
  const letter = face.slice(-1);
  const tiny = h < SMALL;
  const size = h * (tiny ? 0.68 : 0.38);
  const x = tiny ? w * 0.4 : w * 0.27;
  const narrow = rank === "10" ? { textLength: round(w * (tiny ? 0.62 : 0.44)), lengthAdjust: "spacingAndGlyphs" } : {};
  const index = svg(
    "text",
    {
      x: round(x),
      y: round(h * (tiny ? 0.56 : 0.36)),
      "font-size": round(size),
      class: "card-rank",
      "text-anchor": "middle",
      ...narrow,
    },
    rank,
  );
  const small = h * (tiny ? 0.36 : 0.2);
  const big = h * 0.46;
  const parts = [index, suit(letter, x - small / 2, h * (tiny ? 0.61 : 0.42), small, "card-suit")];
  return tiny ? parts : [...parts, suit(letter, w * 0.94 - big, h * 0.95 - big, big, "card-suit card-pip")];
}

/** @param {number} h */
export function wide(h) {
  return h * (h < SMALL ? WIDER : RATIO);
}

/** @param {number} number */
export function round(number) {
  return Math.round(number * 10) / 10;
}

/** @param {number} n @param {number} room @param {Area} area @param {FanOptions} more @param {boolean} small */
function fitting(n, room, area, more, small) {
  const ratio = small ? WIDER : RATIO;
  const seen = small ? 0.74 : SEEN;
  const most = Math.min(area.h, (room * (more.share || 0.58)) / ratio, more.most || 200);
  const one = Math.min(most, room / (ratio * (1 + seen * (n - 1))));
  if (one > most * 0.86 || n < 4 || area.h < SMALL) return { h: one, rows: 1 };
  const two = Math.min(most, area.h / (1 + LOWER), room / (ratio * (1 + seen * (Math.ceil(n / 2) - 1))));
  return two > one * 1.08 ? { h: two, rows: 2 } : { h: one, rows: 1 };
}

/** @param {number} count @param {Area} area @param {FanOptions} [more] */
export function fan(count, area, more = {}) {
  const n = Math.max(1, count);
  const strip = more.next && count ? more.strip || Math.max(22, Math.min(34, area.w * 0.2)) : 0;
  const room = area.w - strip;
  const large = fitting(n, room, area, more, false);
  const { h: fits, rows } = large.h < SMALL ? fitting(
    n,
    room,
    { ...area, h: Math.min(area.h, SMALL - 1) },
    more,
    true,
  ) : large;
  const h = Math.max(LEAST, fits);
  const w = wide(h);
  const perRow = Math.ceil(n / rows);
  const step = perRow > 1 ? Math.max(0, Math.min(w * 1.05, (room - w) / (perRow - 1))) : 0;
  const used = w + step * (perRow - 1) + strip;
  const left = more.left ? area.x : area.x + (area.w - used) / 2;
  const top = area.y + (area.h - h * (1 + (rows - 1) * LOWER)) / 2;
  /** @param {number} index @returns {Point} */
  const place = (index) => ({ x: left + (index % perRow) * step, y: top + Math.floor(index / perRow) * h * LOWER });
  const at = count ? Array.from({ length: n }, (_, index) => place(index)) : [];
  return { h, w, at, next: count ? { x: left + used - w, y: top, strip } : { ...place(0), strip: 0 } };
}

/** @param {string} code @param {Translate} t */
export function cardName(code, t) {
  const face = code.split("#")[0];
  if (face === "??") return t("card.hidden");
  if (face === "JOKER") return t("card.joker");
  return t("card.name", { rank: t(`rank.${face[0]}`), suit: t(`suit.${face.at(-1)}`) });
}

/** @param {string} code */
export function cardShort(code) {
  const face = code.split("#")[0];
  if (face === "??" || face === "JOKER") return face;
  return `${RANKS[face[0]] || face[0]}${SIGNS[face.slice(-1)]}`;
}
