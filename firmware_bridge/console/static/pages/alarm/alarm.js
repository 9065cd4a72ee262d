/* The Alarm: a state of the Table page while an irregularity is open or an alarm waits to be cleared.

   1. It opens when the scene has an open matter or an uncleared alarm, and closes when it has neither. The commands of
      the Table cannot be pressed meanwhile: that page is inert, and the focus stays within. Rights that hold nothing up
      (asks while the round goes on) do not open it; they are shown in it while it is open.
   2. Above is the next thing to do, as the panel says it. Left is the table with the moves and the place that is asked,
      else those concerned; right the course of it (course.js), which may scroll; below the answers as large
      buttons, number keys choose them.
   3. Who may answer or clear is told by the scene (roles). Where the role is missing, the buttons wait and the login
      is right here. The daemon decides in any case, and its refusal is shown.
   4. Several are dealt with one after the other; the count is shown. Of those that only wait to be cleared, the next
      can be looked at without clearing the first: it may need another person.
   5. On History, Health and Games it is a red strip with the way back. Anybody may look at the table behind it so, until
      something new is raised. Who only reads sees it without buttons. */

import { byId, el, fill, focusOn } from "../../dom.js";
import { tableView } from "../../draw/layout.js";
import { closeDialog, trap } from "../../input/keys.js";
import { currentRoute } from "../../router.js";
import { LANGS, currentLang } from "../../texts.js";
import { Choices } from "./choices.js";
import { course } from "./course.js";
import { itemsOf } from "./parts.js";

const NARROW = 1000;
const READ = new Set(["history", "health", "games", "unknown"]); // pages beside which the Alarm is a strip
/** @type {[string, number, string][]} */
const TURNS = [["‹", -1, "alarm.previous"], ["›", 1, "alarm.next"]];

/* A new one each time: what others have put into it must not outlive the Alarm. */
function frame() {
  const head = el("div", { class: "alarm-head" });
  const loud = el("p", { class: "alarm-loud", "data-test": "alarm-advice" });
  const side = el("div", { class: "alarm-side", tabindex: "0", role: "region" });
  const left = el("div", { class: "alarm-left" });
  const foot = el("div", { class: "alarm-foot" });
  const box = el(
    "div",
    { class: "alarm", role: "alertdialog", "aria-labelledby": "alarm-title", tabindex: "-1", "data-test": "alarm" },
    head,
    loud,
    el("div", { class: "alarm-body" }, left, side),
    foot,
  );
  trap(box);
  return { box, head, loud, side, left, foot };
}

/** @param {OpenItem} item @param {LiveScene} scene */
function framed(item, scene) {
  const who = scene.asks[0]?.who || "";
  return /^\d/.test(who) ? [who] : item.kind === "matter" ? item.places : [];
}

export class Alarm {
  /** @param {App} app @param {HTMLElement} host */
  constructor(app, host) {
    this.app = app;
    this.host = host;
    this.open = false;
    this.looked = false;
    this.done = 0;
    this.sign = "";
    this.footed = "";
    this.raised = "";
    this.which = 0;
    /** @type {{ kind: string, node: Panel } | null} */
    this.panel = null;
    /** @type {Element | null} */
    this.before = null;
    /** @type {TableView | null} */
    this.view = null;
    this.choices = new Choices(app, this);
    this.frame = frame();
  }

  /* Whether the page is seen, and the Alarm is a strip above it. */
  get behind() {
    return this.looked || READ.has(currentRoute().name);
  }

  forget() {
    this.sign = "";
    this.raised = "";
    this.which = 0;
    this.panel = null;
  }

  /* --- opening and closing ------------------------------------------------------------------------------------- */

