/* One hand: its cards, where the next one comes, its total; and the same in words.

   1. cardsOf draws the cards that count (hand.cards) and those that only lie there (hand.others); of the latter,
      those in hand.strays are to be moved away and are marked.
   2. The next card's place is a card of dashes under the others, with an arrow and a word.
   3. A ribbon lies over the lower edge of the cards: what was decided, or what is to be paid and taken. What is too long
      for one line stands on two.
   4. A natural has its name in the game ("Blackjack") beside the number, and not that it is soft.
   5. The total of a single hand stands below its cards, that of a split hand beside them with what is at stake. In a row
      that is cramped there is none: the cards need the room. A Free Bet Marker is a gold disc with an F beside the
      total. */

import { svg } from "../dom.js";
import { card, cardName, fan, round } from "./cards.js";
import { LEAST, broken, rect, text, wordWide } from "./target.js";
import { amount, markers } from "./wagers.js";

const MARGIN = 8; // of a ribbon's words
/** @type {Record<string, string>} */
const SHORTER = { "ribbon.returned": "ribbon.returned-short", "ribbon.done-leave": "ribbon.returned-short" };
/** @type {Record<string, string>} */
const OVER_CARDS = { ...SHORTER, "ribbon.even-money": "ribbon.even-money-short" }; // two lines would hide them

/** @param {DrawnHand} hand */
function isBust(hand) {
  return hand.bust ?? (hand.total ?? 0) > 21;
}

/** @param {DrawnHand} hand @param {Translate} t */
export function totalWords(hand, t) {
  if (hand.total === null || hand.total === undefined || !hand.cards.length) return "";
  if (isBust(hand)) return t("table.bust", { total: hand.total });
  if (hand.natural) return t(`natural.${hand.natural}`);
  return hand.soft ? t("table.soft", { total: hand.total }) : String(hand.total);
}

/** @param {DrawnHand} hand @param {Translate} t */
export function handWords(hand, t) {
  const cards = [...hand.cards, ...(hand.others || [])].map((code) => cardName(code, t));
  const parts = [cards.join(t("list.join")) || t("table.no-cards")];
  const total = totalWords(hand, t);
  if (total) parts.push(t("table.total", { total }));
  if (hand.ribbon) parts.push(t(hand.ribbon.text, hand.ribbon.values));
  else if (hand.result) parts.push(t(`result.${hand.result}`));
  return parts.join(t("list.join"));
}

/** @param {DrawnHand} hand @param {Translate} t */
function note(hand, t) {
  if (hand.result && !hand.ribbon) return t(`result.${hand.result}`);
  if (hand.natural) return t(`natural.${hand.natural}`);
  if (isBust(hand)) return t("table.bust-mark");
  return hand.soft ? t("table.soft-mark") : "";
}

/**
 * @param {DrawnHand} hand
 * @param {Area} area
 * @param {FanOptions} more
 * @param {string[] | null | undefined | false} old
 * @param {Translate} t
 */
export function cardsOf(hand, area, more, old, t) {
  const cards = [...hand.cards, ...(hand.others || [])];
  const strays = [...(hand.strays || [])];
  const { h, w, at, next } = fan(cards.length, area, more);
  const nodes = cards.map((code, index) => {
    const astray = index >= hand.cards.length && strays.includes(code);
    const fresh = old && old[index] !== code;
    return card(code, at[index].x, at[index].y, h, { class: `${fresh ? "fresh" : ""} ${astray ? "card-stray" : ""}` });
  });
  if (more.next) nodes.unshift(ghost(next, w, h, t));
  return nodes;
}

/** @param {Point & { strip: number }} at @param {number} w @param {number} h @param {Translate} t */
function ghost(at, w, h, t) {
  const word = t("table.next-mark");
  const long = Math.max(w, at.strip);
  const x = at.x + w - long;
  const middle = at.strip ? long - at.strip / 2 - 1 : long / 2;
  const group = svg(
    "g",
    { class: "ghost", transform: `translate(${round(x)} ${round(at.y)})` },
    rect({ x: 1, y: 1, w: long - 2, h: h - 2 }, { rx: round(h * 0.07) }),
  );
  /** @param {number} room @param {number} most */
  const fits = (room, most) => Math.min(most, room / wordWide(word, 1));
  if (!at.strip) group.append(arrow(middle, h * 0.34, w * 0.16), text(middle, h * 0.66, fits(w * 0.86, 18), "", word));
  else if (h < 52) group.append(
    arrow(middle, h * 0.24, h * 0.15),
    text(middle, h * 0.66, fits(at.strip - 6, 14), "", word),
  );
  else if (word > "\u2e80") {
    const size = Math.min(at.strip * 0.66, (h * 0.6) / word.length);
    group.append(arrow(middle, h * 0.14, Math.min(at.strip * 0.24, h * 0.09)));
    group.append(
      ...[...word].map((letter, index) => text(middle, h * 0.26 + size * (index * 1.04 + 0.5), size, "", letter)),
    );
  } else {
    const turned = `rotate(90 ${round(middle)} ${round(h * 0.61)})`;
    group.append(arrow(middle, h * 0.12, Math.min(at.strip * 0.24, h * 0.09)));
    group.append(text(middle, h * 0.61, fits(h * 0.58, at.strip * 0.66), "", word, { transform: turned }));
  }
  return group;
}

