/* Training: the course, practice, the debrief, and who has learned what.

   1. It joins the console as an extra: the route #/training. The lesson itself is dealt on the harness page, or on the
      Table; the bar above every page says that this is training, whatever else is shown (bar.js).
   2. People who learn say who they are; the name is kept in this browser, the progress on this computer for a year, and
      it is erased when they ask for it. */

import { el, fill } from "/static/dom.js";
import { openDialog } from "/static/input/keys.js";
import { bar } from "./bar.js";
import { debrief } from "./debrief.js";
import { learnerOf } from "./learner.js";

export const texts = ["/static/texts/history.json", "/extra/training/texts/training.json"]; // what happened, in words
export const style = "/extra/training/training.css";
const NAME = "truedeal.trainee";
const ROUNDS = [1, 3, 5, 10];

/** @param {App} app */
export function joins(app) {
  bar(app, learnerOf(app));
}

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const learner = learnerOf(app);
  /** @type {Record<string, TrainingCourse>} */
  const courses = {};
  /** @type {string[]} */
  let games = [];
  const name = el("input", {
    class: "tr-input",
    id: "trainee",
    maxlength: 40,
    autocomplete: "off",
    "data-test": "trainee",
    value: localStorage.getItem(NAME) || "",
    oninput: () => {
      localStorage.setItem(NAME, name.value);
      draw();
    },
  });
  const game = el("select", { class: "tr-input", "aria-label": t("training.game"), "data-test": "training-game", onchange: load });
  const rounds = el("select", { class: "tr-input", "aria-label": t("training.rounds"), "data-test": "training-rounds" });
  const errors = el("select", { class: "tr-input", "aria-label": t("training.errors"), "data-test": "training-errors" });
  const last = el("section", { class: "tr-part", "data-test": "debrief", "aria-label": t("training.debrief") });
  const course = el("section", { class: "tr-part", "data-test": "course", "aria-labelledby": "tr-course" });
  const people = el("section", { class: "tr-part", "data-test": "progress", "aria-labelledby": "tr-progress" });
  const begin = button("practice", t("training.begin"), practice, "tr-button tr-strong");
  root.append(
    el(
      "div",
      { class: "training" },
      el("h1", null, t("training.title")),
      el("p", null, t("training.why")),
      last,
      el("div", { class: "tr-row" }, el("label", { for: "trainee" }, t("training.person")), name, game),
      el("section", { class: "tr-part", "aria-labelledby": "tr-practice" }, el("h2", { id: "tr-practice" }, t("training.practice")), el("div", { class: "tr-row" }, rounds, errors, begin)),
      course,
      people,
    ),
  );

  /** @param {string} test @param {Child} words @param {() => unknown} onclick @param {string} [look] */
  function button(test, words, onclick, look = "tr-button") {
    return el("button", { type: "button", class: look, "data-test": test, onclick }, words);
  }

  /** @param {object} asked */
  async function start(asked) {
    if (!name.value.trim()) {
      app.toast(t("training.who"), "bad");
      name.focus();
      return;
    }
    const answer = await learner.post("begin", { person: name.value, ...asked });
    if (answer.ok) app.go("harness");
  }

  function practice() {
    return start({ game: game.value, rounds: Number(rounds.value), errors: errors.value });
  }

  async function load() {
    const wanted = game.value;
    if (!courses[wanted]) {
      fill(course, el("h2", { id: "tr-course" }, t("training.course")), el("p", { role: "status" }, t("training.reading")));
      courses[wanted] = await app.get(`/api/training/course?game=${wanted}`);
    }
    if (game.value === wanted) draw();
  }

  function mine() {
    return learner.state?.people.find((one) => one.name === name.value.trim())?.entries || [];
  }

  /** @param {TrainingLesson} lesson @param {TrainingEntry[]} entries */
  function lessonButton(lesson, entries) {
    const done = entries.filter((one) => one.lesson === lesson.id);
    const passed = done.filter((one) => one.passed);
    const best = Math.min(...passed.map((one) => one.seconds));
    const state = passed.length ? "passed" : done.length ? "tried" : "new";
    const words = state === "passed" ? t("training.passed-in", { seconds: best }) : t(`training.lesson.${state}`);
    const inside = [el("span", null, lesson.title), el("small", null, `${t("training.acts", { count: lesson.acts })} · ${words}`)];
    const one = button("lesson", inside, () => start({ lesson: lesson.id }), "tr-lesson");
    one.dataset.id = lesson.id;
    one.dataset.state = state;
    return el("li", null, one);
  }

  /** @param {string} clause @param {TrainingLesson[]} lessons @param {TrainingEntry[]} entries */
  function tile(clause, lessons, entries) {
    const passed = lessons.filter((lesson) => entries.some((one) => one.passed && one.lesson === lesson.id)).length;
    const title = el("summary", null, el("strong", null, t("training.clause", { clause })), " ", t(`code.${lessons[0].code}`));
    title.append(el("span", { class: "tr-count" }, `${passed} / ${lessons.length}`));
    const open = tiles.has(clause);
    const node = el("details", { class: "tr-tile", "data-test": "tile", "data-clause": clause, open: open || null }, title, el("ul", null, lessons.map((one) => lessonButton(one, entries))));
    node.addEventListener("toggle", () => (node.open ? tiles.add(clause) : tiles.delete(clause)));
    return node;
  }

  /** @type {Set<string>} */
  const tiles = new Set();

  function drawCourse() {
    const found = courses[game.value];
    if (!found) return;
    const entries = mine();
    const clauses = [...new Set(found.lessons.map((one) => one.clause))];
    const drawn = clauses.map((clause) => tile(clause, found.lessons.filter((one) => one.clause === clause), entries));
    fill(course, el("h2", { id: "tr-course" }, t("training.course")), drawn, !drawn.length && el("p", null, t("training.no-lessons")));
    const kinds = found.errors.map((one) => [one.name, t(`code.${one.code}`)]);
    choose(errors, [["own", t("training.own")], ["some", t("training.some")], ...kinds], errors.value || "some");
  }

  function drawPeople() {
    const entries = mine().slice(0, 20);
    const heads = ["lesson", "when", "score", "time", "result"].map((one) => el("th", { scope: "col" }, t(`training.col.${one}`)));
    const rows = entries.map((one) => {
      const cells = [one.lesson, one.at.replace("T", " ").slice(0, 16), `${one.score} %`, t("training.seconds", { seconds: one.seconds })];
      cells.push(t(one.passed ? "training.passed" : "training.not-passed"));
      return el("tr", null, cells.map((cell) => el("td", null, cell)));
    });
    fill(
      people,
      el("h2", { id: "tr-progress" }, t("training.progress")),
      rows.length ? el("div", { class: "tr-scroll", tabindex: "0", role: "region", "aria-labelledby": "tr-progress" }, el("table", null, el("thead", null, el("tr", null, heads)), el("tbody", null, rows))) : el("p", null, t("training.nothing")),
      rows.length > 0 && button("erase", t("training.erase"), erase),
    );
  }

  function erase() {
    const person = name.value.trim();
    const does = async () => {
      close();
      await learner.post("erase", { person });
    };
    const yes = button("erase-yes", t("training.erase"), does, "tr-button tr-strong");
    const form = el("div", null, el("p", null, t("training.erase-why", { person })), yes);
    const close = openDialog(app, t("training.erase"), form, { focus: yes });
  }

  /** @param {HTMLSelectElement} node @param {(string | number)[][]} values @param {string} chosen */
  function choose(node, values, chosen) {
    fill(node, values.map(([value, words]) => el("option", { value, selected: String(value) === chosen }, words)));
  }

  function draw() {
    const now = learner.state?.now;
    fill(last, now?.over ? debrief(now, app) : null);
    last.hidden = !now?.over;
    begin.disabled = false;
    drawCourse();
    drawPeople();
  }

  async function first() {
    const about = await app.get("/api/harness/about");
    games = about.games.map((/** @type {{ id: string }} */ one) => one.id);
    choose(game, games.map((id) => [id, `${t(`game.${id}`)} (${id})`]), learner.state?.now?.game || games[0]);
    choose(rounds, ROUNDS.map((count) => [count, t("training.count", { count })]), "1");
    choose(errors, [["own", t("training.own")], ["some", t("training.some")]], "some");
    await load();
  }

  const off = learner.on(draw);
  first();
  draw();
  return { close: off };
}
