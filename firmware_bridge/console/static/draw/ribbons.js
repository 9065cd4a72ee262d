/* The ribbon of a hand: what was decided on it, or what is to be paid and taken there.

   1. ribbonsOf(scene, box) gives a ribbon by the number of the hand: the key of its text, and what fills it.
   2. When the round is to be settled, or was, the sums of the box stand on its first hand, those of a split box on each
      hand. On the way: paid or taken, even money, half back, returned, stood. */

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

/** @param {ShownHand} hand @returns {Ribbon | null} */
function decided(hand) {
  const stakes = hand.stakes || [];
  /** @param {(one: ShownStake) => boolean} was */
  const all = (was) => stakes.length > 0 && stakes.every(was);
  const half = stakes.reduce((sum, one) => sum + Number(one.amount) / 2, 0);
  if (hand.settled) return (hand.total ?? 0) > 21 || all((one) => one.surrendered)
    ? { kind: "take", text: "ribbon.taken" }
    : { kind: "pay", text: "ribbon.paid" };
  if (all((one) => one.even_money)) return { kind: "pay", text: "ribbon.even-money" };
  if (all((one) => one.surrendered)) return { kind: "take", text: "ribbon.half-back", values: { amount: amount(half) } };
  if (all((one) => one.off)) return { kind: "leave", text: "ribbon.returned" };
  return hand.stood ? { kind: "mark", text: "ribbon.stood" } : null;
}

/** @param {DrawnScene} scene @param {ShownBox} box @returns {Record<number, Ribbon>} */
export function ribbonsOf(scene, box) {
  /** @type {Record<number, Ribbon>} */
  const found = {};
  const several = (box.hands || []).length > 1;
  for (const hand of box.hands || []) {
    const rows = (scene.settlement?.rows || []).filter((row) => row.box === box.number && (!several || row.hand === hand.hand));
    const ribbon = scene.settlement ? settled(rows.filter((row) => !row.before), scene.settlement.done) || settled(rows, true) : decided(hand);
    if (ribbon) found[hand.hand] = ribbon;
  }
  return found;
}
