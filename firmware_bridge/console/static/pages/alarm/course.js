/* The course of an alarm, in words: what happened, what is ruled, what to do, who is asked, what was done.

   1. Sections come in this order, and empty ones are left out. What stands there is the daemon's: steps, what is waited
      for, what was done and by whom; nothing is called done that it does not say.
   2. What happened is told with the card, the place and the device where these are known (told.CODE), and always in the
      general words of its code (what.CODE).
   3. A ruling that was replaced is struck through before the one in force, with who has changed it.
   4. Every open question stands there with who is asked, what, about which cards and by which clause; the first is asked
      now. */

import { el } from "../../dom.js";
import { cardName } from "../../draw/cards.js";
import { placeName } from "../../draw/places.js";
import { currentLang } from "../../texts.js";
import { clock, isCard, mini, movesList, obstacle, questionWords } from "./parts.js";
import { clauseButton } from "../clause_words.js";

const MOST_MOVES = 5;

/** @param {string} name @param {string} test @param {Translate} t @param {...Child} content */
function section(name, test, t, ...content) {
  return el("section", { class: `course course-${test}`, "data-test": `alarm-${test}` }, el("h2", null, t(name)), content);
}

/** @param {OpenItem} item @param {App} app */
export function course(item, app) {
  const { t } = app;
  const asks = app.scene?.asks || [];
  return [
    happened(item, t, app.has),
    ruling(item, app),
    obstacle(item, t),
    steps(item, t),
    item.moves.length > 0 && movesList(item.moves, MOST_MOVES, t),
    asks.length > 0 && section("alarm.asked", "asked", t, asks.map((ask, index) => question(ask, index, app))),
    waits(item, t),
    done(item, t),
  ];
}

/** @param {string} place @param {Translate} t */
function inSentence(place, t) {
  return place === "dealer" ? t("place.the-dealer") : placeName(place, t);
}

/** @param {OpenItem} item @param {Translate} t @param {(key: string) => boolean} has */
function sentenceOf(item, t, has) {
  const move = item.moves.find((one) => !one.done) || item.moves[0];
  const card = move?.card || item.cards[0] || "";
  /** @type {Record<string, string>} */
  const values = {
    card: card && card !== "??" ? cardName(card, t) : "",
    from: move ? inSentence(move.from, t) : "",
    to: move ? inSentence(move.to, t) : "",
    place: item.places.length ? inSentence(item.places[0], t) : "",
    device: deviceOf(item) ? t(`device.${deviceOf(item)}`) : "",
    count: item.cards.length > 1 ? String(item.cards.length) : "",
  };
  const key = `told.${item.code}`;
  const text = has(key) ? t(key) : "";
  const gaps = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return text && gaps.every((name) => values[name]) ? t(key, values) : "";
}

/** @param {OpenItem} item */
function deviceOf(item) {
  return item.kind === "alarm" ? item.device : item.alarm?.device || "";
}

/** @param {OpenItem} item @param {Translate} t @param {(key: string) => boolean} has */
function happened(item, t, has) {
  const alarm = item.kind === "alarm" ? item : item.alarm;
  const where = item.places.map((place) => placeName(place, t)).join(t("list.join"));
  const facts = [
    where,
    item.kind === "matter" && item.whose && t(`alarm.error.${item.whose}`),
    alarm && clock(alarm.at),
    alarm && alarm.times > 1 && t("alarm.times", { times: alarm.times }),
  ];
  const sentence = sentenceOf(item, t, has);
  return el(
    "section",
    { class: "course course-what", "data-test": "alarm-what" },
    el("h2", null, t("alarm.what"), el("span", { class: "alarm-code" }, item.code)),
    sentence && el("p", { class: "alarm-told", "data-test": "alarm-told" }, sentence),
    el("p", { id: "alarm-what", class: "alarm-what" }, t(`what.${item.code}`)),
    el(
      "p",
      { class: "alarm-facts" },
      facts.filter(Boolean).join(" · "),
      item.cards.length > 0 && el("span", { class: "cards-line" }, item.cards.map((code) => mini(code, t))),
    ),
  );
}

/** @param {ReplacedRuling} one @param {Translate} t */
function changedWords({ by }, t) {
  if (by === null) return t("alarm.changed");
  return by ? t("alarm.changed-by", { name: by }) : t("alarm.changed-seen");
}

