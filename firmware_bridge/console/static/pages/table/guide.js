/* The pay-and-take guide: what is to be done about every wager, before Settle and, in the past tense, after it.

   1. Everything comes from scene.settlement: the amounts, the reasons and their clauses are the table's.
   2. What was paid or taken on the way is ticked, and in none of the sums of now.
   3. A clause can be pressed: its own words, or what the product does about it (clause_words.js). */

import { el } from "../../dom.js";
import { currentLang } from "../../texts.js";
import { clauseButton } from "../clause_words.js";

/** @param {ShownPayment} row @param {boolean} done @param {Translate} t */
function actWords(row, done, t) {
  return done || row.before ? t(`done.${row.act}`) : t(`act.${row.act}`);
}

/** @param {ShownPayment} row @param {boolean} done @param {App} app */
function rowOf(row, done, app) {
  const { t } = app;
  return el(
    "li",
    { class: `guide-row guide-${row.act}${row.before ? " is-before" : ""}`, "data-test": "payment", "data-box": row.box, "data-kind": row.kind, "data-act": row.act, "data-amount": row.amount, "data-before": String(row.before) },
    el(
      "span",
      { class: "guide-what" },
      t(`wager.${row.kind}`),
      row.hand > 1 && ` ${t("place.hand", { hand: row.hand })}`,
      ` ${row.stake}`,
      row.doubled && ` ${t("detail.doubled")}`,
      row.player && ` · ${row.player}`,
    ),
    el("span", { class: "guide-why" }, row.reason[currentLang()]),
    el("strong", { class: "guide-act" }, row.before && "✓ ", actWords(row, done, t), row.act !== "leave" && ` ${row.amount}`),
    row.clause && clauseButton(app, app.scene?.game || "", row.clause, { class: "clause-button guide-clause", "aria-label": t("guide.clause", { clause: row.clause }) }),
  );
}

/** @param {ShownSettlement} settlement @param {number} box @param {App} app */
export function boxRows(settlement, box, app) {
  const rows = settlement.rows.filter((row) => row.box === box);
  return rows.length > 0 && el("ul", { class: "guide-list" }, rows.map((row) => rowOf(row, settlement.done, app)));
}

/** @param {ShownSettlement} settlement @param {App} app */
export function guide(settlement, app) {
  const { t } = app;
  const { done, pay, take, house, paid, taken } = settlement;
  const boxes = [...new Set(settlement.rows.map((row) => row.box))];
  const before = Number(paid) > 0 || Number(taken) > 0;
  return el(
    "section",
    { class: "guide", "data-test": "guide", "data-done": String(done), "aria-label": t("guide.title") },
    el("h2", null, t(done ? "guide.title-done" : "guide.title")),
    el(
      "p",
      { class: "guide-sums", "data-test": "sums" },
      el("strong", { class: "guide-pay" }, t(done ? "guide.paid" : "guide.pay", { amount: pay })),
      el("strong", { class: "guide-take" }, t(done ? "guide.taken" : "guide.take", { amount: take })),
      el("span", null, t("guide.house", { amount: house })),
      before && el("span", null, t("guide.before", { paid, taken })),
    ),
    boxes.map((box) => el("div", { class: "guide-box" }, el("h3", null, t("place.box", { box })), boxRows(settlement, box, app))),
    el("p", { class: "guide-note" }, t("guide.unseen")),
  );
}
