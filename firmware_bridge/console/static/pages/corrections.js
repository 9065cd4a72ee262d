/* What may be corrected, in words: the last command that was a slip, a report that was a mistake.

   1. correctionWords(one, scene, t) is the whole of it ("Undo: Stand Box 3"), takenBackWords(of, scene, t) what is
      taken back ("Stand Box 3"). A command has the words of its own button, with its place. */

import { placeName } from "../draw/places.js";
import { dutyWords, whoWords } from "./alarm/parts.js";
import { read, words } from "./table/commands.js";

const DUTIES = new Set(["approve", "absent", "reconstructed", "cannot-reconstruct"]);
const AT_PLACE = new Set(["seat", "stand-up", "sensor-wrong"]);

/** @param {string} of @param {Scene | null} scene @param {Translate} t */
export function takenBackWords(of, scene, t) {
  const [verb, what] = of.split(" ");
  if (DUTIES.has(verb)) return dutyWords(of, t);
  if (AT_PLACE.has(verb)) return t(`undone.${verb}`, { place: placeName(what, t) });
  if (verb === "answer") return what === "all" ? dutyWords(of, t) : t("undone.answer", { who: whoWords(what, t) });
  if (verb === "call") return t("undone.call", { code: t(`code.${what}`) });
  if (verb === "disclose") return t("alarm.disclose");
  const said = words(read(of), scene, t);
  return [said.label, said.where].filter(Boolean).join(" ");
}

/** @param {Correction} one @param {Scene | null} scene @param {Translate} t */
export function correctionWords({ statement, of }, scene, t) {
  const [verb, code] = statement.split(" ");
  if (verb === "retract") return t("correct.retract", { code: t(`code.${code}`) });
  return t("correct.take-back", { what: takenBackWords(of, scene, t) });
}
