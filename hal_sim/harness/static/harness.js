/* The harness: the table with the simulated hardware around it.

   1. It joins the console as an extra: the route #/harness. `joins` gives the Alarm what moves cards while it covers the
      page, because a reconstruction is done with hands.
   2. Everything that is done here is a statement of deal notation or a press of a button of the panel. It stops the robot
      or a scenario that plays by itself.
   3. On a large screen everything is seen at once. On a small screen the table stays, and one part of the hardware below it: the
      tabs choose which.
   4. #/harness/editor is the position editor, and #/harness/deal=… opens a text that a link carries in it. */

import { el, fill } from "/static/dom.js";
import { cardShort } from "/static/draw/cards.js";
import { tableView } from "/static/draw/layout.js";
import { nextWords } from "/static/pages/table.js";
import { button } from "./controls.js";
import { serverOf } from "./harness_server.js";
import { Grip } from "./grip.js";
import { icon } from "./icons.js";
import { shoePart } from "./parts/shoe.js";
import { chipsPart } from "./parts/chips.js";
import { panelPart } from "./parts/panel.js";
import { devicesPart } from "./parts/devices.js";
import { robotPart } from "./parts/robot.js";
import { scenarioPart } from "./parts/scenario.js";
import { recordPart } from "./parts/record.js";
import { openNewTable, openPeople } from "./tables.js";
import { physical } from "./physical.js";
import { mountEditor } from "./editor/editor.js";
import { isDeal } from "./editor/share.js";

export const texts = ["/extra/harness/texts/harness.json"];
export const style = "/extra/harness/harness.css";
/** @type {Record<string, (tools: PartTools) => HarnessPart>} */
const PARTS = {
  shoe: shoePart,
  chips: chipsPart,
  panel: panelPart,
  devices: devicesPart,
  robot: robotPart,
  scenario: scenarioPart,
  record: recordPart,
};
const ASIDE = ["robot", "scenario", "record"];
/** @type {Grip | null} */
let grip = null;

/** @param {App} app */
export function gripOf(app) {
  grip ??= new Grip(serverOf(app));
  return grip;
}

/** @param {App} app */
export function joins(app) {
  physical(app, serverOf(app), gripOf(app));
}

/** @param {HTMLElement} root @param {App} app @param {string[]} [rest] @returns {Page} */
export function mount(root, app, [asked = ""] = []) {
  const { t } = app;
  const server = serverOf(app);
  if (asked === "editor" || isDeal(asked)) return mountEditor(root, app, server, asked);
  const held = gripOf(app);
  const view = tableView({ scene: app.scene, t, dropTargets: true, onPlace: (place, event) => held.place(place, event) });
  /** @type {(() => unknown)[]} */
  const ends = [];
  const strip = el("div", { class: "h-strip" });
  const hint = el("p", { class: "h-hint", role: "status" });
  const status = el("p", { class: "h-status", "aria-hidden": "true" });
  const parts = Object.entries(PARTS).map(([name, make]) => {
    const part = make({ app, server, grip: held, ends });
    part.node.classList.add("h-part");
    part.node.dataset.part = name;
    return { name, ...part };
  });
  const tabs = el(
    "div",
    { class: "h-tabs", role: "group", "aria-label": t("harness.parts") },
    parts.map(tab),
  );
  const aside = parts.filter(({ name }) => ASIDE.includes(name));
  const below = parts.filter((part) => !aside.includes(part));
  const page = el(
    "div",
    { class: "harness" },
    strip,
    el("div", { class: "h-cloth" }, view, status, hint),
    tabs,
    below.map((part) => part.node),
    el("div", { class: "h-right" }, aside.map((part) => part.node)),
  );
  root.append(el("h1", { class: "unseen" }, t("nav.harness")), page);

  /** @param {{ name: string }} part */
  function tab({ name }) {
    return button("tab", t(`harness.part.${name}`), () => show(name), { class: "h-tab", "data-part": name });
  }

  /** @param {string} name */
  function show(name) {
    page.dataset.shown = name;
    [...tabs.children].forEach((one, index) => one.setAttribute("aria-pressed", String(parts[index].name === name)));
    parts.find((part) => part.name === name)?.shown?.();
  }

  function drawStrip() {
    const { scene } = app;
    const state = server.state;
    if (!state) return;
    const told = [state.playing, state.message, state.power, state.table, state.panel];
    const sign = JSON.stringify([scene?.state, scene?.advice, app.live, told]);
    if (sign === strip.dataset.sign) return;
    strip.dataset.sign = sign;
    const { boxes, seed, roles } = state.table;
    const stands = { class: "state", "data-test": "state", "data-state": scene?.state ?? "" };
    const plays = { class: `h-playing h-playing-${state.playing}`, "data-test": "playing", "data-playing": state.playing };
    fill(
      strip,
      el("span", stands, scene ? t(`state.${scene.state}`) : "–"),
      scene && el("span", { class: "next", "data-test": "next", "data-next": scene.next ?? "" }, nextWords(scene)),
      state.message && el("span", { class: "h-message", role: "alert" }, "⚠ ", state.message),
      el("span", { class: "h-fill" }),
      !state.power && el("span", { class: "h-dark" }, icon("power"), t("harness.no-power")),
      el("span", plays, t(`harness.playing.${state.playing}`)),
      el("span", { class: "h-table-name" }, t("harness.table", { boxes, seed })),
      roles && button("people", t("harness.people"), () => openPeople(app, server)),
      el("a", { class: "h-button", href: "#/harness/editor", "data-test": "editor" }, t("editor.title")),
      button("new-table", t("harness.new-table"), () => openNewTable(app, server)),
    );
    const shown = state.power ? [state.panel.upper, state.panel.lower].filter(Boolean).join(" / ") : t("harness.no-power");
    fill(status, [t(`harness.playing.${state.playing}`), shown].filter(Boolean).join(" · "));
  }

  /** @param {Held | null} now */
  function drawHint(now) {
    page.classList.toggle("is-holding", Boolean(now));
    const code = now?.kind === "draw" || now?.kind === "card" ? now.card : null;
    const card = code && code !== "??" ? cardShort(code) : t("harness.the-card");
    const amount = now?.kind === "chips" ? now.amount : "";
    hint.textContent = now ? t(`harness.hint.${now.kind}`, { card, amount }) : "";
  }

  function update() {
    if (!server.state) return;
    drawStrip();
    for (const part of parts) part.update?.(server.state, app.scene);
  }

  show("shoe");
  ends.push(server.watch(), server.on(update), held.on(drawHint), held.table(view), app.on("live", update));
  return {
    scene(scene) {
      view.update(scene);
      update();
    },
    keys() {
      return parts.flatMap((part) => part.keys?.() || []);
    },
    close() {
      ends.forEach((end) => end());
      held.leave();
      view.close();
    },
  };
}
