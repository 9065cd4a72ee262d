/* A clause that can be pressed: its own words, where the house has put its approved document on the box.

   1. clauseButton(app, game, clause) shows the number; a press shows the words, or says that the house has put no
      document here. The product ships none. Below them is the way to what the product does about the clause.
   2. clausePrint(app, game, clause) is the same for paper: it fills itself, and stays empty without a document. */

import { el, fill } from "../dom.js";
import { closeDialog, openDialog } from "../input/keys.js";

/** @param {App} app @param {string} game @param {string} clause @returns {Promise<string | null>} */
async function words(app, game, clause) {
  const path = `/api/words/${encodeURIComponent(game)}/${encodeURIComponent(clause)}`;
  const told = await app.get(path).catch(() => null);
  return told?.words ?? null;
}

/** @param {App} app @param {string} game @param {string} clause @param {Record<string, string>} [more] */
export function clauseButton(app, game, clause, more = {}) {
  const { t } = app;
  const show = async () => {
    const said = await words(app, game, clause);
    const text = said === null ? t("clause.none") : said;
    const standing = `#/games/clauses?game=${encodeURIComponent(game)}&words=${encodeURIComponent(clause)}`;
    openDialog(app, t("alarm.clause", { clause }), [
      el("div", { class: "clause-words", tabindex: "0", "data-test": "clause-words" }, text.split("\n").map((line) => el("p", null, line))),
      el("p", null, el("a", { class: "clause-standing", href: standing, "data-test": "clause-standing", onclick: () => closeDialog() }, t("clause.standing"))),
    ]);
  };
  return el("button", { type: "button", class: "clause-button", "data-test": "clause", "data-clause": clause, onclick: show, ...more }, t("alarm.clause", { clause }));
}

/** @param {App} app @param {string} game @param {string} clause */
export function clausePrint(app, game, clause) {
  const { t } = app;
  const node = el("blockquote", { class: "print-only clause-print", "data-test": "clause-print" });
  words(app, game, clause).then((said) => said !== null && fill(node, el("strong", null, t("alarm.clause", { clause })), el("p", null, said)));
  return node;
}
