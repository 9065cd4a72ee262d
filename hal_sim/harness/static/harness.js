/* The harness: the table with the simulated hardware around it.

   1. It joins the console as an extra: the route #/harness. `joins` gives the Alarm what moves cards while it covers the
      page, because a reconstruction is done with hands.
   2. Everything that is done here is a statement of deal notation or a press of a button of the panel. It stops the robot
      or a scenario that plays by itself.
   3. On a desk everything is seen at once. On a small screen the table stays, and one part of the hardware below it: the
      tabs choose which. */

import { el, fill } from "/static/dom.js";
import { cardShort } from "/static/draw/cards.js";
import { tableView } from "/static/draw/layout.js";
import { nextWords } from "/static/pages/table.js";
import { button } from "./controls.js";
import { deskOf } from "./desk.js";
import { Hold } from "./hold.js";
import { icon } from "./icons.js";
import { shoePart } from "./shoe.js";
import { chipsPart } from "./chips.js";
import { panelPart } from "./panel.js";
import { devicesPart } from "./devices.js";
import { robotPart } from "./robot.js";
import { scenarioPart } from "./scenario.js";
import { recordPart } from "./record.js";
import { openNewTable, openPeople } from "./tables.js";
import { physical } from "./physical.js";

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
/** @type {Hold | null} */
let hold = null;

/** @param {App} app */
export function holdOf(app) {
  hold ??= new Hold(deskOf(app));
  return hold;
}

/** @param {App} app */
export function joins(app) {
  physical(app, deskOf(app), holdOf(app));
}

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const desk = deskOf(app);
  const held = holdOf(app);
  const view = tableView({ scene: app.scene, t, dropTargets: true, onPlace: (place, event) => held.place(place, event) });
  /** @type {(() => unknown)[]} */
  const ends = [];
  const strip = el("div", { class: "h-strip" });
  const hint = el("p", { class: "h-hint", role: "status" });
  const status = el("p", { class: "h-status", "aria-hidden": "true" });
  const parts = Object.entries(PARTS).map(([name, make]) => {
    const part = make({ app, desk, hold: held, ends });
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
    const state = desk.state;
    if (!state) return;
    const told = [state.playing, state.message, state.power, state.table, state.panel];
    const sign = JSON.stringify([scene?.state, scene?.next, app.live, told]);
    if (sign === strip.dataset.sign) return;
    strip.dataset.sign = sign;
    const { boxes, seed, roles } = state.table;
    const stands = { class: "state", "data-test": "state", "data-state": scene?.state ?? "" };
    const plays = { class: `h-playing h-playing-${state.playing}`, "data-test": "playing", "data-playing": state.playing };
    fill(
      strip,
      el("span", stands, scene ? t(`state.${scene.state}`) : "–"),
      scene && el("span", { class: "next", "data-test": "next", "data-next": scene.next ?? "" }, nextWords(scene, t)),
      state.message && el("span", { class: "h-message", role: "alert" }, "⚠ ", state.message),
      el("span", { class: "h-fill" }),
      !state.power && el("span", { class: "h-dark" }, icon("power"), t("harness.no-power")),
      el("span", plays, t(`harness.playing.${state.playing}`)),
      el("span", { class: "h-table-name" }, t("harness.table", { boxes, seed })),
      roles && button("people", t("harness.people"), () => openPeople(app, desk)),
      button("new-table", t("harness.new-table"), () => openNewTable(app, desk)),
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
    if (!desk.state) return;
    drawStrip();
    for (const part of parts) part.update?.(desk.state, app.scene);
  }

  show("shoe");
  ends.push(desk.watch(), desk.on(update), held.on(drawHint), held.table(view), app.on("live", update));
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
