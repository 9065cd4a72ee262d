/* What people have written about a round, and its bookmark.

   1. Who may write sees the form: the pit and surveillance; without roles everybody. The daemon decides.
   2. Nothing is changed or taken away: a note stays with its person and time, a bookmark is taken off by another row.
   3. It is printed with the round. */

import { el, fill } from "../../dom.js";
import { roleWords } from "../event_words.js";
import { moment } from "../table/figures.js";

const WRITERS = ["pit-supervisor", "surveillance"];
const LONGEST = 500;

/** @param {App} app @param {PastNote} one */
function line(app, one) {
  const { t } = app;
  const mark = one.bookmark === null ? "" : t(one.bookmark ? "notes.set" : "notes.taken-off");
  return el(
    "li",
    { class: "past-note", "data-test": "past-note" },
    el("p", { class: "soft" }, moment(app, one.at), " · ", one.by || t("notes.nobody"), one.role && ` (${roleWords(one.role, t)})`, one.disputed && ` · ${t("notes.disputed")}`),
    el("p", null, [mark, one.text].filter(Boolean).join(" · ")),
  );
}

/**
 * @param {App} app
 * @param {ToldRound} told
 * @param {() => unknown} again what draws the round again
 */
export function notesPart(app, told, again) {
  const { t } = app;
  const words = el("textarea", { class: "note-words", rows: 2, maxlength: LONGEST, id: "note-words", "data-test": "note-words" });
  /** @param {{ text?: string, bookmark?: boolean }} said */
  async function write(said) {
    const answer = await app.note(told.round.key, said);
    if (app.report(answer)) await again();
  }
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const text = words.value.trim();
    if (text) write({ text });
  };
  const form = el(
    "form",
    { class: "note-form no-print", onsubmit: submit },
    el("label", { for: "note-words" }, t("notes.write")),
    words,
    el(
      "div",
      { class: "notation-buttons" },
      el("button", { type: "submit", class: "plain-button plain-button-strong", "data-test": "note" }, t("notes.add")),
      el("button", { type: "button", class: "plain-button", "data-test": "bookmark", "aria-pressed": String(told.bookmark), onclick: () => write({ bookmark: !told.bookmark }) }, told.bookmark ? "★ " : "☆ ", t(told.bookmark ? "notes.take-off" : "notes.bookmark")),
    ),
  );
  const part = el("section", { class: "history-part history-notes" }, el("h2", null, t("part.notes")));
  fill(
    part,
    el("h2", null, t("part.notes")),
    told.notes.length ? el("ol", { class: "past-notes" }, told.notes.map((one) => line(app, one))) : el("p", { class: "soft" }, t("notes.none")),
    app.may(WRITERS) && form,
  );
  return part;
}
