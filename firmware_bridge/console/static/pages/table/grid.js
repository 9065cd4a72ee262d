/* The grid of the Dealer's commands: fourteen places that never move.

   1. cellsOf(scene, app) says of every place what its button means now and how it looks: loud (the advice asks for it),
      ready, or dim. A place that the game never uses is empty, whatever the state.
   2. A dim button can still be reached: a press asks the table why it may not be said, and shows reason and clause. Bets
      are dim too while the advice is to shuffle, to count or to clear an alarm first: a press repeats the advice.
   3. A button whose meaning has changed takes no press for a moment (FRESH_MS): a double tap on "Open bets" would close
      them.
   4. On a phone there are the loud button and what is ready; "All commands" opens the rest, at their places.
   5. The buttons are made once, and only what they say changes: the focus stays where it is. */

import { el, fill } from "../../dom.js";
import { currentLang } from "../../texts.js";
import { correctionWords, takenBackWords } from "../corrections.js";
import { grouped, KEYS, read, speak, words } from "./commands.js";

export const FRESH_MS = 600;
const UPPER = ["bets", "offer", "close", "interim", "settle", "undo", "more"];
const LOWER = ["hit", "stand", "double", "split", "free-double", "free-split", "surrender"];
/** @type {Record<string, string[]>} */
const VERBS = { bets: ["place-bets", "no-more-bets"], undo: [], more: [] };
const BEFORE_BETS = new Set(["shuffle", "count", "clear"]);
const ALWAYS = new Set([...UPPER, "hit", "stand", "double", "split"]);

/** @param {Scene} scene */
function placesOf(scene) {
  const rescues = scene.decisions.includes("rescue");
  return [...UPPER, ...LOWER.map((id) => (id === "free-double" && rescues ? "rescue" : id))];
}

/** @param {Scene} scene @param {string} id */
function asked(scene, id) {
  const wagered = scene.boxes.find((box) => box.mains.length);
  const place = scene.turn || String(wagered?.number ?? 1);
  const offered = scene.offers.insurance ? "insurance" : "surrender";
  /** @type {Record<string, string>} */
  const said = {
    bets: scene.state === "betting" ? "no-more-bets" : "place-bets",
    offer: `offer ${offered}`,
    close: `close ${offered}`,
    interim: "interim",
    settle: "settle",
    undo: "take-back",
  };
  return said[id] || `${id} ${place}`;
}

/** @param {Scene} scene @param {App} app @returns {GridCell[]} */
export function cellsOf(scene, app) {
  const groups = grouped(scene);
  const rescue = groups.others.filter((one) => one.verb === "rescue");
  const spoken = [...groups.announcements, ...groups.decisions, ...rescue];
  const undo = (scene.corrections || []).find((one) => one.statement === "take-back" && app.may(one.roles));
  return placesOf(scene).map((id) => {
    const verbs = VERBS[id] || [id];
    const found = spoken.find((one) => verbs.includes(one.verb)) || null;
    const wanted = scene.advice.press === id; // what the loud line asks for is never dim
    const idle = id === "interim" && !wanted && (!scene.interim || scene.settlement !== null);
    const barred = id === "bets" && BEFORE_BETS.has(scene.advice.key);
    const entry = id === "undo" ? (undo ? read(undo.statement) : null) : idle || barred ? null : found;
    const loud = entry && (id === scene.advice.press || (id === "rescue" && scene.advice.press === "surrender"));
    return {
      id,
      has: ALWAYS.has(id) || scene.decisions.includes(id),
      entry,
      look: id === "more" ? "ready" : loud ? "loud" : entry ? "ready" : "dim",
      ask: asked(scene, id),
      barred,
      undo: id === "undo" ? undo || null : null,
    };
  });
}

/** @param {GridCell} cell @param {Scene} scene @param {App} app */
function labelOf(cell, scene, app) {
  const { t } = app;
  const { id, entry, undo } = cell;
  if (id === "undo" && undo) {
    return { word: t("grid.undo"), more: takenBackWords(undo.of, scene, t), full: correctionWords(undo, scene, t) };
  }
  if (!entry) return { word: t(`grid.${id}`), more: "", full: t(`grid.${id}`) };
  const said = words(entry, scene, t);
  const full = [said.label, said.where].filter(Boolean).join(" ");
  if (id === "offer" || id === "close") return { word: t(`grid.${id}`), more: t(`offer.${entry.what}`), full };
  return { word: id === "bets" ? said.label : t(`grid.${id}`), more: said.short, full };
}

