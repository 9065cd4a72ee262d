/* What can be pressed in the Alarm: answers, duties, reasons to clear, and the panels that some of them open.

   1. The foot has at most five buttons: three that answer, or four if that is all, else "All answers", which opens the
      rest; and at the right end, always, the login or who is logged in. Each but the last has a number key. What the
      person who is logged in may not do is there but waits.
   2. "Reported by mistake" comes first while a report can be retracted; then which cards of a pull show, on which the
      ruling depends.
   3. What cannot be undone must be held (long_press.js): void, cards that cannot be put back, a wager taken back, an
      approval, a word against the sensors, and clearing.
   4. Clearing is a step of its own: it asks why, and offers the reasons that fit the code. A usual reason goes into the
      journal in English whatever the page speaks, another one as it was written.
   5. `alarm` lends its left side: put(kind, node) shows a panel there, drop() the table again. */

import { el } from "../../dom.js";
import { onLongPress } from "../../input/long_press.js";
import { english } from "../../texts.js";
import { cardPicker, choosing, listPanel, reasonPanel } from "./panels.js";
import { dutyWords, isCard, needs, optionWords, questionWords } from "./parts.js";
import { correctionWords } from "../corrections.js";
import { speak } from "../table/commands.js";
import { loginPanel, roleWords } from "../login/login.js";

const ROOM = 4;
const FINAL = new Set(["void", "withdraw"]);
const CARDS = new Set(["foreign-card", "extra-card", "missing-card", "unshuffled-cards", "insufficient-cards", "unreadable-card"]);
const DEVICES = new Set(["link-lost", "power-failure"]);

/** @param {AlarmItem} item */
function reasonsFor(item) {
  if (!item.clause) return ["traced", "false"];
  if (DEVICES.has(item.code)) return ["device", "checked", "false"];
  if (CARDS.has(item.code)) return ["carried-out", "counted", "kept", "explained"];
  return ["carried-out", "explained", "checked", "false"];
}

/** @import { Alarm } from "./alarm.js" */

export class Choices {
  /** @param {App} app @param {Alarm} alarm */
  constructor(app, alarm) {
    this.app = app;
    this.alarm = alarm;
    /** @type {Choice[]} */
    this.list = [];
  }

  /** @param {OpenItem} item @param {ShownAsk | null} ask */
  draw(item, ask) {
    const decides = ask?.who === "house"; // whose Continue is the approval
    const duties = (this.app.scene?.duties || []).filter((one) => !(decides && one.statement.startsWith("approve")));
    const absent = duties.filter((one) => one.statement.startsWith("absent"));
    const all = [
      ...this.corrections(item, "retract"),
      ...this.shows(item),
      ...(ask ? this.answers(ask) : []),
      ...duties.filter((one) => !absent.includes(one)).map((one) => this.duty(one, item)),
      ...(item.kind === "alarm" ? [this.toClear(item)] : []),
      ...this.corrections(item, "take-back"),
    ];
    const others = (this.app.scene?.asks || []).slice(1);
    const away = item.kind === "matter" ? absent : [];
    const whole = all.length <= ROOM - (others.length || away.length ? 1 : 0);
    this.list = whole ? all : all.slice(0, ROOM - 1);
    if (!whole || others.length || away.length) {
      const run = () => this.more(all.slice(this.list.length - 1), others, away);
      this.list.push({ test: "alarm-more", words: this.app.t("alarm.all-answers"), roles: ["dealer"], run, soft: true });
    }
    return [this.list.map((one, index) => this.button(one, index)), this.person(all)];
  }

  /** @param {ShownAsk} ask @returns {Choice[]} */
  answers(ask) {
    const { t } = this.app;
    const { roles } = ask;
    const found = ask.answers.map((one) => this.answer(one, roles));
    const faces = ask.options.filter(isCard);
    if (ask.options.includes("CARD")) {
      found.unshift({ test: "answer-card", words: t("option.CARD"), roles, run: () => this.nameCard(ask) });
    }
    if (faces.length > 1 && /^\d/.test(ask.who)) {
      found.push({ test: "several", words: t("alarm.several"), roles, run: () => this.takeSeveral(ask, faces) });
    }
    return found;
  }

