/* The last rounds of a table, from the archive. */

import { el, fill } from "/static/dom.js";
import { badge, clock, problem, scroller, shortDay, table, waitingNote, when } from "/static/pages/table/figures.js";
import { codeWords } from "../tile.js";

/** @type {Record<string, [string, string]>} */
const OUTCOMES = { settled: ["good", "✓"], void: ["bad", "✕"], open: ["", "…"], concluded: ["", "■"] };

/** @param {string} outcome @param {Translate} t */
export function outcomeBadge(outcome, t) {
  const [kind, sign] = OUTCOMES[outcome] || ["", ""];
  return outcome ? badge(t(`outcome.${outcome}`), kind, sign) : "–";
}

/** @param {HTMLElement} root @param {PitApp} app @param {string} name */
export async function lastRounds(root, app, name) {
  const { t } = app;
  const heading = el("h2", null, t("one.rounds"));
  fill(root, heading, waitingNote(app));
  try {
    /** @type {{ rounds: RoundLine[] }} */
    const { rounds } = await app.get(`/api/tables/${name}/rounds`);
    const rows = rounds.map((one) => [
      String(one.number ?? ""),
      { text: [when(app, one.ended, clock), " ", el("span", { class: "soft" }, shortDay(app, one.ended))], class: "nowrap" },
      outcomeBadge(one.outcome, t),
      one.boxes || "–",
      one.dealer || "–",
      one.codes.length ? one.codes.map((code) => badge(codeWords(code, app), "bad", "!")) : "–",
    ]);
    const head = ["number", "ended", "outcome", "boxes"].map((word) => t(`round.${word}`));
    const listed = table([...head, t("pit.dealer"), t("round.findings")], rows, { "data-test": "one-rounds" });
    const find = el("a", { class: "plain-button", href: `#/findings?table=${name}&period=week` }, t("one.findings"));
    fill(root, heading, rounds.length ? scroller(t("one.rounds"), listed) : el("p", { class: "soft" }, t("find.no-rounds")), el("p", { class: "one-more" }, find));
  } catch (error) {
    fill(root, heading, problem(app, error, () => lastRounds(root, app, name)));
  }
}
