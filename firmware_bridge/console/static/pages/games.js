/* Games: the five rulesets side by side, the rulings matrix, the clause matrix, the readings.

   1. One of the four parts is shown at a time; what is chosen in it stays while the page is open. The part stands in
      the address, and so may a game and words to look for: #/games/clauses?game=mbs-blackjack-v6&words=5.6.1.
   2. The tables are what the software states of itself, the same as the commands games, rulings, clauses and readings
      print. The rules' own text is not repeated: clauses are cited by number.
   3. Notes and readings are written in English; they are marked so for those who hear the page. */

import { el, fill } from "../dom.js";
import { problem, waitingNote } from "./table/figures.js";
import { comparePart } from "./games/compare.js";
import { clausesPart, readingsPart, rulingsPart } from "./games/parts.js";

/** @type {Record<GamesChoice["part"], GamesPart>} */
const PARTS = { compare: comparePart, rulings: rulingsPart, clauses: clausesPart, readings: readingsPart };
/** @type {GamesChoice} */
const chosen = { part: "compare", game: "", all: false, standing: "", words: "", readings: "" };

/** @param {string} name @returns {name is GamesChoice["part"]} */
const isPart = (name) => Object.hasOwn(PARTS, name);

/** @param {HTMLElement} root @param {App} app @param {string[]} [rest] @param {Record<string, string>} [query] @returns {Page} */
export function mount(root, app, rest = [], query = {}) {
  const { t } = app;
  const [part = ""] = rest;
  if (isPart(part)) chosen.part = part;
  Object.assign(chosen, query.game && { game: query.game }, query.words && { words: query.words, standing: "" });
  const body = el("div", { class: "games-body", id: "games-part", role: "tabpanel" });
  let turn = 0;
  chosen.game = chosen.game || app.scene?.game || "mbs-blackjack-v6";

  async function show() {
    const mine = (turn += 1);
    fill(body, waitingNote(app));
    body.setAttribute("aria-labelledby", `games-${chosen.part}`);
    body.scrollTop = 0;
    try {
      const made = await PARTS[chosen.part](app, chosen, show);
      if (mine === turn) fill(body, made);
    } catch (error) {
      if (mine === turn) fill(body, problem(app, error, show));
    }
  }

  const names = /** @type {GamesChoice["part"][]} */ (Object.keys(PARTS));
  const tabs = names.map((name) => el("button", { type: "button", role: "tab", id: `games-${name}`, class: "part-tab", "aria-controls": "games-part", "data-test": `games-${name}`, onclick: () => choose(name) }, t(`games.${name}`)));

  /** @param {GamesChoice["part"]} name */
  function choose(name) {
    chosen.part = name;
    if (!location.hash.startsWith(`#/games/${name}`)) history.replaceState(null, "", `#/games/${name}`);
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(names[index] === name));
      tab.tabIndex = names[index] === name ? 0 : -1;
    });
    show();
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (names.indexOf(chosen.part) + by + names.length) % names.length;
    choose(names[next]);
    tabs[next].focus();
  }

  root.append(el("div", { class: "games", "data-test": "games" }, el("h1", { class: "unseen" }, t("nav.games")), el("div", { class: "part-tabs games-tabs", role: "tablist", "aria-label": t("nav.games"), onkeydown: move }, tabs), body));
  choose(chosen.part);
  return {
    close() {
      turn += 1;
    },
  };
}
