/* One round: the table at each step with a scrubber, and beside it the steps, the settlement, the findings with who
   decided what, and the notation.

   1. It opens at the step that the address names, else at the last: how the round ended. Arrow keys, Home, End and the
      space bar go through it; N and P lead to the next and to the previous finding, in this round and beyond it. The
      address follows, so that a step can be sent to somebody.
   2. On a wide screen the parts stand beside the picture, on a small one below it; one of them is shown at a time.
   3. Printed, the round is a page of A4 with all parts, who printed it, and what proves it. The picture is that of the
      step that somebody has chosen, else that of the first finding. */

import { byId, el, fill } from "../../dom.js";
import { tableView } from "../../draw/layout.js";
import { eventWords, roleWords } from "../event_words.js";
import { clock, problem, span, waitingNote } from "../table/figures.js";
import { outcomeBadge } from "./list.js";
import { addressOf, lastSearch } from "./find.js";
import { notesPart } from "./notes.js";
import { findingsPart, notationPart, settlementPart, stepsPart } from "./parts.js";
import { printHead, printProof } from "./print.js";
import { broughtWords } from "./words.js";
import { scrubber } from "./scrubber.js";

const PARTS = ["steps", "settlement", "findings", "notes", "notation"];
let opened = "steps";

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string} key
 * @param {string} [wanted] the step: its number, "first-finding" or "last-finding"
 * @returns {Page}
 */
export function mountRound(root, app, key, wanted = "") {
  const { t } = app;
  /** @type {ReturnType<typeof draw> | null} */
  let open = null;
  let closed = false;
  const frame = el("div", { class: "history-round", "data-test": "history-round" }, waitingNote(app));
  root.append(frame);

  async function load(at = wanted) {
    try {
      const told = await app.get(`/api/rounds/${encodeURIComponent(key)}`);
      if (closed) return;
      open?.close();
      frame.classList.remove("is-missing");
      open = draw(frame, app, told, at, () => load(String(open ? open.at() + 1 : "")));
    } catch (error) {
      if (closed) return;
      frame.classList.add("is-missing");
      fill(frame, el("p", null, el("a", { href: back(), class: "plain-button" }, t("history.back"))), problem(app, error, () => load(at)));
    }
  }

  const forPrint = () => open?.print();
  const afterPrint = () => open?.printed();
  window.addEventListener("beforeprint", forPrint);
  window.addEventListener("afterprint", afterPrint);
  load();
  return {
    keys: () => [
      { key: "arrowright", show: "→", words: t("scrub.forward"), run: () => open?.by(1) },
      { key: "arrowleft", show: "←", words: t("scrub.back"), run: () => open?.by(-1) },
      { key: "home", show: "Home", words: t("scrub.first"), run: () => open?.ends(false) },
      { key: "end", show: "End", words: t("scrub.last"), run: () => open?.ends(true) },
      { key: " ", words: t("scrub.play"), run: () => open?.play() },
      { key: "n", words: t("history.next-finding"), run: () => open?.finding(1) },
      { key: "p", words: t("history.previous-finding"), run: () => open?.finding(-1) },
    ],
    close() {
      closed = true;
      window.removeEventListener("beforeprint", forPrint);
      window.removeEventListener("afterprint", afterPrint);
      open?.close();
    },
  };
}

function back() {
  return `#/history${addressOf(lastSearch.query)}`;
}

/** @param {App} app @param {ToldRound} told */
function title(app, told) {
  const { t } = app;
  const { round } = told;
  /** @param {"older" | "newer"} name @param {string} sign */
  const beside = (name, sign) =>
    round[name]
      ? el("a", { class: "plain-button round-beside", href: `#/history/${round[name]}`, "aria-label": t(`history.${name}`), title: t(`history.${name}`), "data-test": name }, el("span", { "aria-hidden": "true" }, sign))
      : el("span", { class: "plain-button round-beside is-off", "aria-hidden": "true" }, sign);
  return el(
    "header",
    { class: "round-head" },
    el("a", { class: "plain-button no-print", href: back(), "data-test": "back" }, el("span", { "aria-hidden": "true" }, "‹ "), t("history.back")),
    el(
      "div",
      { class: "round-title" },
      el("h1", null, t("history.round", { number: round.number }), " ", outcomeBadge(round.outcome, t), told.bookmark && el("span", { class: "round-mark", role: "img", "aria-label": t("notes.bookmarked") }, "★")),
      el("p", { class: "soft" }, t(`game.${round.game}`), " · ", span(app, round.began, round.ended), " · ", t("history.events", { first: round.first, last: round.last })),
    ),
    !told.true && el("p", { class: "round-untrue", role: "alert" }, el("span", { "aria-hidden": "true" }, "⚠ "), told.kept_by ? t("history.kept-by", { edition: told.kept_by }) : t("history.untrue")),
    el("div", { class: "round-tools no-print" }, beside("older", "‹"), beside("newer", "›"), el("button", { type: "button", class: "plain-button", "data-test": "print", "aria-label": t("history.print"), title: t("history.print"), onclick: () => window.print() }, t("history.print-short"))),
  );
}

