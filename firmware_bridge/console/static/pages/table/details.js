/* What is known of one place, and of the findings of the round, in words and figures.

   1. Everything that the picture had no room for: each wager with its Player and slot, each hand with its cards,
      what was doubled or is free, the results with their clauses.
   2. It is read from the scene at the moment when it is opened, and drawn again when the scene changes. */

import { el, fill } from "../../dom.js";
import { cardName, cardShort } from "../../draw/cards.js";
import { parse, placeName } from "../../draw/places.js";
import { totalWords } from "../../draw/hand.js";
import { openDialog } from "../../input/keys.js";
import { claimWords } from "../event_words.js";
import { boxRows } from "./guide.js";
import { openInsurance } from "./insurance.js";

/** @param {string[]} codes @param {Translate} t */
function cards(codes, t) {
  return el(
    "span",
    { class: "cards-line" },
    codes.map(
      (code) => el(
        "span",
        {
          class: `mini mini-${/[HD](#|$)/.test(code) ? "red" : "black"}`,
          "aria-label": cardName(code, t),
          role: "img",
        },
        cardShort(code),
      ),
    ),
  );
}

/** @param {DrawnHand} hand @param {boolean} several @param {Translate} t */
function handPart(hand, several, t) {
  const total = totalWords(hand, t);
  return el(
    "section",
    { class: "detail" },
    el("h3", null, several ? t("place.hand", { hand: hand.hand }) : t("detail.cards")),
    hand.cards.length ? el(
      "p",
      { class: "detail-cards" },
      cards(hand.cards, t),
      total && el("strong", { class: "detail-total" }, total),
    ) : el("p", null, t("table.no-cards")),
    (hand.stakes || []).map((stake) =>
      el(
        "p",
        null,
        `${t("place.slot", { slot: stake.slot })}: ${stake.amount}`,
        stake.doubled && ` · ${t("detail.doubled")}`,
        stake.even_money && ` · ${t("command.even-money")}`,
        stake.free_split > 0 && ` · ${t("detail.free-split")}`,
        stake.free_double > 0 && ` · ${t("detail.free-double")}`,
      ),
    ),
    hand.result && el("p", null, t(`result.${hand.result}`)),
  );
}

/* What was paid or taken on the way of a wager that is open otherwise. */
/** @param {Scene} scene @param {WagerReport} row */
function doneOf(scene, row) {
  const same = (/** @type {ShownPayment} */ one) => one.box === row.box && one.slot === row.slot && one.hand === row.hand && one.kind === row.kind;
  return scene.on_the_way.find(same);
}

/** @param {Scene} scene @param {number} number @param {App} app */
function wagersPart(scene, number, app) {
  const { t } = app;
  if (scene.settlement) return boxRows(scene.settlement, number, app) || el("p", null, t("detail.no-wagers"));
  const rows = (scene.wagers || []).filter((row) => row.box === number);
  if (!rows.length) return el("p", null, t("detail.no-wagers"));
  const head = ["kind", "slot", "player", "stake", "result", "net", "clause"];
  return el(
    "table",
    { class: "detail-table" },
    el("thead", null, el("tr", null, head.map((name) => el("th", { scope: "col" }, t(`detail.${name}`))))),
    el(
      "tbody",
      null,
      rows.map((row) => ({ row, done: doneOf(scene, row) })).map(({ row, done }) =>
        el(
          "tr",
          { "data-act": done ? done.act : null },
          el("td", null, t(`wager.${row.kind}`), row.hand > 1 && ` (${t("place.hand", { hand: row.hand })})`),
          el("td", null, row.slot),
          el("td", null, row.player || ""),
          el("td", { class: "number" }, row.stake),
          el("td", null, row.result ? t(`result.${row.result}`) : done ? `✓ ${t(`done.${done.act}`)}` : t("result.open")),
          el("td", { class: "number" }, row.net ?? done?.amount ?? ""),
          el("td", null, row.clause ?? done?.clause ?? ""),
        ),
      ),
    ),
  );
}

