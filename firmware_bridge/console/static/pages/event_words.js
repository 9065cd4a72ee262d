/* What happened, in words: a statement of deal notation as a sentence.

   eventWords(statement, t) → text. The statement is as the journal's words have it, with "??" for a card that nobody may
   know. A statement that is not known here is shown as it is.
   answerWords(statement, t) → what somebody answered, "" if it is no answer. */

import { cardName } from "../draw/cards.js";
import { placeName } from "../draw/places.js";

const CARD = /^(?:[A2-9TJQK][SHDC](?:#[A-Za-z0-9]+)?|\?\?|JOKER)$/;
const PLACE = /^(?:\d+(?:\.\d+)?(?:\/\d+)?|dealer|burn|discard)$/;
const ALONE = [
  "place-bets", "no-more-bets", "interim", "settle", "cut-card", "reconstructed", "cannot-reconstruct", "open-shoe",
  "power-cut", "power-on", "restart", "take-back",
];
const AT_PLACE = [
  "stand-up", "collect", "pay", "even-money", "surrender", "hit", "stand", "free-double", "split", "free-split", "rescue",
  "absent", "squeeze", "turn", "sensor-wrong",
];

/** @param {string[]} words @param {Translate} t */
function cards(words, t) {
  return words.filter((word) => CARD.test(word)).map((word) => cardName(word, t)).join(t("list.join"));
}

/** @param {string[]} words @param {string} word */
function after(words, word) {
  const at = words.indexOf(word);
  return at >= 0 ? words.slice(at + 1) : [];
}

/** @param {string[]} words @param {Translate} t */
function by(words, t) {
  const [name] = after(words, "by");
  return name ? t("event.by", { player: name }) : "";
}

/** @param {string[]} words @param {Translate} t */
function draw(words, t) {
  const [card] = after(words, "=");
  const said = card ? cardName(card, t) : "";
  const [place] = words;
  const named = place && place !== "=" && place !== "face-up" && place !== "none";
  if (!card) return t("event.empty");
  if (card === "??" && !named) return t("event.draw-unseen");
  const text = named ? t("event.draw-to", { card: said, place: placeName(place, t) }) : t("event.draw", { card: said });
  return words.includes("face-up") ? text + t("event.face-up") : text;
}

/** @param {string[]} words @param {Translate} t */
function pull(words, t) {
  const shown = cards(after(words, "show"), t);
  return t("event.pull", { count: words[0] }) + (shown ? t("event.shown", { cards: shown }) : "");
}

/** @param {string} who @param {Translate} t */
export function whoWords(who, t) {
  if (/^\d/.test(who)) return t("who.player", { place: placeName(who, t) });
  return ["pit", "house", "dealer", "all"].includes(who) ? t(`who.${who}`) : roleWords(who, t);
}

/** @param {string} role @param {Translate} t */
export function roleWords(role, t) {
  const known = ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "surveillance", "engineer"];
  if (known.includes(role)) return t(`role.${role}`);
  const devices = ["shoe", "shuffler", "hub", "panel", "meter", "angel-eye"];
  return devices.includes(role) ? t(`device.${role}`) : ["console", "daemon"].includes(role) ? t(`from.${role}`) : role;
}

/** @param {string[]} words @param {Translate} t */
function options(words, t) {
  const known = [
    "continue", "withdraw", "accept", "refuse", "void", "first", "second", "third", "fourth", "fifth", "sixth", "skipped",
    "stood", "shuffled", "unshuffled", "unknown",
  ];
  return words.map((word) => (CARD.test(word) ? cardName(word, t) : known.includes(word) ? t(`option.${word}`) : word)).join(t("list.join"));
}

/** @param {PreferenceReport} claim @param {boolean} stands @param {Translate} t */
export function claimWords(claim, stands, t) {
  const said = { place: placeName(claim.place, t), kind: t(`wager.${claim.kind}`), clause: claim.clause };
  /** @param {string} name */
  const player = (name) => (PLACE.test(name) ? whoWords(name, t) : name); // whoever sits there has no name
  if (claim.first) return t(stands ? "claim.stands" : "claim.first", { ...said, player: player(claim.first) });
  return stands ? t("claim.none", said) : t("claim.equal", { ...said, players: claim.equal.map(player).join(t("list.join")) });
}

/** @param {string} statement @param {Translate} t */
export function answerWords(statement, t) {
  const [verb, , ...words] = statement.split(" ");
  return verb === "answer" ? options(words, t) : "";
}

/** @param {string} statement @param {Translate} t */
export function eventWords(statement, t) {
  const [verb, ...words] = statement.split(" ");
  const place = PLACE.test(words[0] || "") ? placeName(words[0], t) : "";
  if (ALONE.includes(verb)) return t(`event.${verb}`);
  if (AT_PLACE.includes(verb)) return t(`event.${verb}`, { place });
  switch (verb) {
    case "seat":
      return t("event.seat", { place }) + (words[1] ? t("event.by", { player: words[1] }) : "");
    case "bet":
    case "unbet": {
      const some = words[2] && words[2] !== "by";
      return t(some ? `event.${verb}` : "event.unbet-all", { place, kind: t(`wager.${words[1]}`), amount: words[2] }) + by(words, t);
    }
    case "agree":
      return t("event.agree", { place, kind: t(`wager.${words[1]}`), player: words[3] });
    case "insure":
      return t("event.insure", { place, amount: words[1] }) + by(words, t);
    case "double":
      return t(words[1] ? "event.double-for" : "event.double", { place, amount: words[1] });
    case "jackpot":
      return t("event.jackpot", { place, multiplier: words[1] });
    case "draw":
      return draw(words, t);
    case "pull":
      return pull(words, t);
    case "lay":
      return t("event.lay", { card: cardName(words[0], t), place: placeName(words[1], t) });
    case "lift":
      return t("event.lift", { card: cardName(words[0], t), place: placeName(words[1], t) });
    case "move":
      return t("event.move", { card: cardName(words[0], t), from: placeName(words[1], t), to: placeName(words[2], t) });
    case "disclose":
      return t("event.disclose", { cards: cards(words, t) || t("event.nothing") });
    case "push-back":
      return t("event.push-back", { card: cardName(words[0], t) });
    case "offer":
    case "close":
      return t(`event.${verb}`, { what: words[0] === "bets" ? t("event.bets") : t(`offer.${words[0]}`) });
    case "shoe-count":
    case "discard-count":
    case "load":
      return t(`event.${verb}`, { count: words[0] });
    case "shuffle":
      return t(`event.shuffle-${words[0] === "riffle" ? "riffle" : "machine"}`, { times: words[1] || 1 });
    case "call":
      return reportWords(words, t);
    case "retract":
      return t("event.retract", { code: t(`code.${words[0]}`) });
    case "answer":
      return t("event.answer", { who: whoWords(words[0], t), what: options(words.slice(1), t) });
    case "approve":
      return t("event.approve", { role: roleWords(words[0], t) });
    case "unplug":
    case "plug":
      return t(`event.${verb}`, { device: roleWords(words[0], t) });
    default:
      return statement;
  }
}

/** @param {string[]} words @param {Translate} t */
function reportWords(words, t) {
  const [number] = after(words, "round");
  const where = words[1] && words[1] !== "round" ? t("event.at", { place: placeName(words[1], t) }) : "";
  return t("event.call", { code: t(`code.${words[0]}`) }) + where + (number ? t("event.of-round", { number }) : "");
}