/** @param {App} app @param {ToldRound} told @param {Record<string, HTMLElement>} parts */
function tabs(app, told, parts) {
  const { t } = app;
  /** @type {Record<string, number>} */
  const counts = { steps: told.steps.length, findings: told.round.findings.length, notes: told.notes.length };
  const buttons = PARTS.map((name) => {
    const many = counts[name] === undefined ? "" : ` (${counts[name]})`;
    return el("button", { type: "button", role: "tab", class: "part-tab", id: `tab-${name}`, "aria-controls": `part-${name}`, "data-test": `part-${name}`, onclick: () => choose(name) }, t(`part.${name}`), many);
  });
  /** @param {string} name */
  function choose(name) {
    opened = name;
    PARTS.forEach((one, index) => {
      parts[one].hidden = one !== name;
      buttons[index].setAttribute("aria-selected", String(one === name));
      buttons[index].tabIndex = one === name ? 0 : -1;
    });
  }
  /** @param {KeyboardEvent} event */
  function move(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = PARTS[(PARTS.indexOf(opened) + by + PARTS.length) % PARTS.length];
    choose(next);
    byId(`tab-${next}`).focus();
  }
  choose(opened);
  return el("div", { class: "part-tabs no-print", role: "tablist", "aria-label": t("history.parts"), onkeydown: move }, buttons);
}

/** @param {PastStep[]} steps where something was found */
function findingSteps(steps) {
  return steps.flatMap((step, index) => (step.brought.some((one) => one.is === "found") ? [index] : []));
}

/** @param {PastStep[]} steps @param {string} wanted */
function stepOf(steps, wanted) {
  const found = findingSteps(steps);
  if (wanted === "first-finding" && found.length) return found[0];
  if (wanted === "last-finding" && found.length) return found[found.length - 1];
  const number = /^\d{1,6}$/.test(wanted) ? Number(wanted) : steps.length;
  return Math.min(Math.max(number, 1), steps.length) - 1;
}

/**
 * @param {HTMLElement} frame
 * @param {App} app
 * @param {ToldRound} told
 * @param {string} wanted
 * @param {() => unknown} again
 */
function draw(frame, app, told, wanted, again) {
  const { t } = app;
  const { steps, round } = told;
  const last = steps.length - 1;
  const found = findingSteps(steps);
  const heading = printHead(app, told);
  const line = el("div", { class: "past-step-line", "data-test": "step" });
  const view = steps.length ? tableView({ scene: steps[steps.length - 1].scene, t }) : null;
  const list = stepsPart(app, steps, (index) => scrub?.by(index - current));
  let current = 0;
  let printing = false;

  /** @param {number} index */
  function shows(index) {
    current = index;
    const { scene } = steps[index];
    const matter = scene.matters[0];
    view?.update(scene, { moves: matter ? matter.moves : [], highlight: matter ? matter.places : [] });
    fill(line, stepLine(app, steps[index], () => frame.querySelector(".round-parts")?.scrollIntoView()));
    line.setAttribute("aria-live", scrub?.playing() ? "off" : "polite");
    list.mark(index);
    if (!scrub?.playing() && !printing) follow(index);
  }

  /** @param {number} index */
  function follow(index) {
    const address = `#/history/${round.key}${index === last ? "" : `/${index + 1}`}`;
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  /** @param {number} by */
  function finding(by) {
    const next = by > 0 ? found.find((one) => one > current) : [...found].reverse().find((one) => one < current);
    const beyond = by > 0 ? round.newer_found : round.older_found;
    if (next !== undefined) scrub?.go(next);
    else if (beyond) app.go(`history/${beyond}/${by > 0 ? "first-finding" : "last-finding"}`);
    else app.toast(t(by > 0 ? "history.no-next-finding" : "history.no-previous-finding"));
  }

  const scrub = steps.length ? scrubber({ steps, t, words: (index) => eventWords(steps[index].event, t), shows }) : null;
  /** @type {Record<string, HTMLElement>} */
  const parts = { steps: list, settlement: settlementPart(app, told), findings: findingsPart(app, told), notes: notesPart(app, told, again), notation: notationPart(app, told) };
  for (const name of PARTS) {
    parts[name].id = `part-${name}`;
    parts[name].setAttribute("role", "tabpanel");
    parts[name].setAttribute("aria-labelledby", `tab-${name}`);
    parts[name].tabIndex = 0;
  }
  const stage = el("section", { class: "round-stage", "aria-label": t("history.picture") }, view ? el("div", { class: "round-picture" }, view) : el("p", { class: "page-problem" }, t("history.no-steps")), line, scrub);
  fill(frame, heading, title(app, told), el("div", { class: "round-body" }, stage, el("section", { class: "round-parts", "aria-label": t("history.parts") }, tabs(app, told, parts), PARTS.map((name) => parts[name]))), printProof(app, told));
  if (steps.length) scrub?.go(stepOf(steps, wanted));
  return {
    at: () => current,
    finding,
    print() {
      heading.fillIn();
      printing = current === last && found.length > 0;
      if (printing) scrub?.go(found[0]);
    },
    printed() {
      if (printing) scrub?.go(last);
      printing = false;
    },
    by: (/** @type {number} */ count) => scrub?.by(count),
    ends: (/** @type {boolean} */ toLast) => scrub?.ends(toLast),
    play: () => scrub?.play(),
    close() {
      scrub?.close();
      view?.close();
    },
  };
}

/** @param {App} app @param {PastStep} step @param {() => unknown} more */
function stepLine(app, step, more) {
  const { t } = app;
  const by = step.by ? `${step.by.name} (${roleWords(step.by.role, t)})` : roleWords(step.device, t);
  return [
    el("p", { class: "past-step-words" }, el("span", { class: "soft" }, clock(app, step.at)), " ", el("strong", null, eventWords(step.event, t)), " ", el("span", { class: "soft past-step-by" }, by)),
    el("p", { class: "past-step-brought" }, broughtWords(app, step)),
    el("button", { type: "button", class: "plain-button to-parts no-print", "data-test": "to-parts", onclick: more }, t("history.details"), el("span", { "aria-hidden": "true" }, " ▾")),
  ];
}
