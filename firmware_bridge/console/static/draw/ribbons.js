/* The ribbon of a hand: what was decided on it, or what is to be paid and taken there.

   1. ribbonsOf(scene, box) gives a ribbon by the number of the hand: the key of its text, and what fills it.
   2. When the round is to be settled, or was, the sums of the box stand on its first hand, those of a split box on each
      hand. On the way: paid or taken with the amount, even money, half back, returned, stood. Where one of several
      Players has decided so, the ribbon begins with the number that their chips have. */

import { amount } from "./wagers.js";

/** @param {ShownPayment[]} rows @param {boolean} done @returns {Ribbon | null} */
function settled(rows, done) {
  /** @param {string} act */
  const sum = (act) => rows.filter((row) => row.act === act).reduce((total, row) => total + Math.round(Number(row.amount) * 100), 0);
  const [pay, take] = [sum("pay"), sum("take")];
  const values = { pay: amount(pay / 100), take: amount(take / 100) };
  if (!rows.length) return null;
  const what = pay && take ? "both" : pay ? "pay" : take ? "take" : "leave";
  return { kind: pay ? "pay" : take ? "take" : "leave", text: done ? `ribbon.done-${what}` : `ribbon.now-${what}`, values };
}

/* Who has decided so, the kind of the ribbon, its text, and its text where others on the hand have not. */
/** @type {[(one: ShownStake) => boolean, Ribbon["kind"], string, string][]} */
const DECISIONS = [
  [(one) => one.even_money, "pay", "ribbon.even-money", "ribbon.even-money-one"],
  [(one) => one.surrendered, "take", "ribbon.half-back", "ribbon.half-back-one"],
  [(one) => one.off, "leave", "ribbon.returned", "ribbon.returned-one"],
];

/** @param {ShownHand} hand @param {ShownPayment[]} rows @returns {Ribbon | null} */
function decided(hand, rows) {
  const stakes = hand.stakes || [];
  if (hand.settled) return settled(rows, true);
  for (const [was, kind, all, some] of DECISIONS) {
    const who = stakes.filter(was);
    if (!who.length) continue;
    const half = who.reduce((sum, one) => sum + Number(one.amount) / 2, 0);
    const slots = who.map(({ slot }) => slot).join(", ");
    return { kind, text: who.length < stakes.length ? some : all, values: { amount: amount(half), slots } };
  }
  return hand.stood ? { kind: "mark", text: "ribbon.stood" } : null;
}

/** @param {DrawnScene} scene @param {ShownBox} box @returns {Record<number, Ribbon>} */
export function ribbonsOf(scene, box) {
  /** @type {Record<number, Ribbon>} */
  const found = {};
  const several = (box.hands || []).length > 1;
  /** @param {ShownHand} hand */
  const paid = (hand) => (scene.on_the_way || []).filter((row) => row.box === box.number && row.kind === "main" && row.hand === hand.hand);
  for (const hand of box.hands || []) {
    const rows = (scene.settlement?.rows || []).filter((row) => row.box === box.number && (!several || row.hand === hand.hand));
    const ribbon = scene.settlement ? settled(rows.filter((row) => !row.before), scene.settlement.done) || settled(rows, true) : decided(hand, paid(hand));
    if (ribbon) found[hand.hand] = ribbon;
  }
  return found;
}
