/* What can be pressed in the Alarm: answers, duties, reasons to clear, and the panels that some of them open.

   1. The first nine have number keys. What the person who is logged in may not do is there but waits, and beside it is
      the login, which opens in the place of the table.
   2. A usual reason to clear goes into the journal in English whatever the page speaks, another one as it was written.
   3. `alarm` lends its left side: put(kind, node) shows a panel there, drop() the table again. */

import { el } from "../dom.js";
import { english } from "../texts.js";
import { cardPicker, choosing, listPanel, reasonPanel } from "./alarm_panels.js";
import { correctionWords, dutyWords, isCard, needs, optionWords, whoWords } from "./alarm_parts.js";
import { speak } from "./commands.js";
import { loginPanel, roleWords } from "./login.js";

const REASONS = ["carried-out", "explained", "checked", "device", "false"];
const KEYS = 9;

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
    const duties = this.app.scene?.duties || [];
    const absent = duties.filter((one) => one.statement.startsWith("absent"));
    this.list = [
      ...(ask ? this.answers(ask) : []),
      ...duties.filter((one) => !absent.includes(one)).map((one) => this.duty(one, item)),
      ...(item.kind === "alarm" ? this.reasons(item) : []),
      ...this.rest(item, absent),
    ];
    return [this.list.map((one, index) => this.button(one, index)), this.missing()];
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
    return { test: "answer", statement, option, words: optionWords(option, this.app.t), roles };
  }

  /** @param {Duty} one @param {{ moves?: ShownMove[] }} item @returns {Choice} */
  duty({ statement, roles }, item) {
    const laid = statement === "reconstructed" && (item.moves || []).every((move) => move.done);
    const strong = laid || statement.startsWith("approve");
    return { test: "duty", statement, words: dutyWords(statement, this.app.t), roles, soft: !strong };
  }

  /** @param {AlarmItem} item @returns {Choice[]} */
  reasons(item) {
    const { t } = this.app;
    const { roles } = item;
    const usual = REASONS.map((reason) => ({
      test: "clear",
      reason,
      words: t(`reason.${reason}`),
      roles,
      run: () => this.clear(item, english(`reason.${reason}`)),
    }));
    const own = { test: "own", words: t("alarm.own-reason"), roles, run: () => this.ownReason(item), soft: true };
    return [...usual, own];
  }

  /** @param {OpenItem} item @param {Duty[]} absent @returns {Choice[]} */
  rest(item, absent) {
    const { t, scene } = this.app;
    const roles = ["dealer"];
    const open = item.kind === "matter";
    const others = (scene?.asks || []).slice(1);
    /** @type {Choice[]} */
    const found = [];
    if (open && scene?.disclose) {
      found.push({ test: "disclose", words: t("alarm.disclose"), roles, run: () => this.disclose(), soft: true });
    }
    if (open) {
      for (const one of (scene?.corrections || []).filter((each) => this.app.may(each.roles))) {
        const { statement } = one;
        found.push({ test: "correction", statement, words: correctionWords(one, t), roles: one.roles, soft: true });
      }
    }
    if (others.length || (open && absent.length)) {
      const run = () => this.more(others, open ? absent : []);
      found.push({ test: "alarm-more", words: t("table.more"), roles, run, soft: true });
    }
    return found;
  }

  /* --- buttons and keys ------------------------------------------------------------------------------------------ */

  /** @param {Choice} one @param {number} index */
  button(one, index) {
    const { app } = this;
    const allowed = app.may(one.roles);
    const key = index < KEYS ? String(index + 1) : null;
    return el(
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
        onclick: () => this.run(one),
      },
      el("span", { class: "command-word" }, one.words),
      el(
        "span",
        { class: "command-place" },
        key && el("kbd", { "aria-hidden": "true" }, key),
        app.session.role && !allowed && roleWords(one.roles, app.t),
      ),
    );
  }

  missing() {
    const { app } = this;
    const wanted = this.list.find((one) => !app.may(one.roles));
    if (!app.scene?.roles || !wanted) return null;
    const ondone = () => this.alarm.drop("login");
    const open = () => this.alarm.put("login", loginPanel(app, { roles: wanted.roles, ondone }));
    return el(
      "button",
      { type: "button", class: "command command-login", "data-test": "alarm-login", onclick: open },
      el("span", { class: "command-word" }, app.t(app.session.role ? "alarm.login-other" : "login.open")),
      el("span", { class: "command-place" }, needs(wanted.roles, app.t)),
    );
  }

  /** @param {Choice} one */
  run(one) {
    if (!this.app.live || !this.app.may(one.roles)) return;
    if (one.run) one.run();
    else if (one.statement) speak(this.app, one.statement);
  }

  keys() {
    const shown = this.list.slice(0, KEYS);
    return shown.map((one, index) => ({ key: String(index + 1), words: one.words, run: () => this.run(one) }));
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

  /** @param {ShownAsk[]} asks @param {Duty[]} absent */
  more(asks, absent) {
    const { t } = this.app;
    /** @param {Choice} one */
    const press = (one) => this.button({ ...one, soft: true, run: () => this.say(one.statement || "") }, KEYS);
    const rows = asks.map((ask) =>
      el(
        "div",
        { class: "panel-row" },
        el("span", { class: "panel-who" }, whoWords(ask.who, t)),
        ask.answers.map((one) => press(this.answer(one, ask.roles))),
      ),
    );
    if (absent.length) rows.push(el("div", { class: "panel-row" }, absent.map((one) => press(this.duty(one, {})))));
    this.alarm.put("more", listPanel(t, t("table.more"), rows, () => this.alarm.drop()));
  }

  /** @param {AlarmItem} item */
  ownReason(item) {
    /** @param {string} reason */
    const onreason = (reason) => {
      this.alarm.drop();
      this.clear(item, reason);
    };
    this.alarm.put("reason", reasonPanel(this.app.t, onreason, () => this.alarm.drop()));
  }

  /** @param {AlarmItem} item @param {string} reason */
  async clear(item, reason) {
    this.app.report(await this.app.clear(item.n, item.code, reason));
  }
}
