/* Rulings, clauses and readings of the games.

   1. Rulings: one row a finding and its case, one column a stage of the round; a cell has the ruling and its clause, or
      why the finding cannot occur there.
   2. Clauses: every clause of a document, how the product stands to it, the code and the scenarios that hold it; filtered
      by standing and by words.
   3. Readings: where a document can be read in two ways, the one taken, the other, and why. */

import { el, fill } from "../../dom.js";
import { badge } from "../table/figures.js";

const GAMES = ["mbs-blackjack-v6", "mbs-free-bet-v3", "rws-free-bet-2025", "mbs-pontoon-v5", "mbs-ace-race-v4"];
/** @type {Record<string, string>} */
const KINDS = { void: "bad", refer: "bad", continue: "good", "pit-decides": "gold", option: "gold", reconstruct: "calm" };
/** @type {Record<string, [string, string]>} */
const STANDINGS = { enforced: ["good", "✓"], detected: ["good", "!"], asked: ["gold", "?"], recorded: ["", "✎"], outside: ["", "–"] };
const kept = new Map();

/** @param {App} app @param {string} path */
async function fetched(app, path) {
  if (!kept.has(path)) kept.set(path, await app.get(path));
  return kept.get(path);
}

/** @param {App} app @param {GamesChoice} chosen @param {() => unknown} again @param {boolean} [more] */
function gameChoice(app, chosen, again, more = false) {
  const { t } = app;
  const name = more ? "readings" : "game";
  /** @type {HTMLSelectElement} */
  const select = el("select", { class: "find-control", id: "games-game", "data-test": "game", onchange: () => changed(select.value) }, more && el("option", { value: "" }, t("games.every")), GAMES.map((game) => el("option", { value: game }, t(`game.${game}`))));
  select.value = chosen[name];
  /** @param {string} value */
  function changed(value) {
    chosen[name] = value;
    again();
  }
  return el("div", { class: "games-field" }, el("label", { for: "games-game" }, t("round.game")), select);
}

const NEXT = new Set(["void-next", "hold-next"]); // no round is on: what follows for the next one

// --- rulings ----------------------------------------------------------------------------------------------------------

/** @param {App} app @param {WhoseRuling | undefined} found */
function rulingCell(app, found) {
  const { t } = app;
  if (!found) return el("td");
  const note = found.note && t(`note.${found.note_key}`);
  if (!found.ruling) return el("td", { class: "cell-cannot" }, el("span", { class: "unseen" }, t("games.cannot")), el("span", { "aria-hidden": "true" }, "– "), el("span", { class: "cell-note" }, note));
  const said = NEXT.has(found.procedure) ? t(`rule.${found.procedure}`) : t(`ruling.${found.ruling}`);
  return el("td", { class: `ruling ruling-${KINDS[found.ruling] || "plain"}` }, el("span", { class: "ruling-word" }, said), el("span", { class: "cell-clause" }, found.clause), note && el("span", { class: "cell-note" }, note));
}

/** @type {GamesPart} */
export async function rulingsPart(app, chosen, again) {
  const { t } = app;
  /** @type {RulingsTable} */
  const told = await fetched(app, `/api/rulings/${chosen.game}`);
  /** @type {Map<string, RulingLine>} */
  const lines = new Map();
  for (const one of told.rows) {
    const name = `${one.code} ${one.case}`;
    const line = lines.get(name) || { code: one.code, case: one.case_key, whose: one.whose, cells: {} };
    for (const stage of one.stages) line.cells[stage] = one;
    lines.set(name, line);
  }
  const head = el("tr", null, el("th", { scope: "col" }, t("health.finding")), told.stages.map((stage) => el("th", { scope: "col" }, t(`stage.${stage.key}`))));
  const row = (/** @type {RulingLine} */ line) =>
    el(
      "tr",
      { "data-test": "ruling", "data-code": line.code },
      el("th", { scope: "row" }, t(`code.${line.code}`), line.case && el("span", { class: "case" }, t(`case.${line.case}`)), el("span", { class: "cell-note" }, t("games.whose", { whose: t(`whose.${line.whose}`) }))),
      told.stages.map((stage) => rulingCell(app, line.cells[stage.name])),
    );
  return [
    el("div", { class: "games-tools" }, gameChoice(app, chosen, again), el("p", { class: "soft wide-note" }, t("games.rulings-note"))),
    el(
      "div",
      { class: "games-scroll", tabindex: "0", role: "region", "aria-label": t("games.rulings") },
      el("table", { class: "plain-table rulings" }, el("thead", null, head), el("tbody", null, [...lines.values()].map(row))),
      el(
        "details",
        { class: "precedence" },
        el("summary", null, t("games.precedence")),
        el("ol", null, told.precedence.map((one) => el("li", null, el("strong", null, t(`code.${one.code}`)), " ", el("span", { class: "soft", lang: "en" }, one.why)))),
      ),
    ),
  ];
}

