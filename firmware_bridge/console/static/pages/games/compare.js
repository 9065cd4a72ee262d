/* The five games side by side: one row a parameter, each cell with its clause.

   A row in which the games differ is marked by a sign and a word for those who hear the page, and the cells that differ from
   most of the others by a frame. Where there is no most, every cell of the row is marked. */

import { el } from "../../dom.js";

const RANKED = ["ranks", "insurance-wins-on", "surrender-against"];
/** @type {GamesTable | null} */
let told = null;

/** @param {App} app @param {RuleRow} one */
function rowName({ t }, one) {
  return one.wager ? `${t(`wager.${one.wager}`)}${t("games.colon")}${t(`line.${one.key}`)}` : t(`rules.${one.key}`);
}

/** @param {RuleCell[]} cells @returns {(one: RuleCell) => boolean} */
function odd(cells) {
  const counts = new Map();
  for (const one of cells) counts.set(one.value, (counts.get(one.value) || 0) + 1);
  const most = Math.max(...counts.values());
  const common = [...counts].filter(([, count]) => count === most);
  return (one) => common.length > 1 || most < 2 || one.value !== common[0][0];
}

/** @param {App} app @param {string} name @param {RuleCell} cell */
function value(app, name, cell) {
  const { t } = app;
  const text = cell.value;
  if (cell.key) return t(`value.${cell.key}`);
  const range = /^(\d+) to (\d+)$/.exec(text);
  if (range) return ["decks", "boxes"].includes(name) ? t("games.range", { least: range[1], most: range[2] }) : t("games.odds", { pays: range[1], of: range[2] });
  if (RANKED.includes(name)) return [...text].map((rank) => (rank === "T" ? "10" : rank)).join(" ");
  if (name === "natural") return t(`natural.${text.toLowerCase()}`);
  return app.has(`wager.${text}`) ? t(`wager.${text}`) : text;
}

/** @param {App} app @param {RuleRow} one @param {{ id: string }[]} games */
function row(app, one, games) {
  const { t } = app;
  const differs = odd(games.map((game) => one.games[game.id]));
  return el(
    "tr",
    { class: one.differs ? "is-different" : "", "data-test": "rule", "data-differs": String(one.differs) },
    el("th", { scope: "row" }, el("span", { class: "differs-sign", "aria-hidden": "true" }, one.differs ? "≠" : "="), rowName(app, one), one.differs && el("span", { class: "unseen" }, t("games.differs"))),
    games.map((game) => {
      const cell = one.games[game.id];
      const none = cell.value === "-";
      return el("td", { class: one.differs && differs(cell) ? "cell-odd" : "" }, el("span", { class: none ? "soft" : "" }, none ? "–" : value(app, one.key, cell)), cell.clause && el("span", { class: "cell-clause" }, cell.clause));
    }),
  );
}

/** @type {GamesPart} */
export async function comparePart(app, chosen, again) {
  const { t } = app;
  /** @type {GamesTable} */
  const { games, rows } = told || (await app.get("/api/games"));
  told = { games, rows };
  const shown = rows.filter((one) => chosen.all || one.differs);
  const turn = () => {
    chosen.all = !chosen.all;
    again();
  };
  return [
    el(
      "div",
      { class: "games-tools" },
      el("label", { class: "check" }, el("input", { type: "checkbox", checked: chosen.all, "data-test": "all-rows", onchange: turn }), t("games.all-rows")),
      el("p", { class: "soft wide-note" }, t("games.count", { shown: shown.length, count: rows.length, differ: rows.filter((one) => one.differs).length })),
    ),
    el(
      "div",
      { class: "games-scroll", tabindex: "0", role: "region", "aria-label": t("games.compare") },
      el(
        "table",
        { class: "plain-table compare" },
        el("thead", null, el("tr", null, el("th", { scope: "col" }, t("games.rule")), games.map((game) => el("th", { scope: "col" }, t(`game.${game.id}`))))),
        el("tbody", null, shown.map((one) => row(app, one, games))),
      ),
    ),
  ];
}
