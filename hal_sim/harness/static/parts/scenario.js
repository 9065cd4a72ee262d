/* Scenarios: a list to choose from, and the one that is open, played step by step or at any speed.

   1. The list is asked for once. Words that are typed must all stand in a file's folder, game or name; the first `MOST`
      are shown, those of the game at the table first. The one that is opened takes the table's place (`tables.js`).
   2. Of the open one every line is shown with what it has come to: ✓ held, ✗ failed or refused, with the reason. */

import { el, fill } from "/static/dom.js";
import { button, head, input, row, small } from "../controls.js";
import { icon } from "../icons.js";
import { askToReplace } from "../tables.js";

const MOST = 80;
/** @type {Record<string, string>} */
const SIGNS = { done: "·", held: "✓", failed: "✗", refused: "✗" };

/** @param {PartTools} tools @returns {HarnessPart} */
export function scenarioPart({ app, server }) {
  const { t } = app;
  /** @param {object} words */
  const ask = (words) => server.post("scenario", words);
  const search = input("scenario-search", t("harness.search"), {
    class: "h-input h-search",
    type: "search",
    placeholder: t("harness.search"),
    oninput: drawList,
  });
  /** @param {string} name @param {string} role @param {string} words @param {string} test */
  const scrolled = (name, role, words, test) =>
    el("div", { class: name, role, "aria-label": t(words), tabindex: "0", "data-test": test });
  const list = scrolled("h-list", "group", "harness.files", "scenario-list");
  const lines = scrolled("h-lines", "region", "harness.lines", "scenario-lines");
  const title = el("strong", { class: "h-name" });
  const came = small({ "data-test": "scenario-came-to", role: "status" });
  const step = button("scenario-step", [icon("step"), t("harness.step")], () => ask({ do: "step" }));
  const play = button("scenario-play", null, () => ask({ do: server.state?.playing === "scenario" ? "stop" : "play" }));
  const begin = () => askToReplace(app, server, () => ask({ do: "again" }));
  const again = button("scenario-again", [icon("again"), t("harness.again")], begin);
  const close = button("scenario-close", "✕", () => ask({ do: "close" }), { "aria-label": t("harness.close-scenario") });
  const choosing = el("div", { class: "h-choosing" }, search, list);
  const top = row(title, el("span", { class: "h-fill" }), came, close);
  const playing = el("div", { class: "h-opened" }, top, row(step, play, again), lines);
  const titled = head("h-scenario", t("harness.part.scenario"));
  const node = el("section", { "aria-labelledby": "h-scenario" }, titled, choosing, playing);
  /** @type {{ id: string, name: string, game: string, folder: string }[] | null} */
  let files = null;
  let known = "";
  let game = "";

  async function load() {
    files = (await app.get("/api/harness/scenarios").catch(() => ({ scenarios: [] }))).scenarios;
    drawList();
  }

  /** @param {{ id: string, name: string, game: string, folder: string }} file */
  function fileButton(file) {
    const open = () => askToReplace(app, server, () => ask({ do: "open", id: file.id }));
    const inside = [el("span", { class: "h-file-name" }, file.name.replaceAll("-", " "))];
    inside.push(small({}, file.game && file.game !== file.name ? file.game : file.folder));
    return button("scenario", inside, open, { class: "h-file", "data-id": file.id, "data-game": file.game });
  }

  function drawList() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    /** @param {{ id: string, folder: string }} file */
    const fits = (file) => words.every((word) => `${file.id} ${file.folder}`.toLowerCase().includes(word));
    const here = server.state?.table.game;
    const fitting = (files || []).filter(fits);
    const found = [...fitting.filter((file) => file.game === here), ...fitting.filter((file) => file.game !== here)];
    fill(
      list,
      found.slice(0, MOST).map(fileButton),
      found.length > MOST && el("p", { class: "h-small" }, t("harness.more-files", { count: found.length - MOST })),
      files && !found.length && el("p", { class: "h-small" }, t("harness.no-files")),
    );
  }

  /** @param {ScenarioLine} line @param {number} index @param {number} following */
  function lineOf(line, index, following) {
    const next = following === index + 1;
    const said = line.state ? { role: "img", "aria-label": t(`harness.line.${line.state}`) } : {};
    return el(
      "div",
      { class: `h-text h-text-${line.state || "none"}${next ? " is-next" : ""}`, "aria-current": next ? "step" : null },
      el("span", { class: "h-sign", ...said }, next ? "▶" : SIGNS[line.state] || ""),
      el("code", null, line.text || "\u00a0"),
      line.why && el("span", { class: "h-why" }, line.why),
    );
  }

  /** @param {OpenScenario} now @param {boolean} goes */
  function draw(now, goes) {
    title.textContent = now.name.replaceAll("-", " ");
    came.textContent = t("harness.came-to", { held: now.held, failed: now.failed, at: now.at, of: now.of });
    [came.dataset.failed, came.dataset.over] = [String(now.failed), String(now.over)];
    fill(play, icon(goes ? "pause" : "play"), t(goes ? "harness.stop" : "harness.play"));
    step.disabled = play.disabled = now.over;
    again.disabled = now.at === 0;
    const shown = now.lines.map((line, index) => lineOf(line, index, now.line));
    fill(lines, shown, now.ended && el("p", { class: "h-why" }, now.ended));
    /** @type {HTMLElement | null} */
    const at = lines.querySelector(".is-next") || lines.querySelector(":scope > :last-child");
    if (at) lines.scrollTop = Math.max(0, at.offsetTop - lines.offsetTop - lines.clientHeight / 2);
  }

  load();
  return {
    node,
    update({ scenario, playing: who, table }) {
      if (table.game !== game) {
        game = table.game;
        drawList();
      }
      choosing.hidden = Boolean(scenario);
      playing.hidden = !scenario;
      if (!scenario) return;
      const sign = JSON.stringify([scenario.name, scenario.at, scenario.over, who]);
      if (sign === known) return;
      known = sign;
      draw(scenario, who === "scenario");
    },
    keys: () => (server.state?.scenario ? [{ key: ".", words: t("harness.step"), run: () => step.click() }] : []),
  };
}
