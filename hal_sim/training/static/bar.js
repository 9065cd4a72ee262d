/* The bar above every page: that this is training, the lesson that is on, its time and score, a hint, and its end.

   No theme hides it: its colours are its own. When a lesson is over it leads to the debrief. */

import { el, fill } from "/static/dom.js";

/** @param {App} app @param {ReturnType<import("./learner.js").learnerOf>} learner */
export function bar(app, learner) {
  const { t } = app;
  const title = el("strong");
  const lesson = el("span", { class: "tr-now", "data-test": "training-now" });
  const score = el("span", { class: "tr-score", "data-test": "training-score" });
  const told = el("span", { class: "tr-hint", role: "status", "data-test": "training-hint" });
  const hint = el("button", { type: "button", "data-test": "hint", onclick: ask });
  const end = el("button", { type: "button", "data-test": "end-lesson", onclick: () => learner.post("end").then(toDebrief) });
  const debrief = el("button", { type: "button", "data-test": "to-debrief", onclick: toDebrief });
  const node = el("div", { class: "tr-bar", role: "region", "data-test": "training-bar" }, title, lesson, score, told, hint, debrief, end);
  let began = 0;
  document.body.prepend(node);

  async function ask() {
    const answer = await learner.post("hint");
    if (answer.ok) told.textContent = answer.hint[app.lang];
  }

  function toDebrief() {
    app.go("training");
  }

  function clock() {
    const now = learner.state?.now;
    if (!now) return;
    const seconds = now.over ? now.seconds : Math.floor((performance.now() - began) / 1000);
    const values = { seconds, right: now.right, acts: now.acts, score: now.score };
    score.textContent = t("training.bar.score", values);
    score.dataset.acts = String(now.acts);
    score.dataset.right = String(now.right);
  }

  function draw() {
    const now = learner.state?.now;
    node.setAttribute("aria-label", t("training.bar.title"));
    title.textContent = t("training.bar.title");
    fill(hint, t("training.bar.hint"));
    fill(end, t("training.bar.end"));
    fill(debrief, t("training.bar.debrief"));
    const on = Boolean(now && !now.over);
    hint.hidden = end.hidden = !on;
    debrief.hidden = !now?.over || now.left;
    lesson.textContent = now && !now.left ? (now.lesson ? now.lesson.title : t("training.bar.round", { round: now.round, of: now.rounds ?? 0 })) : "";
    lesson.dataset.over = String(Boolean(now?.over));
    if (!on) told.textContent = "";
    if (now) began = performance.now() - now.seconds * 1000;
    score.hidden = !now || now.left;
    clock();
  }

  learner.on(draw);
  app.on("lang", draw);
  setInterval(clock, 1000);
  draw();
}
