/* The Table page: the picture of the table, what comes next, and what may be commanded.

   1. The strip above says how the round stands and where the next card belongs, in large letters, and what is to be
      watched although nothing is decided on it.
   2. The bar below has the announcements and the decisions of the hand whose turn it is; everything else that may be
      said is in a drawer above the bar ("more"). At 800x480 nothing scrolls but the drawer.
   3. Rights that nobody has to use (a withdrawal until the next card) are in the drawer too; they hold nothing up.
   4. Who only reads sees no commands; where a login is needed, the bar has the login instead.
   5. A place that is pressed shows its details.
   6. The next place is announced to who hears the page when it changes. */

import { el, fill } from "../dom.js";
import { tableView } from "../draw/layout.js";
import { placeName } from "../draw/places.js";
import { button, grouped, keyed, shownPlace, speak, words } from "./commands.js";
import { correctionWords, dutyWords } from "./alarm_parts.js";
import { openReport, openSay, openSensorWrong } from "./byhand.js";
import { openDetails, openFindings } from "./details.js";
import { roleWords } from "./login.js";

const INLINE = 7;
const QUIET = new Set(["idle", "betting", "held", "void", "complete"]); // no card is to be dealt now

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const view = tableView({ scene: app.scene, t, onPlace: (place) => openDetails(app, place) });
  const strip = el("div", { class: "strip" });
  const bar = el("div", { class: "bar", role: "group", "aria-label": t("table.commands") });
  const drawer = el("div", { class: "drawer", role: "group", "aria-label": t("table.more"), hidden: true });
  let shown = "";
  let next = app.scene?.next ?? null;
  /** @type {Entry[]} */
  let entries = [];
  let open = false;

  root.append(
    el("h1", { class: "unseen" }, t("nav.table")),
    el("div", { class: "table-page" }, strip, el("div", { class: "table-middle" }, view, drawer), bar),
  );

  /** @param {boolean} [to] */
  function toggle(to = !open) {
    open = to && drawer.childElementCount > 0;
    drawer.hidden = !open;
    bar.querySelector(".command-more")?.setAttribute("aria-expanded", String(open));
    if (open) drawer.querySelector("button")?.focus();
  }

  /** @param {LiveScene} scene */
  function drawStrip(scene) {
    const stated = scene.state === "held" ? "held" : scene.state;
    const findings = (scene.findings || []).length;
    const down = Object.entries(scene.links || {}).filter(([, up]) => !up);
    fill(
      strip,
      el("span", { class: "state", "data-test": "state", "data-state": scene.state }, t(`state.${stated}`)),
      scene.round !== null && el("span", { class: "round" }, t("table.round", { number: scene.round })),
      el("span", { class: "next", "data-test": "next", "data-next": scene.next ?? "" }, nextWords(scene, t)),
      Object.entries(scene.offers || {}).filter(([, how]) => how !== "closed").map(
        ([what, how]) => el(
          "span",
          { class: "offer", "data-test": "offer", "data-offer": what, "data-how": how },
          t(`offers.${how}`, { what: t(`offer.${what}`) }),
        ),
      ),
      (scene.advice || []).map(
        (what) => el("span", { class: "chip chip-watch", "data-test": "advice", title: what }, t("table.advice", { what })),
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
    const groups = grouped(scene);
    const now = keyed([...groups.announcements, ...groups.decisions]);
    const asks = scene.state === "held" ? [] : scene.asks || [];
    const few = now.length + groups.others.length <= INLINE && !asks.length;
    entries = few ? [...now, ...groups.others] : now;
    const others = few ? [] : groups.others;
    if (app.session.roles && (!app.session.role || app.readsOnly)) {
      toggle(false);
      fill(drawer);
      fill(bar, locked(app));
      return;
    }
    const duties = scene.state === "held" ? [] : scene.duties || [];
    const approvals = duties.filter((one) => one.statement.startsWith("approve"));
    const shut = () => toggle(false);
    const more = others.length + asks.length + duties.length;
    fill(
      drawer,
      others.length > 0 && sections(app, others, shut),
      asks.length > 0 && rights(app, asks, shut),
      duties.length > 0 && absences(app, duties.filter((one) => !approvals.includes(one)), shut),
      byHand(app, shut),
    );
    fill(
      bar,
      entries.map((entry) => button(app, entry)),
      approvals.map((one) => duty(app, one, shut)),
      !entries.length && !approvals.length && el("p", { class: "bar-none" }, t("table.nothing-to-say")),
      el(
          "button",
        {
          type: "button",
          class: "command command-more",
          "data-test": "more",
          "aria-expanded": String(open),
          "aria-keyshortcuts": "M",
          onclick: () => toggle(),
        },
        el("span", { class: "command-word" }, t("table.more")),
        el("span", { class: "command-place" }, el("kbd", { "aria-hidden": "true" }, "M"), more > 0 && String(more)),
      ),
    );
    toggle(open);
  }

  /** @param {LiveScene} scene */
  function draw(scene) {
    view.update(scene);
    const sign = JSON.stringify(
      [
        scene.state,
        scene.round,
        scene.offers,
        scene.next,
        scene.turn,
        scene.can,
        scene.asks,
        scene.findings,
        scene.advice,
        scene.links,
        scene.duties,
        scene.key,
        app.live,
        app.session.role,
      ],
    );
    if (sign === shown) return;
    shown = sign;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.statement;
    drawStrip(scene);
    drawBar(scene);
    if (focused) refocus(focused);
    if (scene.next !== next) {
      next = scene.next;
      if (next) app.announce(t("table.next", { place: placeName(shownPlace(next, scene), t) }));
    }
  }

  /** @param {string} said */
  function refocus(said) {
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = bar.querySelectorAll("[data-statement]");
    const same = [...buttons].find((one) => one.dataset.statement === said);
    (same || bar.querySelector("button"))?.focus();
  }

  const off = ["live", "session"].map((kind) => app.on(kind, () => app.scene && draw(app.scene)));
  if (!app.scene) fill(strip, el("span", { class: "state" }, t("table.waiting")));
  return {
    scene: draw,
    keys() {
      return [
        ...entries.flatMap((one) => {
          const { label, where } = words(one, app.scene, t);
          const said = [label, where].filter(Boolean).join(" · ");
          return one.key ? [{ key: one.key, words: said, run: () => speak(app, one.statement) }] : [];
        }),
        { key: "m", words: t("table.more"), run: () => toggle() },
      ];
    },
    close() {
      off.forEach((one) => one());
      view.close();
    },
  };
}

/** @param {Scene} scene @param {Translate} t @returns {Child} */
export function nextWords(scene, t) {
  if (scene.next === null || scene.next === undefined || QUIET.has(scene.state)) return el(
    "span",
    { class: "next-none" },
    t(`now.${scene.state}`),
  );
  const place = placeName(shownPlace(scene.next, scene), t);
  return [el("span", { class: "next-sign", "aria-hidden": "true" }, "▶"), t("table.next", { place })];
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
  return el(
    "button",
    {
      type: "button",
      class: "command",
      "data-test": test,
      "data-statement": one.statement,
      disabled: !app.live || !app.may(one.roles),
      onclick: () => {
        shut();
        speak(app, one.statement);
      },
    },
    el("span", { class: "command-word" }, label),
    where && el("span", { class: "command-place" }, where),
  );
}

/** @param {App} app @param {ShownAsk[]} asks @param {() => unknown} shut */
function rights(app, asks, shut) {
  const { t } = app;
  return el(
    "section",
    { class: "drawer-part" },
    el("h2", null, t("table.rights", { clause: asks[0].clause })),
    el(
      "div",
      { class: "drawer-row" },
      asks.flatMap((ask) =>
        ask.answers.map(
          (one) => statement(
            app,
            "answer",
            { ...one, roles: ask.roles },
            t(`option.${one.option}`),
            placeName(ask.who, t),
            shut,
          ),
        ),
      ),
    ),
  );
}

/** @param {App} app @param {Duty} one @param {() => unknown} shut */
function duty(app, one, shut) {
  const needed = app.may(one.roles) ? "" : roleWords(one.roles, app.t);
  return statement(app, "duty", one, dutyWords(one.statement, app.t), needed, shut);
}

/** @param {App} app @param {Duty[]} duties @param {() => unknown} shut */
function absences(app, duties, shut) {
  return (
    duties.length > 0 &&
    el(
      "section",
      { class: "drawer-part" },
      el("h2", null, app.t("table.absences")),
      el(
        "div",
        { class: "drawer-row" },
        duties.map((one) => statement(app, "duty", one, whereOf(one.statement, app.t), "", shut)),
      ),
    )
  );
}

/** @param {string} said @param {Translate} t */
function whereOf(said, t) {
  const [verb, place] = said.split(" ");
  return verb === "absent" ? placeName(place, t) : dutyWords(said, t);
}

/* What a person who is logged in may take back or retract. */
/** @param {App} app */
function corrections(app) {
  return (app.scene?.corrections || []).filter((one) => app.may(one.roles));
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
          el("span", { class: "command-word" }, correctionWords(one, t)),
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