/** @param {OpenItem} item @param {App} app */
function ruling(item, app) {
  const { t } = app;
  const before = (item.kind === "alarm" ? item : item.alarm)?.was || [];
  const { rule } = item.progress;
  return section(
    "alarm.ruling",
    "rule",
    t,
    before.map((one) =>
      el("p", { class: "alarm-was", "data-test": "was" }, el("s", null, t(`rule.${one.ruling}`)), " ", t("alarm.clause", { clause: one.clause }), " · ", changedWords(one, t)),
    ),
    el(
      "div",
      { class: "alarm-ruling", id: "alarm-ruling", "data-test": "ruling", "data-ruling": item.ruling, "data-rule": rule },
      el("span", { class: "alarm-rule" }, t(`rule.${rule}`)),
      item.clause && clauseButton(app, app.scene?.game || "", item.clause),
    ),
  );
}

/** @param {OpenItem} item @param {Translate} t */
function steps(item, t) {
  const lang = currentLang();
  return section(
    "alarm.do-now",
    "steps",
    t,
    el(
      "ol",
      { class: "todo" },
      item.progress.steps.map((step) =>
        el(
          "li",
          {
            class: `todo-step${step.done ? " is-done" : step.now ? " is-now" : ""}`,
            "data-test": "step",
            "data-done": String(step.done),
            "aria-current": step.now ? "step" : null,
          },
          step.text[lang],
          step.done && el("span", { class: "todo-tick", role: "img", "aria-label": t("alarm.done") }, " ✓"),
        ),
      ),
    ),
  );
}

/** @param {ShownAsk} ask @param {number} index @param {App} app */
function question(ask, index, app) {
  const { t, has } = app;
  const cards = ask.options.filter(isCard);
  return el(
    "div",
    { class: `alarm-ask${index ? "" : " is-now"}`, "data-test": "ask", "data-who": ask.who, "aria-current": index ? null : "step" },
    el("p", { class: "alarm-question" }, questionWords(ask, t, has)),
    el(
      "p",
      { class: "alarm-clause" },
      t("alarm.clause", { clause: ask.clause }),
      cards.length > 0 && el("span", { class: "cards-line" }, cards.map((code) => mini(code, t))),
    ),
  );
}

/** @param {string} wait @param {Translate} t */
function waitWords(wait, t) {
  const [what, whom] = wait.split(" ");
  if (what === "approval" || what === "word") return t(`waits.${what}`, { role: t(`role.${whom}`) });
  return what === "device" ? t("waits.device", { device: t(`device.${whom}`) }) : t(`waits.${what}`);
}

/** @param {OpenItem} item @param {Translate} t */
function waits(item, t) {
  const found = item.progress.waits.map((one) => waitWords(one, t));
  if (item.kind === "alarm") found.push(t("waits.clear", { roles: item.roles.map((role) => t(`role.${role}`)).join(t("login.or")) }));
  return section(
    "alarm.who-acts",
    "waits",
    t,
    el("ul", { class: "course-list" }, found.map((words, index) => el("li", { "data-test": "wait", "data-wait": item.progress.waits[index] || "clear" }, words))),
  );
}

/** @param {string} what @param {Translate} t */
function actWords(what, t) {
  const [verb, who, option] = what.split(" ");
  if (verb === "answer") {
    const asked = /^\d/.test(who) ? placeName(who, t) : t(`who.${who}`);
    return t("act.answer", { who: asked, option: option === "card" ? t("option.CARD") : t(`option.${option}`) });
  }
  if (verb === "approve") return t("act.approve", { role: t(`role.${who}`) });
  return verb === "back" ? t("act.back", { device: t(`device.${who}`) }) : t(`act.${verb}`);
}

/** @param {OpenItem} item @param {Translate} t */
function done(item, t) {
  const acts = (item.kind === "alarm" ? item : item.alarm)?.acts || [];
  if (!acts.length) return null;
  return section(
    "alarm.done-so-far",
    "acts",
    t,
    el(
      "ul",
      { class: "course-list" },
      acts.map((one) =>
        el(
          "li",
          { "data-test": "act", "data-what": one.what },
          `${clock(one.at)} · ${actWords(one.what, t)} · `,
          one.person ? t("act.said-by", { name: one.person }) : t("act.seen"),
        ),
      ),
    ),
  );
}
