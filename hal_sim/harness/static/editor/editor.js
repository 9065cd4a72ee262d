/* The position editor: a text of deal notation and its picture side by side, of which either may be edited.

   1. The text is played in process by the server; what it comes to is the picture. A card or chips that are dropped on
      the picture change the position, and the server rewrites the text, in the order of the deal.
   2. "What if" asks instead: what is dropped is one statement more on a copy, and its answer stands below. Any statement
      can be typed there too.
   3. A text that says more than cards and wagers is rewritten only after the question.
   4. A link carries the text (share.js). One that is opened asks before the table is replaced.
   5. Changes of the picture are made one after the other, each to what the one before has left, and what was typed
      before counts.
   6. The draft outlives the page: anyone who looks at the table and comes back finds it. */

import { el, fill } from "/static/dom.js";
import { openDialog } from "/static/input/keys.js";
import { placeName } from "/static/draw/places.js";
import { tableView } from "/static/draw/layout.js";
import { cardShort } from "/static/draw/cards.js";
import { button, head, input, options, row, select } from "../controls.js";
import { Grip } from "../grip.js";
import { askToReplace } from "../tables.js";
import { answerOf, foundLine } from "./answer.js";
import { palette } from "./palette.js";
import { MOST, isDeal, linkOf, textOf } from "./share.js";

const TYPING_MS = 350;
/** @type {{ text: string, asks: boolean }} */
const draft = { text: "", asks: false };
/** @type {{ post: GripServer["post"], scene: Scene | null }} what the grip is for while the page is open */
const here = { post: async () => ({}), scene: null };
const grip = new Grip({ app: { get scene() { return here.scene; } }, post: (name, body) => here.post(name, body) });

