/* What a printed round has beside what the screen shows: whose print it is, and what proves it.

   1. printHead says the table, the key of the round, who printed it and when; it is filled in when it is printed.
   2. printProof has the digest of the round's last row, and the signed head that covers it: anyone who holds the page and
      the journal can compare them with `truedeal verify`. The signed file itself is the bundle.
   3. Pages are numbered by the style sheet. */

import { el, fill } from "../../dom.js";
import { moment } from "../table/figures.js";

/** @param {App} app @param {ToldRound} told */
export function printHead(app, told) {
  const { t } = app;
  const printed = el("p", { "data-test": "printed" });
  const fillIn = () => {
    const { name, role } = app.session;
    const who = name ? `${name} (${t(`role.${role}`)})` : t("print.nobody");
    fill(printed, t("print.by", { who, at: moment(app, new Date().toISOString()) }));
  };
  fillIn();
  const head = el(
    "div",
    { class: "print-only print-head", "data-test": "print-head" },
    el("p", null, el("strong", null, app.scene?.table ? t("print.table", { table: app.scene.table }) : "truedeal"), " · ", told.round.key),
    printed,
  );
  return Object.assign(head, { fillIn });
}

/** @param {App} app @param {ToldRound} told */
export function printProof(app, told) {
  const { t } = app;
  const { proof } = told.round;
  const head = proof?.head;
  /** @param {string} name @param {string} value */
  const fact = (name, value) => el("div", { class: "fact" }, el("dt", null, t(name)), el("dd", { class: "digest" }, value));
  return el(
    "section",
    { class: "print-only print-proof", "data-test": "print-proof" },
    el("h2", null, t("print.proof")),
    proof
      ? el(
        "dl",
        { class: "facts" },
        fact("print.row", t("print.row-value", { n: proof.n, segment: told.round.segment })),
        fact("print.chain", proof.chain),
        head ? [fact("print.head", t("print.head-value", { number: head.number, n: head.n })), fact("print.head-chain", head.chain), fact("print.signature", head.signature), fact("print.key", head.key)] : fact("print.head", t("print.unsigned")),
      )
      : el("p", null, t("print.unproved")),
  );
}