/**
 * @param {App} app
 * @param {() => unknown} more
 */
export function commandGrid(app, more) {
  const { t } = app;
  const root = el("div", { class: "grid", role: "group", "aria-label": t("table.commands") });
  /** @type {GridCell[]} */
  let cells = [];
  /** @type {Map<string, { said: string, until: number }>} */
  const meanings = new Map();
  const buttons = Array.from({ length: 14 }, (_, index) =>
    el("button", { type: "button", class: "command cell", onclick: () => press(index) }),
  );
  const all = el("button", { type: "button", class: "command grid-all", "data-test": "all-commands", onclick: () => whole() }, el("span", { class: "command-word" }, t("grid.all")));
  root.append(...buttons, all);
  whole(false);

  /** @param {boolean} [to] */
  function whole(to = !root.classList.contains("is-whole")) {
    root.classList.toggle("is-whole", to);
    all.setAttribute("aria-expanded", String(to));
  }

  /** @param {number} index */
  async function press(index) {
    const cell = cells[index];
    if (!cell || performance.now() < (meanings.get(cell.id)?.until ?? 0)) return;
    if (cell.id === "more") more();
    else if (cell.entry) speak(app, cell.entry.statement);
    else if (cell.barred && app.scene) app.toast(app.scene.advice.text[currentLang()], "bad");
    else app.report(await app.why(cell.ask));
  }

  /** @param {GridCell} cell @param {HTMLElement} button */
  function markFresh(cell, button) {
    const said = cell.entry?.statement ?? "";
    const before = meanings.get(cell.id);
    if (before?.said === said) return;
    const until = before?.said && said ? performance.now() + FRESH_MS : 0;
    meanings.set(cell.id, { said, until });
    button.toggleAttribute("data-fresh", until > 0);
    if (until) setTimeout(() => button.toggleAttribute("data-fresh", performance.now() < (meanings.get(cell.id)?.until ?? 0)), FRESH_MS);
  }

  /** @param {GridCell} cell @param {HTMLButtonElement} button @param {Scene} scene @param {boolean} open */
  function draw(cell, button, scene, open) {
    const said = labelOf(cell, scene, app);
    const key = cell.id === "more" ? "m" : cell.id === "undo" ? "z" : cell.entry && KEYS[cell.entry.verb];
    markFresh(cell, button);
    button.className = `command cell cell-${cell.id} is-${cell.look}${cell.has ? "" : " is-empty"}`;
    button.disabled = !cell.has || !app.live;
    /** @type {Record<string, string | null>} */
    const marks = {
      "data-cell": cell.id,
      "data-look": cell.has ? cell.look : "empty",
      "data-test": cell.id === "more" ? "more" : cell.id === "undo" ? "correction" : cell.entry ? "say" : "dim",
      "data-statement": cell.entry?.statement ?? null,
      "aria-disabled": cell.look === "dim" ? "true" : null,
      "aria-label": cell.look === "dim" ? t("grid.dim", { what: said.full }) : said.full,
      "aria-keyshortcuts": key ? key.toUpperCase() : null,
      "aria-expanded": cell.id === "more" ? String(open) : null,
    };
    for (const [name, value] of Object.entries(marks)) {
      if (value === null) button.removeAttribute(name);
      else button.setAttribute(name, value);
    }
    fill(
      button,
      cell.has && el("span", { class: "command-word" }, said.word),
      said.more && el("span", { class: "command-place" }, said.more),
    );
  }

  return {
    root,
    /** @param {LiveScene} scene @param {boolean} open */
    update(scene, open) {
      cells = cellsOf(scene, app);
      cells.forEach((cell, index) => draw(cell, buttons[index], scene, open));
    },
    /** @returns {Key[]} */
    keys() {
      return cells.flatMap((cell, index) => {
        const key = cell.id === "more" ? "m" : cell.id === "undo" ? "z" : cell.entry && KEYS[cell.entry.verb];
        const usable = cell.has && (cell.id === "more" || cell.entry);
        return key && usable && app.scene ? [{ key, words: labelOf(cell, app.scene, app).full, run: () => press(index) }] : [];
      });
    },
  };
}