// --- clauses ----------------------------------------------------------------------------------------------------------

/** @param {App} app @param {string[]} names */
function heldBy(app, names) {
  const { t } = app;
  if (!names.length) return "";
  const list = el("ul", { class: "held" }, names.map((name) => el("li", null, name)));
  return el("details", null, el("summary", null, t(names.length > 1 ? "games.held" : "games.held-one", { count: names.length })), list);
}

/** @type {GamesPart} */
export async function clausesPart(app, chosen, again) {
  const { t } = app;
  /** @type {ClausesTable} */
  const told = await fetched(app, `/api/clauses/${chosen.game}`);
  const standings = Object.keys(STANDINGS).filter((name) => told.totals[name]);
  const body = el("tbody");
  const count = el("p", { class: "soft", role: "status" });
  const standing = el("select", { class: "find-control", id: "games-standing", "data-test": "standing", onchange: () => filter() }, el("option", { value: "" }, t("games.any-standing", { count: told.rows.length })), standings.map((name) => el("option", { value: name }, `${t(`standing.${name}`)} (${told.totals[name]})`)));
  const search = el("input", { class: "find-control", id: "games-words", type: "search", "data-test": "clause-filter", value: chosen.words, oninput: () => filter() });
  standing.value = standings.includes(chosen.standing) ? chosen.standing : "";
  const rows = told.rows.map((one) => {
    const [kind, sign] = STANDINGS[one.standing];
    const code = one.code.map((place) => place.name);
    const holders = one.held_by.map((holder) => [holder.file, holder.test].filter(Boolean).join(" "));
    const text = [one.clause, one.note, ...code, ...holders].join(" ").toLowerCase();
    const node = el(
      "tr",
      { "data-test": "clause", "data-clause": one.clause },
      el("th", { scope: "row", class: "clause" }, one.clause),
      el("td", null, badge(t(`standing.${one.standing}`), kind, sign)),
      el("td", { lang: "en" }, one.note, code.length > 0 && el("span", { class: "code" }, code.join(" "))),
      told.held && el("td", null, heldBy(app, holders)),
    );
    return { one, text, node };
  });
  function filter() {
    chosen.standing = standing.value;
    chosen.words = search.value;
    const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter(({ one, text }) => (!standing.value || one.standing === standing.value) && wanted.every((word) => text.includes(word)));
    fill(body, shown.map(({ node }) => node));
    fill(count, t("games.clauses-shown", { shown: shown.length, count: rows.length }));
  }
  filter();
  /** @param {string} id @param {string} label @param {Child} control */
  const field = (id, label, control) => el("div", { class: "games-field" }, el("label", { for: id }, label), control);
  const head = [t("detail.clause"), t("games.standing"), t("games.note"), ...(told.held ? [t("games.held-by")] : [])];
  return [
    el("div", { class: "games-tools" }, gameChoice(app, chosen, again), field("games-standing", t("games.standing"), standing), field("games-words", t("games.filter"), search), count),
    el("div", { class: "games-scroll", tabindex: "0", role: "region", "aria-label": t("games.clauses") }, el("table", { class: "plain-table clauses-table" }, el("thead", null, el("tr", null, head.map((text) => el("th", { scope: "col" }, text)))), body)),
  ];
}

// --- readings ---------------------------------------------------------------------------------------------------------

/** @type {GamesPart} */
export async function readingsPart(app, chosen, again) {
  const { t } = app;
  /** @type {ReadingsTable} */
  const told = await fetched(app, "/api/readings");
  const shown = told.rows.filter((one) => !chosen.readings || one.games.includes(chosen.readings));
  /** @param {string} name @param {string} text */
  const line = (name, text) => el("div", { class: "fact" }, el("dt", null, t(`reading.${name}`)), el("dd", { lang: "en" }, text));
  /** @param {ReadingRow} one */
  const card = (one) =>
    el(
      "article",
      { class: "reading", "data-test": "reading" },
      el("h2", { lang: "en" }, one.name),
      el("p", { class: "soft" }, one.games.map((game) => t(`game.${game}`)).join(" · "), el("br"), el("span", { lang: "en" }, one.clauses)),
      el("p", { class: "reading-question", lang: "en" }, one.question),
      el("dl", null, line("taken", one.taken), line("other", one.other), line("why", one.why)),
    );
  return [
    el("div", { class: "games-tools" }, gameChoice(app, chosen, again, true), el("p", { class: "soft" }, t("games.readings-note", { count: shown.length }))),
    el("div", { class: "readings" }, shown.map(card)),
  ];
}