/** @param {number} x @param {number} y @param {number} r */
function arrow(x, y, r) {
  return svg(
    "path",
    { d: `M${round(x - r)} ${round(y - r * 0.7)}h${round(2 * r)}L${round(x)} ${round(y + r * 0.9)}Z` },
  );
}

/** @param {DrawnHand} hand */
function kind(hand) {
  return `total${isBust(hand) ? " total-bust" : ""}${hand.result ? ` result-${hand.result}` : ""}`;
}

/* Where even two lines of the smallest letters are too long, the letters are narrower. */
/** @param {string} line @param {number} size @param {number} room @returns {Props} */
function squeezed(line, size, room) {
  return wordWide(line, size) > room + 1 ? { textLength: round(room), lengthAdjust: "spacingAndGlyphs" } : {};
}

/** @param {DrawnHand} hand @param {HandRow} row @param {Translate} t */
export function ribbonOf(hand, row, t) {
  if (!hand.ribbon) return null;
  const whole = t(hand.ribbon.text, hand.ribbon.values);
  const roomy = row.foot && row.foot.h > 20;
  const area = (roomy && row.foot) || (row.single ? row.cards : { ...row.cards, w: row.total.x + row.total.w - row.cards.x });
  const flat = roomy ? Math.min(area.h, 34) : row.single ? 22 : 20;
  /** @param {string} words */
  const fits = (words) => (area.w - MARGIN) / wordWide(words, 1);
  const short = (roomy ? SHORTER : OVER_CARDS)[hand.ribbon.text];
  const said = short && fits(whole) < LEAST ? t(short) : whole;
  const lines = fits(said) < LEAST ? broken(said) : [said];
  const h = lines.length > 1 ? Math.max(flat, 2 * LEAST + 4) : flat;
  const y = area.y + (area.h - h) * (roomy ? 0.5 : 1);
  const size = Math.max(LEAST, Math.min(22, (h * (lines.length > 1 ? 0.9 : 0.72)) / lines.length, ...lines.map(fits)));
  return svg(
    "g",
    { class: `ribbon ribbon-${hand.ribbon.kind}`, "data-ribbon": hand.ribbon.text },
    rect({ x: area.x, y, w: area.w, h }, { rx: 4 }),
    lines.map((line, index) => text(area.x + area.w / 2, y + (h * (index + 0.5)) / lines.length, size, "", line, squeezed(line, size, area.w - MARGIN))),
  );
}

/** @param {DrawnHand} hand @param {HandRow} row @param {Translate} t */
export function totalBadge(hand, row, t) {
  if (row.cramped || (!totalWords(hand, t) && (!hand.result || row.foot))) return null;
  if (hand.others?.length) return null; // a card lies there that does not count: the number would not be that of the cards
  return row.single ? lying(hand, row, t) : beside(hand, row.total, t);
}

/**
 * @param {DrawnHand} hand
 * @param {number} r
 * @returns {{ wide: number, at: (x: number, y: number) => SVGElement } | null}
 */
function discs(hand, r) {
  const count = markers(hand.stakes);
  if (!count) return null;
  const step = r * 1.5;
  return {
    wide: step * (count - 1) + 2 * r + 2,
    at: (x, y) =>
      svg(
        "g",
        { class: "marker", "data-markers": count },
        Array.from({ length: count }, (_, index) => {
          const cx = x + r + 1 + index * step;
          return [svg("circle", { cx: round(cx), cy: round(y), r: round(r) }), text(cx, y, Math.max(LEAST, r * 1.3), "", "F")];
        }),
      ),
  };
}

