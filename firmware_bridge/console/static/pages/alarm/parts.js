/* What the Alarm says: queue, question, moves.

   1. itemsOf(scene) lists what is to be dealt with, one after the other: every open matter with its alarm, then every
      alarm that nobody has cleared and whose matter is closed. One event is one of them.
   2. A question is put in words by its options; who is asked, by name of the place or of the position. Who is left one
      card is asked whether they take it.
   3. Of many moves those around the first that is not done are shown, so that nothing scrolls. */

import { el } from "../../dom.js";
import { cardName, cardShort } from "../../draw/cards.js";
import { placeName } from "../../draw/places.js";
import { roleWords } from "../login/login.js";

export const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const CARD = /^([A2-9TJQK][SHDC])(#\w+)?$/;

/** @param {string} option */
export function isCard(option) {
  return CARD.test(option);
}

/** @param {LiveScene | null} scene @returns {OpenItem[]} */
export function itemsOf(scene) {
  if (!scene) return [];
  const alarms = scene.alarms || [];
  /** @param {{ key: string, code: string }} one */
  const name = (one) => one.key && `${one.key} ${one.code}`;
  /** @type {OpenItem[]} */
  const matters = (scene.matters || []).map((matter) => ({
    kind: "matter",
    ...matter,
    roles: [],
    alarm: alarms.find((one) => name(one) === name(matter)) || null,
  }));
  const open = new Set(matters.map(name));
  /** @type {OpenItem[]} */
  const others = alarms.filter((one) => !open.has(name(one))).map((one) => ({ kind: "alarm", ...one, moves: [] }));
  return [...matters, ...others];
}

/** @param {string} who @param {Translate} t */
export function whoWords(who, t) {
  return /^\d/.test(who) ? t("who.player", { place: placeName(who, t) }) : t(`who.${who}`);
}

/** @param {ShownAsk} ask @param {Translate} t @param {(key: string) => boolean} has */
export function questionWords(ask, t, has) {
  const who = whoWords(ask.who, t);
  const [first, second] = ask.options;
  if (isCard(first) && ask.options.length === 2 && second === "refuse") return t("ask.accept-refuse", { who });
  if (ORDINALS.includes(first) || isCard(first)) return t("ask.which", { who });
  if (first === "skipped") return t("ask.skipped-stood", { who });
  const key = `ask.${first}-${second}`;
  return t(has(key) ? key : "ask.other", { who });
}

/** @param {string} option @param {Translate} t */
export function optionWords(option, t) {
  return isCard(option) ? cardShort(option) : t(`option.${option}`);
}

/** @param {string} statement @param {Translate} t */
export function dutyWords(statement, t) {
  const [verb, what] = statement.split(" ");
  if (verb === "approve") return t("duty.approve", { role: t(`role.${what}`) });
  if (verb === "absent") return t("duty.absent", { place: placeName(what, t) });
  return t(`duty.${verb}`);
}

/** @param {string} code @param {Translate} t */
export function mini(code, t) {
  const hidden = code === "??";
  const kind = hidden ? "back" : /[HD](#|$)/.test(code) ? "red" : "black";
  return el("span", { class: `mini mini-${kind}`, role: "img", "aria-label": cardName(code, t) }, hidden ? "?" : cardShort(code));
}

/** @param {string} at */
export function clock(at) {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleTimeString([], { hour12: false });
}

/** @param {OpenItem} item @param {Translate} t */
export function obstacle(item, t) {
  if (item.kind === "alarm" || !item.obstacle) return null;
  return el("p", { class: "alarm-obstacle" }, "⚠ ", t("alarm.obstacle", { why: t(`obstacle.${item.obstacle}`) }));
}

/** @param {ShownMove[]} moves @param {number} room @param {Translate} t */
export function movesList(moves, room, t) {
  const done = moves.filter((move) => move.done).length;
  const first = moves.findIndex((move) => !move.done);
  const from = Math.max(0, Math.min(first < 0 ? moves.length : first - 1, moves.length - room));
  /** @param {ShownMove} move @param {number} index */
  const row = (move, index) =>
    el(
      "li",
      {
        class: `step${move.done ? " step-done" : index === first ? " step-now" : ""}`,
        "data-test": "move",
        "data-done": String(move.done),
        "data-card": move.card.split("#")[0],
        "data-from": move.from,
        "data-to": move.to,
      },
      el("span", { class: "step-number", "aria-hidden": "true" }, move.done ? "✓" : String(index + 1)),
      mini(move.card, t),
      el(
        "span",
        { class: "step-words" },
        t("alarm.from-to", { from: placeName(move.from, t), to: placeName(move.to, t) }),
      ),
      el("span", { class: "unseen" }, move.done ? t("alarm.done") : index === first ? t("alarm.now") : ""),
    );
  return el(
    "section",
    { class: "alarm-moves", "aria-label": t("alarm.moves") },
    el("h3", null, first < 0 ? t("alarm.all-done") : t("alarm.moves-done", { done, count: moves.length })),
    el("ol", { class: "steps", start: from + 1 }, moves.map(row).slice(from, from + room)),
  );
}

/** @param {string[]} roles @param {Translate} t */
export function needs(roles, t) {
  return t("alarm.needs", { roles: roleWords(roles, t) });
}
