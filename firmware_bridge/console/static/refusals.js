/* Why something was refused, in the language that is set.

   1. refusalWords(said, app) → text. said.refused is the reason in English; said.refusal has its key, the clause if the
      rules refuse, and what stands in the gaps of the text.
   2. The last part of a gap's name says what stands there: "from_place" is a place. What is not known here is shown as
      it is.
   3. The texts are loaded once the page is drawn. Until they are there the English is shown. */

import { cardName } from "./draw/cards.js";
import { placeName } from "./draw/places.js";
import { roleWords, whoWords } from "./pages/event_words.js";

export const REFUSALS = "/static/texts/refusals.json";

/** @type {Record<string, (value: any, t: Translate) => string>} */
const GAPS = {
  place: placeName,
  card: cardName,
  who: whoWords,
  code: (value, t) => t(`code.${value}`),
  ruling: (value, t) => t(`ruling.${value}`),
  role: roleWords,
  roles: (value, t) => joined(value, "refusal.or", t),
  signatories: (value, t) => joined(value, "refusal.and", t),
  device: roleWords,
  devices: (value, t) => joined(value, "list.join", t),
  tables: (value, t) => value.join(t("list.join")),
  kinds: (value, t) => value.join(t("list.join")),
  offer: (value, t) => t(`offer.${value}`),
  wager: (value, t) => t(`wager.${value}`),
  since: (value, t) => t(`since.${value}`),
  note: (value, t) => t(`note.${value}`),
  natural: (value, t) => t(`natural.${value.toLowerCase()}`),
  softness: (value, t) => t(`softness.${value}`),
  players: (value, t) => value.join(t("list.join")),
  options: (value, t) => value.map((/** @type {string} */ option) => t(`option.${option}`)).join(t("refusal.or")),
};

/** @param {string[]} words @param {string} between @param {Translate} t */
function joined(words, between, t) {
  return words.map((word) => roleWords(word, t)).join(t(between));
}

/**
 * @param {{ refused?: string | null, refusal?: RefusalReport | null }} said
 * @param {BaseApp} app
 * @returns {string}
 */
export function refusalWords(said, { t, has }) {
  const { refusal } = said;
  if (!refusal || !has(`refusal.${refusal.key}`)) return said.refused || "";
  const filled = Object.entries(refusal.arguments).map(([name, value]) => {
    const words = GAPS[name.slice(name.lastIndexOf("_") + 1)];
    return [name, words ? words(value, t) : value];
  });
  const why = t(`refusal.${refusal.key}`, Object.fromEntries(filled));
  return refusal.clause ? t("refusal.with-clause", { why, clause: refusal.clause }) : why;
}
