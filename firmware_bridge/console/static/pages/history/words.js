/* What a step brought: findings, refusals, questions and the state it led to. */

import { badge } from "../table/figures.js";
import { claimWords, eventWords, whoWords } from "../event_words.js";
import { refusalWords } from "../../refusals.js";
import { currentLang } from "../../texts.js";

/** @param {PastStep["brought"][number]} said @param {Translate} t */
function one(said, t) {
  switch (said.is) {
    case "found":
      return badge(t("brought.found", { code: t(`code.${said.code}`), clause: said.clause, ruling: t(`ruling.${said.ruling}`) }), "bad", "!");
    case "entered":
      return badge(t(`state.${said.state}`), "", "→");
    case "implied":
      return badge(t("brought.implied", { what: eventWords(said.what, t) }), "", "·");
    case "advised":
      return badge(said.what[currentLang()], "gold", "!");
    case "taken-back":
      return badge(t("brought.taken-back"), "gold", "↶");
    case "claimed":
    case "awarded":
      return badge(claimWords(/** @type {any} */ (said), said.is === "awarded", t), said.first ? "" : "gold", "·");
    case "settled":
      return badge(t("brought.settled", { count: said.wagers }), "good", "✓");
    default:
      return null;
  }
}

/** @param {App} app @param {PastStep} step */
export function broughtWords(app, step) {
  const { t } = app;
  const asked = step.brought.filter((said) => said.is === "asked");
  const people = asked.map((said) => t("brought.who", { who: whoWords(said.who, t), clause: said.clause })).join(t("list.join"));
  return [
    step.refused && badge(t("brought.refused", { why: refusalWords(step, app) }), "bad", "×"),
    step.brought.map((said) => one(said, t)),
    people && badge(t("brought.asked", { who: people }), "gold", "?"),
  ];
}
