/* The Table page: the picture of the table, the next thing to do, and what may be commanded.

   1. The strip above says how the round stands and, in large letters, the next thing to do: the words are the daemon's,
      the same as on the panel. Grey beside it: what comes after, what Players may still do, or which wagers go back.
   2. Below are fourteen commands at fixed places (grid.js); what concerns one box is a pill on that box (pills.js). More
      is a drawer above the grid: reports, Players who are not there, cards face down. Escape or a press beside it shuts
      it. At 800x480 nothing scrolls but the drawer.
      A phone held upright has rows instead of the picture (rows.js).
   3. On a desk the right column has the pay-and-take guide (guide.js), else the findings of the round, the limits and
      the last events (last_events.js). On a small screen each box has its sum, and its details the rows.
      An approval is a button in the strip, which must be held: it cannot be undone.
   4. Who only reads sees no commands; where a login is needed, the bar has the login instead.
   5. A place that is pressed shows its details.
   6. The next thing to do is announced to people who hear the page when it changes. */

import { el, fill } from "../dom.js";
import { tableView } from "../draw/layout.js";
import { placeName } from "../draw/places.js";
import { onLongPress } from "../input/long_press.js";
import { currentLang } from "../texts.js";
import { button, grouped, speak } from "./table/commands.js";
import { dutyWords } from "./alarm/parts.js";
import { correctionWords } from "./corrections.js";
import { openReport, openSay, openSensorWrong } from "./table/byhand.js";
import { findingLine, openDetails, openFindings } from "./table/details.js";
import { commandGrid } from "./table/grid.js";
import { guide } from "./table/guide.js";
import { lastEvents } from "./table/last_events.js";
import { roleWords } from "./login/login.js";
import { boxPills, pillsOf } from "./table/pills.js";
import { boxRows } from "./table/rows.js";