/* While insurance is open the pill insures half the wager; another amount or Player is said here. */
/** @param {Scene} scene @param {number} number @param {App} app */
function otherInsurance(scene, number, app) {
  const offered = (scene.can || []).map((one) => one.statement.split(" ")).filter(([verb, place]) => verb === "insure" && parse(place).box === number);
  if (app.readsOnly || (app.session.roles && !app.session.role)) return null;
  return offered.map(([, place, most]) =>
    el(
      "button",
      { type: "button", class: "command", "data-test": "insure-other", "data-place": place, onclick: () => openInsurance(app, place, most) },
      el("span", { class: "command-word" }, app.t("insure.other")),
    ),
  );
}

/** @param {Scene} scene @param {number} number @param {App} app @returns {Child} */
function boxDetails(scene, number, app) {
  const { t } = app;
  const box = scene.boxes.find((one) => one.number === number);
  if (!box) return el("p", null, t("table.empty-box"));
  const several = (box.hands || []).length > 1;
  const notes = [
    box.seated ? t("detail.seated", { slot: box.seated }) : "",
    box.controller ? t("detail.controls", { slot: box.controller }) : "",
    box.squeeze ? t("detail.squeeze") : "",
  ].filter(Boolean);
  return [
    notes.length > 0 && el("p", null, notes.join(" · ")),
    (scene.claims || [])
      .filter((claim) => parse(claim.place).box === number)
      .map((claim) => el("p", { "data-test": "claim" }, claimWords(claim, false, t))),
    el("div", { class: "detail-hands" }, (box.hands || []).map((hand) => handPart(hand, several, t))),
    el("h3", null, t("detail.wagers")),
    wagersPart(scene, number, app),
    otherInsurance(scene, number, app),
  ];
}

/** @param {Scene} scene @param {string} place @param {App} app */
function placeDetails(scene, place, app) {
  const { t } = app;
  const at = parse(place);
  if (at.name === "box") return boxDetails(scene, at.box || 0, app);
  if (at.name === "dealer") return handPart({ ...scene.dealer, cards: scene.dealer.cards || [] }, false, t);
  const found = (scene.elsewhere || []).find((one) => one.place === at.name);
  return found && found.cards.length ? el(
    "p",
    { class: "detail-cards" },
    cards(found.cards, t),
  ) : el("p", null, t("table.no-cards"));
}

/** @param {App} app @param {string} title @param {(scene: LiveScene) => Child} make */
function openLive(app, title, make) {
  const body = el("div", { class: "details", tabindex: "0", role: "region", "aria-label": title });
  const draw = () => fill(body, app.scene && make(app.scene));
  draw();
  const off = app.on("scene", draw);
  openDialog(app, title, body, { onclose: off });
}

/** @param {App} app @param {string} place */
export function openDetails(app, place) {
  if (!app.scene) return;
  const at = parse(place);
  openLive(
    app,
    placeName(at.name === "box" ? String(at.box) : place, app.t),
    (scene) => placeDetails(scene, place, app),
  );
}

/** @param {FindingReport} finding @param {Translate} t */
export function findingLine(finding, t) {
  const where = (finding.places || []).map((place) => placeName(place, t)).join(t("list.join"));
  return el(
    "li",
    { "data-code": finding.code },
    el("strong", null, t(`code.${finding.code}`)),
    where && ` · ${where}`,
    ` · ${t(`ruling.${finding.ruling}`)} · ${t("alarm.clause", { clause: finding.clause })}`,
  );
}

/** @param {App} app */
export function openFindings(app) {
  const { t } = app;
  openLive(
    app,
    t("detail.findings"),
    (scene) => el("ul", { class: "findings" }, (scene.findings || []).map((one) => findingLine(one, t))),
  );
}
