/* Commands: what may be said now, as buttons.

   1. Everything comes from scene.can: statements of deal notation that the table takes now. grouped(scene) sorts them:
      announcements; decisions of the hand whose turn it is; everything else.
   2. words(entry, scene, t) is a statement as a label: what is done, and where, in words and short ("Box 2.1"). The
      hand is named where the box is split, the slot where several wager.
   3. KEYS has the key of each command of the grid.
   4. button(app, entry) says the statement once; while the answer is awaited every command of the page waits. */

import { el } from "../../dom.js";
import { parse, placeName } from "../../draw/places.js";
import { amount } from "../../draw/wagers.js";

export const ANNOUNCEMENTS = ["place-bets", "no-more-bets", "offer", "close", "interim", "settle"];
export const DECISIONS = [
  "hit",
  "stand",
  "double",
  "free-double",
  "split",
  "free-split",
  "rescue",
  "surrender",
];
/** @type {Record<string, string>} */
export const KEYS = {
  "place-bets": "b",
  "no-more-bets": "b",
  offer: "o",
  close: "c",
  interim: "i",
  settle: "e",
  hit: "h",
  stand: "s",
  double: "d",
  "free-double": "f",
  split: "p",
  "free-split": "g",
  rescue: "r",
  surrender: "u",
};
let waiting = false;

/** @param {string} statement @returns {Entry} */
export function read(statement) {
  const [verb, first, second, , player] = statement.split(" ");
  const place = /^(\d|dealer|burn|discard)/.test(first || "") ? first : null;
  if (verb === "agree") return { statement, verb, place, what: null, amount: null, kind: second, player };
  return { statement, verb, place, what: place ? null : first, amount: place ? second : null };
}

/** @param {string} place @param {Scene | null} scene */
export function shownPlace(place, scene) {
  const at = parse(place);
  const box = scene?.boxes.find((one) => one.number === at.box);
  if (!box) return place;
  const hand = (box.hands || []).length > 1 && at.hand ? `.${at.hand}` : "";
  const slot = (box.mains || []).length > 1 && at.slot ? `/${at.slot}` : "";
  return `${at.box}${hand}${slot}`;
}

/** @param {Entry} entry @param {Scene | null} scene @param {Translate} t */
export function words(entry, scene, t) {
  const what = entry.what ? t(`offer.${entry.what}`) : "";
  const agreed = entry.kind ? { kind: t(`wager.${entry.kind}`), player: entry.player } : {};
  const label = t(`command.${entry.verb}`, { what, amount: entry.amount ? amount(entry.amount) : "", ...agreed });
  const place = entry.place && shownPlace(entry.place, scene);
  return { label, where: place ? placeName(place, t) : "", short: place ? t("place.box", { box: place }) : "" };
}

/** @param {Scene} scene */
export function grouped(scene) {
  const turn = parse(scene.turn);
  /** @type {{ announcements: Entry[], decisions: Entry[], others: Entry[] }} */
  const groups = { announcements: [], decisions: [], others: [] };
  for (const { statement } of scene.can || []) {
    const entry = read(statement);
    const at = parse(entry.place);
    const box = (scene.boxes || []).find((one) => one.number === at.box);
    const mine = turn.box && at.box === turn.box && (at.hand || 1) === (turn.hand || 1);
    const decides = !box || !at.slot || !box.controller || at.slot === box.controller;
    if (ANNOUNCEMENTS.includes(entry.verb)) groups.announcements.push(entry);
    else if (DECISIONS.includes(entry.verb) && mine && decides) groups.decisions.push(entry);
    else groups.others.push(entry);
  }
  groups.decisions.sort((a, b) => DECISIONS.indexOf(a.verb) - DECISIONS.indexOf(b.verb));
  return groups;
}

/** @param {App} app @param {string} statement */
export async function speak(app, statement) {
  if (waiting) return false;
  waiting = true;
  document.body.classList.add("is-waiting");
  try {
    return app.report(await app.say(statement));
  } finally {
    waiting = false;
    document.body.classList.remove("is-waiting");
  }
}

/** @param {App} app @param {Entry} entry @param {{ brief?: boolean, class?: string, onsay?: () => unknown }} [more] */
export function button(app, entry, more = {}) {
  const said = words(entry, app.scene, app.t);
  const label = more.brief ? said.where || said.label : said.label;
  const where = more.brief ? (entry.amount ? said.label : "") : said.short;
  return el(
    "button",
    {
      type: "button",
      class: `command command-${entry.verb} ${more.class || ""}`,
      "data-test": "say",
      "data-statement": entry.statement,
      "aria-keyshortcuts": entry.key ? entry.key.toUpperCase() : null,
      "aria-label": more.brief || where !== said.where ? `${said.label} ${said.where}`.trim() : null,
      disabled: !app.live,
      onclick: () => {
        more.onsay?.();
        speak(app, entry.statement);
      },
    },
    el("span", { class: "command-word" }, label),
    (where || entry.key) &&
      el(
        "span",
        { class: "command-place" },
        entry.key && el("kbd", { "aria-hidden": "true" }, entry.key.toUpperCase()),
        where,
      ),
  );
}