const IN_GRID = new Set(["hit", "stand", "double", "split", "free-double", "free-split"]);

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const view = tableView({ scene: app.scene, t, onPlace: (place) => openDetails(app, place), onDraw: () => placePills() });
  const strip = el("div", { class: "strip" });
  const grid = commandGrid(app, () => toggle());
  const pills = boxPills(app);
  const rows = boxRows(app, (place) => openDetails(app, place));
  const last = lastEvents(app);
  const bar = el("div", { class: "bar" });
  const side = el("aside", { class: "side", "aria-label": t("table.side") });
  const drawer = el("div", { class: "drawer", role: "group", "aria-label": t("table.more"), hidden: true });
  const back = el("div", { class: "drawer-back", "data-test": "drawer-back", hidden: true, onclick: () => toggle(false) });
  let shown = "";
  let told = app.scene ? loudLine(app.scene) : "";
  let open = false;

  root.append(
    el("h1", { class: "unseen" }, t("nav.table")),
    el(
      "div",
      { class: "table-page" },
      strip,
      el("div", { class: "table-middle" }, el("div", { class: "table-felt" }, view, rows.root, pills.root, back, drawer), side),
      bar,
    ),
  );

  /** @param {boolean} [to] */
  function toggle(to = !open) {
    open = to && drawer.childElementCount > 0;
    drawer.hidden = back.hidden = !open;
    grid.root.querySelector(".cell-more")?.setAttribute("aria-expanded", String(open));
    if (open) drawer.querySelector("button")?.focus();
  }

  const commands = () => !app.session.roles || Boolean(app.session.role && !app.readsOnly);

  /** @param {number} box */
  const areaOf = (box) => rows.areaOf(box) || view.pillArea(box);

  function placePills() {
    if (app.scene) pills.update(app.scene, commands() ? pillsOf(app.scene) : new Map(), areaOf);
  }

  /** @param {LiveScene} scene */
  function drawStrip(scene) {
    const findings = (scene.findings || []).length;
    const down = Object.entries(scene.links || {}).filter(([, up]) => !up);
    const approvals = commands() ? dutiesOf(scene).filter((one) => one.statement.startsWith("approve")) : [];
    const after = scene.advice.beside || scene.advice.then;
    fill(
      strip,
      el("span", { class: "state", "data-test": "state", "data-state": scene.state }, t(`state.${scene.state}`)),
      scene.round !== null && el("span", { class: "round" }, t("table.round", { number: scene.round })),
      el(
        "span",
        { class: "loud" },
        el("span", { class: "next", ...loudMarks(scene) }, nextWords(scene)),
        after && el("span", { class: `after${scene.advice.beside ? " is-open" : ""}`, "data-test": "after" }, scene.advice.beside ? "" : t("table.then"), after[currentLang()]),
      ),
      approvals.map((one) => duty(app, one)),
      (scene.watch || []).map(
        (by) => el("span", { class: "chip chip-watch", "data-test": "watch", title: by[currentLang()] }, t("table.watch", { what: by[currentLang()] })),
      ),
      down.length > 0 &&
        el(
          "a",
          { class: "chip chip-bad", href: "#/health" },
          el("span", { "aria-hidden": "true" }, "⚠ "),
          t("table.links-down", { count: down.length }),
        ),
      findings > 0 &&
        el(
          "button",
          { type: "button", class: "chip", "data-test": "findings", onclick: () => openFindings(app) },
          t("table.findings", { count: findings }),
        ),
    );
  }

  /** @param {LiveScene} scene */
  function drawBar(scene) {
    if (!commands()) {
      toggle(false);
      fill(drawer);
      fill(bar, locked(app));
      return;
    }
    const shut = () => toggle(false);
    const others = grouped(scene).others.filter((one) => one.verb === "squeeze" || IN_GRID.has(one.verb));
    const duties = dutiesOf(scene);
    const absent = duties.filter((one) => one.statement.startsWith("absent"));
    const asked = duties.filter((one) => !absent.includes(one) && !one.statement.startsWith("approve"));
    fill(
      drawer,
      others.length > 0 && sections(app, others, shut),
      part(app, scene.advice.beside?.[currentLang()] || t("alarm.asked"), asked, (one) => dutyWords(one.statement, t), shut),
      part(app, t("table.absences"), absent, (one) => placeName(one.statement.split(" ")[1], t), shut),
      byHand(app, shut),
    );
    if (!bar.contains(grid.root)) fill(bar, grid.root);
    grid.update(scene, open);
    toggle(open);
  }

  /** @param {LiveScene} scene */
  function drawSide(scene) {
    const findings = scene.findings || [];
    fill(
      side,
      scene.settlement && guide(scene.settlement, app),
      !scene.settlement && findings.length > 0 && el(
        "section",
        null,
        el("h2", null, t("table.findings", { count: findings.length })),
        el("ul", { class: "findings" }, findings.map((one) => findingLine(one, t))),
      ),
      !scene.settlement && Object.keys(scene.limits).length > 0 && limits(scene, t),
      !scene.settlement && el("section", null, el("h2", null, t("table.last-events")), last.root),
    );
  }

  /** @param {LiveScene} scene */
  function draw(scene) {
    const found = commands() ? pillsOf(scene) : new Map();
    view.update(scene, { pills: new Set(found.keys()) });
    rows.update(scene, new Set(found.keys()));
    const { state, round, advice, watch, can, asks, findings, links, settlement, interim } = scene;
    const sign = JSON.stringify([
      [state, round, advice, watch, can, asks, findings, links, settlement, interim],
      [scene.corrections, scene.duties, scene.key, app.live, app.session.role],
    ]);
    if (sign === shown) return;
    shown = sign;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.statement;
    drawStrip(scene);
    drawBar(scene);
    drawSide(scene);
    pills.update(scene, found, areaOf);
    if (focused && document.activeElement === document.body) refocus(focused);
    const line = loudLine(scene);
    if (line !== told) app.announce(line);
    told = line;
  }

  /** @param {string} said */
  function refocus(said) {
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = root.querySelectorAll("[data-statement]");
    const same = [...buttons].find((one) => one.dataset.statement === said);
    (same || bar.querySelector("button"))?.focus();
  }

  /** @param {KeyboardEvent} event */
  function shutByKey(event) {
    if (event.key === "Escape" && open) toggle(false);
  }

  document.addEventListener("keydown", shutByKey);
  window.addEventListener("resize", placePills);
  const off = /** @type {const} */ (["live", "session"]).map((kind) => app.on(kind, () => app.scene && draw(app.scene)));
  if (!app.scene) fill(strip, el("span", { class: "state" }, t("table.waiting")));
  return {
    scene: draw,
    seen: last.seen,
    keys: () => (commands() ? grid.keys() : []),
    close() {
      document.removeEventListener("keydown", shutByKey);
      window.removeEventListener("resize", placePills);
      off.forEach((one) => one());
      view.close();
    },
  };
}

/** @param {LiveScene} scene @param {Translate} t */
function limits(scene, t) {
  return el(
    "section",
    null,
    el("h2", null, t("table.limits")),
    Object.entries(scene.limits).map(
      ([kind, { min, max }]) => el("p", { class: "limit" }, el("span", null, t(`wager.${kind}`)), el("span", null, `${min} – ${max}`)),
    ),
  );
}

