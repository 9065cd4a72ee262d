/* The search over all tables: its fields, its periods, its saved views, and how all of them stand in the address.

   1. What is searched for stands in the address ("#/findings?code=double-draw&period=week"), so that it can be kept,
      sent and gone back to. A saved view is a name for such an address.
   2. A period moves with the clock, as on the table's own page (find.js).
   3. searchForm(app, page, query, fields) is the form of a page; viewsBar(app, page, query) its periods and views. */

import { el, fill } from "/static/dom.js";
import { PERIODS, searchOf } from "/static/pages/history/find.js";

const FIELDS = ["what", "words", "table", "code", "clause", "dealer", "shuffler", "game", "from", "to"];
const GAMES = ["mbs-blackjack-v6", "mbs-free-bet-v3", "rws-free-bet-2025", "mbs-pontoon-v5", "mbs-ace-race-v4"];

/** @param {Record<string, string>} query the part of an address, with its question mark */
export function addressOf(query) {
  const used = Object.entries(query).filter(([name, value]) => value && [...FIELDS, "period"].includes(name));
  return used.length ? `?${new URLSearchParams(used)}` : "";
}

/** @param {Record<string, string>} query @param {Record<string, string>} [more] what the server is asked */
export function askedOf(query, more = {}) {
  const used = Object.entries(query).filter(([name]) => [...FIELDS, "period"].includes(name));
  return searchOf(Object.fromEntries(used), more);
}

/** @param {PitApp} app @param {string} page @param {Record<string, string>} query @param {string[]} fields */
export function searchForm(app, page, query, fields) {
  const { t } = app;
  /** @param {string[][]} values */
  const select = (values) => el("select", { class: "find-control" }, values.map(([value, text]) => el("option", { value }, text)));
  /** @param {Record<string, unknown>} [more] */
  const input = (more) => el("input", { class: "find-control", maxlength: 60, autocomplete: "off", ...more });
  /** @type {Record<string, () => HTMLInputElement | HTMLSelectElement>} */
  const makes = {
    what: () => select([["", t("nav.findings")], ["voids", t("past.voids")]]),
    words: () => input({ type: "search" }),
    table: () => input(),
    code: () => input({ placeholder: "double-draw" }),
    clause: () => input({ placeholder: "5.23.1", inputmode: "decimal" }),
    dealer: () => input(),
    shuffler: () => input(),
    game: () => select([["", t("find.any")], ...GAMES.map((game) => [game, t(`game.${game}`)])]),
    from: () => input({ type: "datetime-local", step: 60 }),
    to: () => input({ type: "datetime-local", step: 60 }),
  };
  const controls = fields.map((name) => {
    const control = makes[name]();
    control.id = `find-${name}`;
    control.name = name;
    control.value = query[name] || "";
    return control;
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const said = Object.fromEntries(controls.map((control) => [control.name, control.value.trim()]));
    app.go(`${page}${addressOf({ period: said.from || said.to ? "" : query.period || "", ...said })}`);
  };
  return el(
    "form",
    { class: "find", role: "search", "aria-label": t("find.title"), onsubmit: submit },
    el("div", { class: "find-fields" }, controls.map((control) => el("div", { class: `find-field find-${control.name}` }, el("label", { for: control.id }, t(`past.${control.name}`)), control))),
    el("div", { class: "find-buttons" }, el("button", { type: "submit", class: "plain-button plain-button-strong", "data-test": "find" }, t("find.search")), el("button", { type: "button", class: "plain-button", "data-test": "find-clear", onclick: () => app.go(page) }, t("find.clear"))),
  );
}

/** @param {PitApp} app @param {string} page @param {Record<string, string>} query */
export function viewsBar(app, page, query) {
  const { t } = app;
  const here = `#/${page}${addressOf(query)}`;
  const saved = el("span", { class: "views", "data-test": "views" });
  const name = el("input", { class: "find-control", maxlength: 60, "aria-label": t("past.view-name"), placeholder: t("past.view-name"), "data-test": "view-name" });

  /** @param {SavedView[]} views */
  const list = (views) =>
    fill(
      saved,
      views.map((view) =>
        el("span", { class: "view" }, el("a", { class: "plain-button", href: view.address, "aria-current": view.address === here ? "true" : null }, view.name), el("button", { type: "button", class: "icon-button", "aria-label": t("past.view-remove", { name: view.name }), onclick: () => remove(view.name) }, "×")),
      ),
    );
  /** @param {string} path @param {object} said */
  const send = async (path, said) => {
    const answer = await app.post(path, { id: app.freshId(), ...said });
    if (app.report(answer)) list(answer.views);
  };
  /** @param {string} called */
  const remove = (called) => send("/api/views/remove", { name: called });
  /** @param {Event} event */
  const save = (event) => {
    event.preventDefault();
    if (name.value.trim()) send("/api/views", { name: name.value.trim(), address: here });
    name.value = "";
  };
  app.get("/api/views").then((told) => list(told.views), () => null);
  const periods = PERIODS.map((period) =>
    el("a", { class: "plain-button", href: `#/${page}${addressOf({ ...query, from: "", to: "", period: query.period === period ? "" : period })}`, "aria-current": query.period === period ? "true" : null, "data-test": `period-${period}` }, t(`find.${period}`)),
  );
  return el("div", { class: "views-bar", role: "group", "aria-label": t("past.views") }, periods, saved, el("form", { class: "view-save", onsubmit: save }, name, el("button", { type: "submit", class: "plain-button", "data-test": "view-save" }, t("past.view-save"))));
}