  update() {
    const { app } = this;
    const { scene } = app;
    const items = app.session.must_login ? [] : itemsOf(scene);
    if (!scene || !items.length) return this.shut();
    const raised = JSON.stringify(items.map((one) => [one.kind, one.code, one.places, one.kind === "alarm" && one.n]));
    if (raised !== this.raised) this.fresh(items, raised);
    if (this.which >= items.length) this.which = 0;
    if (!this.open) this.begin();
    const sign = JSON.stringify(
      [
        items,
        this.which,
        this.behind,
        scene.asks,
        scene.duties,
        scene.disclose,
        scene.advice,
        scene.corrections,
        scene.state,
        app.session.role,
        app.live,
      ],
    );
    const item = items[this.which];
    const { moves } = item;
    this.view?.update(
      scene,
      { moves, highlight: framed(item, scene), bare: moves.length > 0 || innerWidth < NARROW },
    );
    if (sign === this.sign) return;
    this.announceMoves(item);
    this.sign = sign;
    this.draw(items);
  }

  /** @param {OpenItem[]} items @param {string} raised */
  fresh(items, raised) {
    const more = items.length > JSON.parse(this.raised || "[]").length;
    this.raised = raised;
    if (items[0].kind === "matter") this.which = 0;
    if (more || !this.open) this.looked = false;
    if (this.panel?.kind !== "login") this.panel = null;
  }

  begin() {
    const { t } = this.app;
    closeDialog();
    this.before = document.activeElement;
    this.open = true;
    this.done = 0;
    this.view = tableView({ scene: this.app.scene, t });
    this.frame = frame();
    this.footed = "";
    fill(this.host, this.frame.box);
    this.cover();
    this.frame.box.focus();
  }

  cover() {
    byId("shell").inert = !this.behind;
    document.body.classList.toggle("has-alarm", !this.behind);
    document.body.classList.toggle("alarm-behind", this.behind);
  }

  shut() {
    if (!this.open) return;
    this.open = false;
    this.looked = false;
    this.view?.close();
    this.forget();
    fill(this.host);
    this.cover();
    document.body.classList.remove("has-alarm", "alarm-behind");
    byId("shell").inert = false;
    if (this.before === document.body || !focusOn(this.before)) byId("page").focus();
  }

  redraw() {
    if (!this.open) return;
    this.view?.close();
    this.open = false;
    this.sign = "";
    this.panel = null;
    this.update();
  }

  /** @param {OpenItem} item */
  announceMoves(item) {
    const { t, announce } = this.app;
    const { moves } = item;
    const done = moves.filter((move) => move.done).length;
    if (moves.length && done > this.done) announce(t("alarm.moves-done", { done, count: moves.length }));
    this.done = done;
  }

  /* --- drawing -------------------------------------------------------------------------------------------------- */

  /** @param {OpenItem[]} items */
  draw(items) {
    const { t, readsOnly } = this.app;
    const item = items[this.which];
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.statement;
    const { box } = this.frame;
    const inside = box.contains(document.activeElement) && document.activeElement !== box;
    this.frame.box.dataset.code = item.code;
    this.frame.box.dataset.kind = item.kind;
    this.cover();
    this.frame.box.classList.toggle("is-small", this.behind);
    this.frame.box.setAttribute("aria-modal", String(!this.behind));
    if (this.behind) this.frame.box.removeAttribute("aria-describedby");
    else this.frame.box.setAttribute("aria-describedby", "alarm-what alarm-ruling");
    this.drawHead(items, item);
    if (this.behind) {
      this.footed = "";
      return [this.frame.left, this.frame.loud, this.frame.side, this.frame.foot].forEach((one) => fill(one));
    }
    const { side, loud } = this.frame;
    const at = side.dataset.of === item.code ? side.scrollTop : 0;
    side.dataset.of = item.code;
    side.setAttribute("aria-label", t("alarm.course"));
    fill(loud, el("span", { class: "next-sign", "aria-hidden": "true" }, "▶"), this.app.scene?.advice.text[currentLang()]);
    fill(side, course(item, this.app));
    side.scrollTop = at;
    const ask = this.app.scene?.asks[0] || null;
    this.drawLeft();
    const reading = readsOnly && el("p", { class: "bar-none" }, t("alarm.reads-only"));
    this.drawFoot(item, reading ? [reading] : this.choices.draw(item, ask));
    if (inside || focused) this.refocus(focused);
  }