/* How large the total is; where there is no other room, small enough to have its word beside it. */
/** @param {DrawnHand} hand @param {string} said @param {HandRow} row */
function numberSize(hand, said, row) {
  const widest = Math.max(LEAST, (row.total.w - 8) / wordWide(String(hand.total ?? ""), 1));
  const full = Math.min(row.total.h * 0.88, 44, widest);
  if (!said || !row.roomy) return full;
  const least = (row.total.w - 24 - wordWide(said, LEAST) - 1) / wordWide(String(hand.total ?? ""), 1);
  return least >= LEAST + 2 ? Math.min(full, least) : full;
}

/** @param {DrawnHand} hand @param {HandRow} row @param {Translate} t */
function lying(hand, row, t) {
  const area = row.total;
  const said = row.foot ? "" : note(hand, t); // in the corner of the cards there is room for the number alone
  const full = numberSize(hand, said, row);
  const room = area.w - wordWide(String(hand.total ?? ""), full) - 24;
  const aside = said ? Math.min(Math.max(full * 0.6, LEAST), room / wordWide(said, 1), 22) : 0;
  const named = Boolean(hand.natural && said) && aside < LEAST && !row.roomy; // the name alone: there is no other number
  const number = named ? "" : String(hand.total ?? "");
  const small = named ? Math.min(18, (area.w - 12) / wordWide(said, 1)) : aside;
  const tight = said && number && small < LEAST; // no room beside the number: the word stands above it
  const above = tight && row.roomy;
  const size = tight && !above ? area.h - LEAST : full;
  const numberWide = wordWide(number, size);
  const saidWide = said && !tight ? wordWide(said, small) + (number ? 7 : 0) : 0;
  const word = LEAST;
  const wide = Math.min(area.w, Math.max(numberWide + saidWide, tight && !above ? wordWide(said, word) : 0) + 20);
  const free = discs(hand, area.h * 0.32);
  const x = Math.max(area.x, area.x + (area.w - wide - (free ? free.wide : 0)) / 2);
  const y = area.y + area.h / 2;
  const inner = x + (wide - numberWide - saidWide) / 2;
  return svg(
    "g",
    { class: kind(hand), "data-total": hand.total ?? "" },
    rect({ x, y: area.y, w: wide, h: area.h }, { rx: round(area.h / 2), class: "total-plate" }),
    text(inner + numberWide / 2, tight && !above ? area.y + (area.h + LEAST) / 2 : y, size, "total-number", number),
    said && !tight && text(inner + numberWide + saidWide - wordWide(said, small) / 2, y, small, "total-note", said),
    tight && text(
      x + wide / 2,
      above ? area.y - word * 0.62 : area.y + LEAST / 2 + 1,
      word,
      `total-note${above ? " total-above" : ""}`,
      said,
    ),
    free && free.at(Math.min(x + wide, area.x + area.w - free.wide), y),
  );
}

/* Beside a hand: what it is and what is at stake; where there is room for one word, that it is doubled goes before soft. */
/** @param {DrawnHand} hand @param {number} stake @param {boolean} roomy @param {Translate} t */
function besideLines(hand, stake, roomy, t) {
  const doubled = (hand.stakes || []).some((one) => one.doubled) ? "×2" : "";
  const said = note(hand, t);
  if (roomy) return [said, [doubled, stake ? amount(stake) : ""].filter(Boolean).join(" ")].filter(Boolean);
  const first = isBust(hand) || hand.result ? said : doubled || said;
  return first ? [first] : [];
}

/** @param {DrawnHand} hand @param {Area} area @param {Translate} t */
export function beside(hand, area, t) {
  const stake = (hand.stakes || []).reduce((sum, one) => sum + Number(one.amount || 0), 0);
  const lines = besideLines(hand, stake, area.h >= 58, t);
  const number = String(hand.total ?? "");
  const free = discs(hand, Math.max(7, Math.min(12, area.h * 0.2)));
  const wide = area.w - (free ? free.wide : 0);
  const size = Math.min(area.h * (lines.length ? 0.56 : 0.86), (wide * 0.88) / wordWide(number || "0", 1), 46);
  /** @param {string} line */
  const small = (line) => Math.max(LEAST, Math.min(17, (area.h * 0.36) / lines.length, (area.w - 6) / wordWide(line, 1)));
  const high = area.y + area.h * (lines.length ? 0.33 : 0.52);
  return svg(
    "g",
    { class: kind(hand), "data-total": number },
    rect(area, { rx: 6, class: "total-plate" }),
    text(area.x + wide / 2, high, size, "total-number", number),
    lines.map((line, index) =>
      text(area.x + area.w / 2, area.y + area.h * (0.66 + ((index + 0.5) * 0.32) / lines.length), small(line), "total-note", line),
    ),
    free && free.at(area.x + wide - 2, high),
  );
}