  /** @param {AnswerOption} one @param {string[]} roles @returns {Choice} */
  answer({ statement, option }, roles) {
    return { test: "answer", statement, option, words: optionWords(option, this.app.t), roles, hold: FINAL.has(option) };
  }

  /** @param {Duty} one @param {{ moves?: ShownMove[] }} item @returns {Choice} */
  duty({ statement, roles }, item) {
    const laid = statement === "reconstructed" && (item.moves || []).every((move) => move.done);
    const approves = statement.startsWith("approve");
    const hold = approves || statement === "cannot-reconstruct" || (statement === "reconstructed" && !laid);
    return { test: "duty", statement, words: dutyWords(statement, this.app.t), roles, soft: !laid && !approves, hold };
  }

  /** @param {AlarmItem} item @returns {Choice} */
  toClear(item) {
    const soft = item.progress.waits.length > 0; // something is to be done first
    return { test: "clear-open", words: this.app.t("alarm.clear-open"), roles: item.roles, soft, run: () => this.whyClear(item) };
  }

  /** @param {AlarmItem} item @returns {Choice[]} */
  reasons(item) {
    const { t } = this.app;
    const { roles } = item;
    const usual = reasonsFor(item).map((reason) => ({
      test: "clear",
      reason,
      words: t(`reason.${reason}`),
      roles,
      hold: true,
      soft: true,
      run: () => this.clear(item, english(`reason.${reason}`)),
    }));
    const own = { test: "own", words: t("alarm.own-reason"), roles, run: () => this.ownReason(item), soft: true };
    return [...usual, own];
  }

  /** @param {OpenItem} item @param {string} verb @returns {Choice[]} */
  corrections(item, verb) {
    const found = item.kind === "matter" ? this.app.scene?.corrections || [] : [];
    return found
      .filter((one) => one.statement.startsWith(verb) && this.app.may(one.roles))
      .map((one) => ({
        test: "correction",
        statement: one.statement,
        words: correctionWords(one, this.app.scene, this.app.t),
        roles: one.roles,
        soft: true,
      }));
  }

  /** @param {OpenItem} item @returns {Choice[]} */
  shows(item) {
    if (item.kind !== "matter" || !this.app.scene?.disclose) return [];
    return [{ test: "disclose", words: this.app.t("alarm.disclose"), roles: ["dealer"], run: () => this.disclose(), soft: true }];
  }

  /* --- buttons and keys ------------------------------------------------------------------------------------------ */

  /** @param {Choice} one @param {number} index its place in the foot, -1 elsewhere */
  button(one, index) {
    const { app } = this;
    const allowed = app.may(one.roles);
    const key = index < 0 ? null : String(index + 1);
    const node = el(
      "button",
      {
        type: "button",
        class: `command ${one.soft ? "command-soft" : "command-strong"}`,
        "data-test": one.test,
        "data-statement": one.statement || null,
        "data-option": one.option || null,
        "data-reason": one.reason || null,
        "aria-keyshortcuts": key,
        disabled: !app.live || !allowed,
        onclick: one.hold ? null : () => this.run(one),
      },
      el("span", { class: "command-word" }, one.words),
      el(
        "span",
        { class: "command-place" },
        key && el("kbd", { "aria-hidden": "true" }, key),
        [one.hold && app.t("hold.mark"), app.session.role && !allowed && roleWords(one.roles, app.t)].filter(Boolean).join(" · "),
      ),
    );
    return one.hold ? onLongPress(node, app, () => this.run(one)) : node;
  }

  /** @param {Choice[]} all */
  person(all) {
    const { app } = this;
    if (!app.scene?.roles) return null;
    const wanted = all.find((one) => !app.may(one.roles));
    const ondone = () => this.alarm.drop("login");
    const open = () => this.alarm.put("login", loginPanel(app, { roles: wanted?.roles, ondone }));
    const inside = app.session.role ? app.session.name : app.t("login.open");
    return el(
      "button",
      { type: "button", class: "command command-login", "data-test": "alarm-login", onclick: open },
      el("span", { class: "command-word" }, inside),
      el("span", { class: "command-place" }, wanted ? needs(wanted.roles, app.t) : app.t("alarm.login-other")),
    );
  }