/** @param {LiveScene} scene */
function dutiesOf(scene) {
  return scene.state === "held" ? [] : scene.duties || [];
}

/** @param {Scene} scene */
export function loudLine(scene) {
  return scene.advice.text[currentLang()];
}

/** @param {Scene} scene @returns {Child} */
export function nextWords(scene) {
  return [el("span", { class: "next-sign", "aria-hidden": "true" }, "▶"), loudLine(scene)];
}

/** @param {Scene} scene @returns {Props} */
function loudMarks({ advice }) {
  return { "data-test": "advice", "data-key": advice.key, "data-press": advice.press, "data-place": advice.place ?? "" };
}

/** @param {App} app @returns {Child} */
function locked(app) {
  const { t } = app;
  if (app.readsOnly) return el("p", { class: "bar-none" }, t("table.reads-only"));
  return [
    el("p", { class: "bar-none" }, t("table.login-first")),
    el(
      "button",
      { type: "button", class: "command", "data-test": "login-first", onclick: () => app.login() },
      el("span", { class: "command-word" }, t("login.open")),
    ),
  ];
}

/** @param {App} app @param {Entry[]} entries @param {() => unknown} onsay */
function sections(app, entries, onsay) {
  const { t } = app;
  const verbs = [...new Set(entries.map((one) => one.verb))];
  return verbs.map((verb) =>
    el(
      "section",
      { class: "drawer-part" },
      el("h2", null, t(`commands.${verb}`)),
      el(
        "div",
        { class: "drawer-row" },
        entries.filter((one) => one.verb === verb).map((one) => button(app, one, { onsay, brief: true })),
      ),
    ),
  );
}

/**
 * @param {App} app
 * @param {string} test
 * @param {Duty} one
 * @param {string} label
 * @param {string} where
 * @param {() => unknown} shut
 */
function statement(app, test, one, label, where, shut) {
  const approves = one.statement.startsWith("approve");
  const run = () => {
    shut();
    speak(app, one.statement);
  };
  const node = el(
    "button",
    {
      type: "button",
      class: "command",
      "data-test": test,
      "data-statement": one.statement,
      disabled: !app.live || !app.may(one.roles),
      onclick: approves ? null : run,
    },
    el("span", { class: "command-word" }, label),
    (where || approves) && el("span", { class: "command-place" }, where || app.t("hold.mark")),
  );
  return approves ? onLongPress(node, app, run) : node;
}

/** @param {App} app @param {Duty} one */
function duty(app, one) {
  const needed = app.may(one.roles) ? "" : roleWords(one.roles, app.t);
  return statement(app, "duty", one, dutyWords(one.statement, app.t), needed, () => null);
}

/**
 * @param {App} app
 * @param {string} title
 * @param {Duty[]} duties
 * @param {(one: Duty) => string} words
 * @param {() => unknown} shut
 */
function part(app, title, duties, words, shut) {
  return (
    duties.length > 0 &&
    el(
      "section",
      { class: "drawer-part" },
      el("h2", null, title),
      el("div", { class: "drawer-row" }, duties.map((one) => statement(app, "duty", one, words(one), "", shut))),
    )
  );
}

/* What a person who is logged in may retract; the last command is taken back by Undo. */
/** @param {App} app */
function corrections(app) {
  return (app.scene?.corrections || []).filter((one) => one.statement !== "take-back" && app.may(one.roles));
}

/** @param {App} app @param {() => unknown} shut */
function byHand(app, shut) {
  const { t } = app;
  /** @param {(app: App) => unknown} fn */
  const open = (fn) => () => {
    shut();
    fn(app);
  };
  return el(
    "section",
    { class: "drawer-part" },
    el("h2", null, t("table.people")),
    el(
      "div",
      { class: "drawer-row" },
      el(
        "button",
        { type: "button", class: "command", "data-test": "report", onclick: open(openReport) },
        el("span", { class: "command-word" }, t("table.report")),
      ),
      corrections(app).map((one) =>
        el(
          "button",
          {
            type: "button",
            class: "command",
            "data-test": "correction",
            "data-statement": one.statement,
            disabled: !app.live,
            onclick: open(() => speak(app, one.statement)),
          },
          el("span", { class: "command-word" }, correctionWords(one, app.scene, t)),
        ),
      ),
      el(
        "button",
        { type: "button", class: "command", "data-test": "sensor-wrong", onclick: open(openSensorWrong) },
        el("span", { class: "command-word" }, t("table.sensor-wrong")),
      ),
      el(
        "button",
        { type: "button", class: "command", "data-test": "say-open", onclick: open(openSay) },
        el("span", { class: "command-word" }, t("table.say")),
      ),
    ),
  );
}