  /** @param {OpenItem[]} items @param {OpenItem} item */
  drawHead(items, item) {
    const { app } = this;
    const { t } = app;
    /** @param {number} by */
    const page = (by) => () => {
      this.which = (this.which + by + items.length) % items.length;
      this.update();
    };
    const several = items.length > 1;
    const paged = several && items.every((one) => one.kind === "alarm");
    fill(
      this.frame.head,
      el("span", { class: "alarm-sign", "aria-hidden": "true" }, "⚠"),
      app.scene?.table && el("span", { class: "alarm-table", "data-test": "alarm-table" }, app.scene.table),
      el("h1", { id: "alarm-title" }, t(`code.${item.code}`)),
      several && el(
        "span",
        { class: "alarm-count", "data-test": "alarm-count" },
        t("alarm.of", { number: this.which + 1, count: items.length }),
      ),
      paged && TURNS.map(
        ([sign, by, key]) => el(
          "button",
          { type: "button", class: "icon-button", "aria-label": t(key), onclick: page(by) },
          sign,
        ),
      ),
      app.tone?.control,
      app.session.role && el(
        "span",
        { class: "alarm-person" },
        `${app.session.name} · ${t(`role.${app.session.role}`)}`,
      ),
      el(
        "button",
        { type: "button", class: "head-button", "data-test": "look-behind", onclick: () => this.toggleBehind() },
        t(this.behind ? "alarm.back" : "alarm.look"),
      ),
      LANGS.filter((one) => one.code !== app.lang).map(
        (one) => el(
          "button",
          {
            type: "button",
            class: "head-button head-lang",
            lang: one.html,
            "data-lang": one.code,
            onclick: () => app.setLang(one.code),
          },
          one.name,
        ),
      ),
    );
  }

  /* A button that is being held stays the same one, as long as the foot says the same. */
  /** @param {OpenItem} item @param {(HTMLElement | null | (HTMLElement | null)[])[]} drawn */
  drawFoot(item, drawn) {
    const nodes = drawn.flat();
    const which = item.kind === "alarm" ? item.n : item.key;
    const sign = JSON.stringify([which, item.code, this.app.scene?.asks, nodes.map((one) => one?.outerHTML)]);
    if (sign === this.footed) return;
    this.footed = sign;
    fill(this.frame.foot, nodes);
  }

  drawLeft() {
    const shown = this.panel ? this.panel.node : this.view;
    if (this.frame.left.firstElementChild !== shown) fill(this.frame.left, shown);
  }

  /** @param {string | undefined} statement */
  refocus(statement) {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = this.frame.foot.querySelectorAll("button[data-statement]");
    const same = [...buttons].find(
      (one) => statement && one.dataset.statement === statement && !one.disabled,
    );
    const kept = this.frame.left.contains(document.activeElement) || this.frame.head.contains(document.activeElement);
    if (!kept) (same || this.frame.box).focus();
  }

  keys() {
    return this.panel || this.behind ? [] : this.choices.keys();
  }

  toggleBehind() {
    this.looked = !this.behind;
    if (!this.looked && READ.has(currentRoute().name)) this.app.go("table");
    this.update();
    this.frame.box.focus();
  }

  /* --- panels in the place of the table ------------------------------------------------------------------------- */

  /** @param {string} kind @param {Panel} node */
  put(kind, node) {
    this.panel = { kind, node };
    this.drawLeft();
    if (node.start) node.start();
    else node.querySelector("button")?.focus();
  }

  /** @param {string} [kind] */
  drop(kind = this.panel?.kind) {
    if (this.panel?.kind !== kind) return; // another one was opened meanwhile
    this.panel = null;
    this.drawLeft();
    this.frame.box.focus();
  }
}