  /** @param {Choice} one */
  run(one) {
    if (!this.app.live || !this.app.may(one.roles)) return;
    if (one.run) one.run();
    else if (one.statement) speak(this.app, one.statement);
  }

  /** @param {Choice} one */
  byKey(one) {
    if (!one.hold) return this.run(one);
    /** @type {HTMLElement | null | undefined} */
    const button = this.alarm.frame.foot.querySelectorAll("button")[this.list.indexOf(one)];
    button?.focus();
    this.app.announce(this.app.t("hold.how"));
  }

  keys() {
    return this.list.map((one, index) => ({ key: String(index + 1), words: one.words, run: () => this.byKey(one) }));
  }

  /* --- what some of them open ------------------------------------------------------------------------------------ */

  /** @param {...string} words */
  say(...words) {
    this.alarm.drop();
    return speak(this.app, words.join(" "));
  }

  /** @param {ShownAsk} ask */
  nameCard(ask) {
    const { t } = this.app;
    /** @param {string} card */
    const confirm = (card) => t("alarm.name", { card });
    /** @param {string[]} cards */
    const onpick = ([code]) => this.say("answer", ask.who, code);
    this.alarm.put("card", cardPicker(t, { confirm, onpick, oncancel: () => this.alarm.drop() }));
  }

  /** @param {ShownAsk} ask @param {string[]} faces */
  takeSeveral(ask, faces) {
    const onpick = (/** @type {string[]} */ cards) => this.say("answer", ask.who, ...cards);
    this.alarm.put("several", choosing(this.app.t, faces, onpick, () => this.alarm.drop()));
  }

  disclose() {
    const { t } = this.app;
    /** @param {string} words @param {string[]} cards */
    const confirm = (words, cards) => t("alarm.disclosed", { cards: cards.length ? words : t("alarm.none-disclosed") });
    const onpick = (/** @type {string[]} */ cards) => this.say("disclose", ...cards);
    this.alarm.put("disclose", cardPicker(t, { several: true, confirm, onpick, oncancel: () => this.alarm.drop() }));
  }

  /** @param {Choice[]} left @param {ShownAsk[]} asks @param {Duty[]} absent */
  more(left, asks, absent) {
    const { t, has } = this.app;
    /** @param {Choice} one */
    const press = (one) => this.button({ ...one, soft: true, run: one.run || (() => this.say(one.statement || "")) }, -1);
    const rows = asks.map((ask) =>
      el(
        "div",
        { class: "panel-row" },
        el("span", { class: "panel-who" }, questionWords(ask, t, has)),
        ask.answers.map((one) => press(this.answer(one, ask.roles))),
      ),
    );
    if (left.length) rows.unshift(el("div", { class: "panel-row" }, left.map(press)));
    if (absent.length) rows.push(el("div", { class: "panel-row" }, absent.map((one) => press(this.duty(one, {})))));
    this.alarm.put("more", listPanel(t, t("alarm.all-answers"), rows, () => this.alarm.drop()));
  }

  /** @param {AlarmItem} item */
  whyClear(item) {
    const { t } = this.app;
    const rows = [el("div", { class: "panel-row panel-reasons" }, this.reasons(item).map((one) => this.button(one, -1)))];
    this.alarm.put("clear", listPanel(t, t("alarm.clear-why"), rows, () => this.alarm.drop()));
  }

  /** @param {AlarmItem} item */
  ownReason(item) {
    /** @param {string} reason */
    const onreason = (reason) => {
      this.alarm.drop();
      this.clear(item, reason);
    };
    this.alarm.put("reason", reasonPanel(this.app, onreason, () => this.alarm.drop()));
  }

  /** @param {AlarmItem} item @param {string} reason */
  async clear(item, reason) {
    this.app.report(await this.app.clear(item.n, item.code, reason));
  }
}
