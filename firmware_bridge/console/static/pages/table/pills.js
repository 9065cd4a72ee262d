/* What concerns one box is a pill on that box: insurance, even money, surrender out of turn, pay, collect, the meter,
   an agreement, and answers that hold nothing up.

   1. pillsOf(scene) lists by box what its pill means. Everything comes from scene.can and scene.asks.
   2. One thing: a press says it. Several: the first in PRIMARY acts if only one Player is meant, and "…" opens the rest;
      else the pill opens all of them, a row each. A wager that is taken back must be held.
   3. Insurance that has just been said leaves a pill with its mark ("Insured 50") that takes it back, while that is allowed.
   4. A long press on insurance asks for another amount or Player; the details of the box have the same as a button.
   5. The pills lie over the picture, where the total of the box stands; the total moves to the corner of the cards. */

import { el, fill } from "../../dom.js";
import { parse, placeName } from "../../draw/places.js";
import { amount } from "../../draw/wagers.js";
import { onLongPress } from "../../input/long_press.js";
import { openDialog } from "../../input/keys.js";
import { correctionWords } from "../corrections.js";
import { FRESH_MS } from "./grid.js";
import { grouped, speak, words } from "./commands.js";
import { openInsurance } from "./insurance.js";

const ON_BOXES = new Set(["insure", "even-money", "surrender", "pay", "collect", "jackpot", "agree"]);
const PRIMARY = ["even-money", "pay", "collect"];

/** @param {Scene} scene @returns {Map<number, Pill[]>} */
export function pillsOf(scene) {
  /** @type {Map<number, Pill[]>} */
  const found = new Map();
  /** @param {string | null} place @param {Pill} pill */
  const add = (place, pill) => {
    const { box } = parse(place);
    if (box) found.set(box, [...(found.get(box) || []), pill]);
  };
  if (scene.state === "held") return found;
  for (const entry of grouped(scene).others) {
    const later = scene.settlement && ["pay", "collect"].includes(entry.verb); // the guide says it now
    if (ON_BOXES.has(entry.verb) && !later) add(entry.place, { statement: entry.statement, entry, option: "", roles: null });
  }
  for (const ask of scene.asks || []) {
    for (const one of ask.answers) {
      add(ask.who, { statement: one.statement, entry: null, option: one.option, roles: ask.roles, who: ask.who });
    }
  }
  const undo = (scene.corrections || []).find((one) => one.of.startsWith("insure "));
  if (undo) add(undo.of.split(" ")[1], { statement: undo.statement, entry: null, option: "", roles: undo.roles, undo });
  return found;
}

/** @param {Pill} pill @param {Scene} scene @param {Translate} t @param {boolean} whole */
function labelOf(pill, scene, t, whole) {
  if (pill.undo) {
    const mark = t("pill.insured", { amount: amount(pill.undo.of.split(" ")[2]) });
    return whole ? correctionWords(pill.undo, scene, t) : mark;
  }
  if (!pill.entry) {
    const said = t(`option.${pill.option}`);
    return whole ? `${placeName(pill.who || "", t)}: ${said}` : said;
  }
  const said = words(pill.entry, scene, t);
  return whole ? `${said.label} ${said.where}`.trim() : said.label;
}

/** @param {Pill[]} pills */
function primaryOf(pills) {
  if (pills.length === 1) return pills[0];
  const slots = new Set(pills.map((one) => parse(one.entry?.place ?? one.who).slot || 0));
  if (slots.size > 1) return null;
  return PRIMARY.map((verb) => pills.find((one) => one.entry?.verb === verb)).find(Boolean) || null;
}

/** @param {App} app */
export function boxPills(app) {
  const { t } = app;
  const root = el("div", { class: "pills" });
  /** @type {Map<number, { said: string, until: number }>} */
  const meanings = new Map();

  /** @param {number} box @param {string} said */
  function fresh(box, said) {
    const before = meanings.get(box);
    if (before?.said !== said) meanings.set(box, { said, until: before?.said && said ? performance.now() + FRESH_MS : 0 });
    return (meanings.get(box)?.until ?? 0) - performance.now();
  }

  /** @param {number} box @param {Pill[]} pills @param {Scene} scene */
  function sheet(box, pills, scene) {
    const close = openDialog(
      app,
      t("place.box", { box }),
      el("div", { class: "drawer-row pill-sheet" }, pills.map((one) => say(one, labelOf(one, scene, t, true), () => close()))),
    );
  }

  /** @param {Pill} pill @param {string} label @param {() => unknown} [after] */
  function say(pill, label, after) {
    const run = () => {
      after?.();
      speak(app, pill.statement);
    };
    const final = pill.option === "withdraw";
    const test = pill.undo ? "insured" : pill.entry ? "say" : "answer";
    const node = el(
      "button",
      {
        type: "button",
        class: `command pill-say${pill.undo ? " pill-undo" : ""}`,
        "data-test": test,
        "data-statement": pill.statement,
        "aria-label": app.scene ? labelOf(pill, app.scene, t, true) : label,
        disabled: !app.live || (pill.roles !== null && !app.may(pill.roles)),
        oncontextmenu: (/** @type {Event} */ event) => {
          if (pill.entry?.verb !== "insure") return;
          event.preventDefault();
          openInsurance(app, pill.entry.place || "", pill.entry.amount || "");
        },
        onclick: final ? null : (/** @type {Event} */ event) => {
          if (!(/** @type {HTMLElement} */ (event.currentTarget).hasAttribute("data-fresh"))) run();
        },
      },
      el("span", { class: "command-word" }, label),
    );
    return final ? onLongPress(node, app, run) : node;
  }

  /** @param {number} box @param {Pill[]} pills @param {Scene} scene @param {PillArea} at */
  function pillOf(box, pills, scene, at) {
    const first = primaryOf(pills);
    const act = first && say(first, labelOf(first, scene, t, false));
    const wait = fresh(box, first?.statement ?? "");
    if (act && wait > 0) {
      act.setAttribute("data-fresh", "");
      setTimeout(() => act.removeAttribute("data-fresh"), wait);
    }
    const more = {
      type: "button",
      class: `command pill-more${first ? "" : " pill-all"}`,
      "data-test": "answers",
      "data-statements": `|${pills.map((one) => one.statement).join("|")}|`,
      "aria-label": `${t("table.answers", { count: pills.length })} ${t("place.box", { box })}`,
      disabled: !app.live,
      onclick: () => sheet(box, pills, scene),
    };
    return el(
      "div",
      { class: "pill", "data-box": box, style: { left: `${at.x}px`, top: `${at.y}px`, width: `${at.w}px` } },
      act,
      pills.length > 1 && el("button", more, first ? "…" : t("table.answers", { count: pills.length })),
    );
  }

  return {
    root,
    /** @param {Scene} scene @param {Map<number, Pill[]>} pills @param {(box: number) => PillArea | null} areaOf */
    update(scene, pills, areaOf) {
      for (const box of meanings.keys()) if (!pills.has(box)) meanings.delete(box);
      fill(
        root,
        [...pills].map(([box, list]) => {
          const at = areaOf(box);
          return at && pillOf(box, list, scene, at);
        }),
      );
    },
  };
}