/** @param {HTMLElement} root @param {App} app @param {HarnessServer} server @param {string} part @returns {Page} */
export function mountEditor(root, app, server, part) {
  const { t } = app;
  /** @type {Looked | null} */
  let now = null;
  let timer = 0;
  let asked = 0;
  /** @type {Promise<unknown>} the look at what was typed last */
  let looking = Promise.resolve();
  /** @type {Promise<unknown>} the change under way */
  let changing = Promise.resolve();
  const text = el("textarea", {
    class: "h-input e-text",
    "aria-label": t("editor.text"),
    "data-test": "editor-text",
    spellcheck: "false",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(lookAtText, TYPING_MS);
    },
  });
  const view = tableView({ scene: null, t, dropTargets: true, onPlace: (place, event) => grip.place(place, event) });
  const made = palette(t, grip);
  const game = select("editor-game", t("harness.game"), { onchange: begin });
  const boxes = select("editor-boxes", t("harness.boxes"), { onchange: begin });
  const says = el("div", { class: "e-says", role: "status", "data-test": "editor-says" });
  const answer = el("div", { class: "e-answer", role: "status", "data-test": "editor-answer" });
  const named = { set: t("editor.mode.set"), if: t("editor.mode.if") };
  const modes = Object.entries(named).map(([mode, name]) => {
    const does = () => setMode(mode === "if");
    return button("editor-mode", name, does, { class: "h-option", "data-mode": mode });
  });
  const typed = input("editor-statement", t("editor.statement"), { placeholder: t("editor.statement"), maxlength: 200 });
  const asking = el("form", { class: "h-row", onsubmit: ask }, typed, button("editor-ask", t("editor.ask"), null, { type: "submit" }));
  const file = el("input", { type: "file", accept: ".deal,.txt,text/plain", "data-test": "editor-file", hidden: "", onchange: openFile });
  const tools = row(
    game,
    boxes,
    button("editor-open", t("editor.open"), () => file.click()),
    button("editor-save", t("harness.save"), save),
    button("editor-link", t("editor.link"), share),
    button("editor-put", t("editor.put"), () => askToReplace(app, server, put), { class: "h-button h-strong" }),
    el("a", { class: "h-button", href: "#/harness", "data-test": "editor-back" }, t("editor.back")),
    file,
  );
  const mode = el("div", { class: "h-group", role: "group", "aria-label": t("editor.mode") }, modes);
  const page = el(
    "div",
    { class: "editor" },
    el("div", { class: "e-top" }, head("e-title", t("editor.title")), tools),
    el("div", { class: "e-left" }, text, says),
    el("div", { class: "e-right" }, view, row(mode), made.node, asking, answer),
  );
  root.append(el("h1", { class: "unseen" }, t("editor.title")), page);

  /** @param {string} name @param {object} body */
  const post = (name, body) => app.post(`/api/harness/editor/${name}`, body);

  /** @param {boolean} asks */
  function setMode(asks) {
    draft.asks = asks;
    modes.forEach((one) => one.setAttribute("aria-pressed", String((one.dataset.mode === "if") === asks)));
  }

  /** @param {Looked} looked @param {{ typing?: boolean }} [more] */
  function show(looked, { typing = false } = {}) {
    now = looked;
    draft.text = looked.text;
    here.scene = looked.scene;
    if (!typing) text.value = looked.text;
    const rules = server.about?.games.find((one) => one.id === looked.position.game);
    if (rules) made.of(rules);
    view.update(looked.scene);
    drawTable(looked.position);
    fill(answer);
    fill(says, words(looked));
  }

  /** @param {Looked} looked */
  function words(looked) {
    const left = looked.left.map((one) => `${cardShort(one.card)} → ${placeName(one.box ? String(one.box) : "dealer", t)}`);
    const wrong = looked.line ? t("editor.line", { line: looked.line, why: looked.problem }) : looked.problem;
    return [
      el("p", { class: looked.legal ? "e-good" : "e-problem", "data-legal": String(looked.legal) }, looked.legal ? t("editor.legal") : wrong),
      left.length > 0 && el("p", { "data-test": "editor-left" }, t("editor.left", { cards: left.join(", ") })),
      looked.findings.length > 0 && el("ul", null, looked.findings.map((found) => foundLine(found, t))),
      el("p", null, t("editor.next", { next: looked.next[app.lang] })),
    ];
  }

  /** @param {Position} position */
  function drawTable(position) {
    const games = server.about?.games || [];
    const rules = games.find((one) => one.id === position.game);
    if (!rules) return;
    options(game, games.map((one) => one.id), position.game, (id) => `${t(`game.${id}`)} (${id})`);
    const range = Array.from({ length: rules.boxes[1] - rules.boxes[0] + 1 }, (_, n) => rules.boxes[0] + n);
    options(boxes, range, position.boxes, (count) => t("editor.boxes", { count }));
  }

  /** @param {Promise<any>} answering @param {{ typing?: boolean }} [more] */
  async function shown(answering, more) {
    const mine = (asked += 1);
    const looked = await answering;
    if (mine !== asked) return looked; // a later one is under way
    if (looked.ok) show(looked, more);
    else fill(says, el("p", { class: "e-problem", "data-legal": "false" }, looked.refused || looked.error || t("shell.unreachable")));
    return looked;
  }

  function lookAtText() {
    clearTimeout(timer);
    timer = 0;
    draft.text = text.value;
    looking = shown(post("look", { text: text.value }), { typing: true });
    return looking;
  }

  function begin() {
    const rules = server.about?.games.find((one) => one.id === game.value);
    const count = rules ? Math.min(Math.max(Number(boxes.value), rules.boxes[0]), rules.boxes[1]) : Number(boxes.value);
    return shown(post("begin", { game: game.value, boxes: count }));
  }

  /** @param {string} statement */
  function change(statement) {
    const changed = changing.then(() => changeNow(statement));
    changing = changed.catch(() => null);
    return changed;
  }

  /** @param {string} statement */
  async function changeNow(statement) {
    await (timer ? lookAtText() : looking); // what was typed is looked at first: the change goes into that position
    if (!now) return {};
    const kept = now.plain && now.text === text.value;
    if (!kept && !(await mayWriteAnew())) return {};
    const looked = await shown(post("change", { position: now.position, statement }));
    if (!looked.ok) app.report(looked);
    return looked;
  }

  function mayWriteAnew() {
    return new Promise((resolve) => {
      let may = false;
      const does = () => {
        may = true;
        close();
      };
      const yes = button("editor-anew", t("editor.anew"), does, { class: "h-button h-strong" });
      const form = el("div", { class: "h-form" }, el("p", null, t("editor.anew-why")), row(el("span", { class: "h-fill" }), yes));
      const close = openDialog(app, t("editor.anew-ask"), form, { focus: yes, onclose: () => resolve(may) });
    });
  }

  /** @param {string} statement */
  async function whatIf(statement) {
    /** @type {any} */
    const said = await post("what-if", { text: text.value, statement });
    if (!said.ok) app.report(said);
    else fill(answer, answerOf(said, t, app.lang));
    return said;
  }

  /** @param {Event} event */
  function ask(event) {
    event.preventDefault();
    if (typed.value.trim()) whatIf(typed.value.trim());
  }

  /** @param {string} name @param {any} body */
  here.post = (name, body) => {
    if (name !== "act") return Promise.resolve({});
    const statement = body.statement.replace(/^push-back (\S+)$/, `lift $1 ${body.source}`);
    return draft.asks ? whatIf(statement) : change(statement);
  };

  async function openFile() {
    const chosen = file.files?.[0];
    if (!chosen) return;
    text.value = await chosen.text();
    file.value = "";
    lookAtText();
  }

  function save() {
    const address = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
    const link = el("a", { href: address, download: "position.deal" });
    link.click();
    URL.revokeObjectURL(address);
  }

  function share() {
    const link = linkOf(text.value);
    if (!link) return app.toast(t("editor.too-long", { most: MOST }), "bad");
    const field = input("editor-address", t("editor.link"), { value: link, readonly: "" });
    field.addEventListener("focus", () => field.select());
    navigator.clipboard?.writeText(link).then(() => app.toast(t("editor.copied"), "good"), () => null);
    return openDialog(app, t("editor.link"), el("div", { class: "h-form" }, field), { focus: field });
  }

  async function put() {
    const opened = await server.post("scenario", { do: "text", name: t("editor.title"), text: text.value });
    if (opened.ok) await server.post("scenario", { do: "play" });
    return opened;
  }

  function openLink() {
    const shared = textOf(part);
    if (shared === null) {
      app.toast(t("editor.bad-link"), "bad");
      return app.go("harness/editor");
    }
    let yes = false;
    const does = async () => {
      yes = true;
      close();
      text.value = draft.text = shared;
      await put();
      app.go("harness/editor");
    };
    const replace = button("replace", t("harness.replace"), does, { class: "h-button h-strong" });
    const keep = button("keep-table", t("harness.keep"), () => close());
    const lines = el("pre", { class: "e-shared", tabindex: "0" }, shared);
    const form = el("div", { class: "h-form" }, el("p", null, t("editor.from-link")), lines, row(el("span", { class: "h-fill" }), keep, replace));
    const close = openDialog(app, t("harness.replace-ask"), form, { focus: keep, onclose: () => yes || app.go("harness") });
    return close;
  }

  async function start() {
    await server.learn();
    if (isDeal(part)) return openLink();
    if (draft.text) {
      text.value = draft.text;
      return lookAtText();
    }
    const first = server.state?.table.game || server.about?.games[0].id;
    return shown(post("begin", { game: first }));
  }

  setMode(draft.asks);
  const ends = [grip.on(made.mark), grip.table(view), server.watch()];
  start();
  return {
    close() {
      clearTimeout(timer);
      ends.forEach((end) => end());
      grip.leave();
      view.close();
    },
  };
}
