/* The shoe and the Dealer's hand: pulling cards, one or several at once, the next of the shoe or one that is chosen.

   1. The mouth of the shoe is taken hold of and dropped at a place; or it is chosen, and then the place. "Next card" draws
      to where the next card belongs. A card that was chosen comes out once; so do several at once.
   2. Several cards at once: this many of them are disclosed. Dropped at a place all of them lie there; dropped at the
      Dealer's hand they lie nowhere yet.
   3. Cards that have left the shoe and lie nowhere, or wait to be dealt, are in the Dealer's hand, to be laid.
   4. A card that is dropped on the shoe is pushed back into it. */

import { el, fill } from "/static/dom.js";
import { openDialog } from "/static/input/keys.js";
import { cardName } from "/static/draw/cards.js";
import { button, check, choices, head, options, row, select, small } from "../controls.js";
import { face } from "../grip.js";

const SUITS = "SHDC";
const RANKS = "A23456789TJQK";

/** @param {Scene | null} scene @returns {HeldCard[]} */
export function inHand(scene) {
  return ["drawn", "aside"].flatMap((from) => {
    const cards = (scene?.elsewhere || []).find((one) => one.place === from)?.cards || [];
    return cards.map((card, index) => ({ kind: "card", card, from, index }));
  });
}

/** @param {HeldCard} one @param {number} height @param {Grip} grip @param {Translate} t */
export function heldCard(one, height, grip, t) {
  const label = `${cardName(one.card, t)}, ${t(`place.${one.from}`)}`;
  const known = { "aria-label": label, "data-card": one.card, "data-from": one.from, "data-index": one.index };
  return grip.source(button("in-hand", face(one.card, height), null, { ...known, class: "h-in-hand" }), () => one);
}

/** @param {PartTools} tools @returns {HarnessPart} */
export function shoePart({ app, server, grip, ends }) {
  const { t } = app;
  /** @type {Omit<HeldDraw, "kind">} */
  const set = { count: 1, show: 0, ordered: false, card: null, faceUp: false, exposed: false };
  /** @returns {HeldDraw} */
  const held = () => ({ kind: "draw", ...set });
  /** @param {string} name @param {string} words @param {string} statement */
  const act = (name, words, statement) => button(name, t(words), () => server.act(statement));
  const mouth = grip.target(grip.source(button("shoe", null, null, { class: "h-mouth" }), held), "shoe");
  const next = button("draw-next", t("harness.next"), drawNext, { class: "h-button h-strong" });
  const pull = button("pull", t("harness.pull"), () => grip.drop({ place: "hand" }, held()));
  const pick = button("pick", null, openPicker);
  /** @param {number} count */
  const counted = (count) => change({ count, show: Math.min(set.show, count), card: null });
  const counts = choices("count", t("harness.count"), [1, 2, 3], () => set.count, counted);
  /** @type {HTMLSelectElement} */
  const shows = select("show", t("harness.show"), { onchange: () => change({ show: Number(shows.value) }) });
  const ordered = check("ordered", t("harness.ordered"), (on) => change({ ordered: on }));
  const faceUp = check("faceUp", t("harness.face-up"), (on) => change({ faceUp: on }));
  const several = row(shows, ordered.node);
  const cut = act("cut-card", "harness.cut-card", "cut-card");
  const cover = act("open-shoe", "harness.open-shoe", "open-shoe");
  const left = small();
  const turns = row();
  const hand = el("div", { class: "h-hand", role: "group", "aria-label": t("harness.hand"), "data-test": "hand" });
  const rows = [row(next, pull, cover), row(counts.node, pick, several), row(faceUp.node, cut, turns)];
  const node = el(
    "section",
    { "aria-labelledby": "h-shoe" },
    head("h-shoe", t("harness.part.shoe"), left),
    el("div", { class: "h-shoe" }, mouth, el("div", { class: "h-column" }, rows)),
    grip.target(hand, "hand"),
  );
  let known = "";

  /** @param {Partial<typeof set>} to */
  function change(to) {
    Object.assign(set, to);
    if (grip.now?.kind === "draw") grip.choose(held());
    draw();
  }

  function drawNext() {
    return grip.drop({ place: app.scene?.next || "hand" }, held());
  }

  function draw() {
    const card = set.card ? cardName(set.card, t) : t("harness.next-of-shoe");
    fill(mouth, face(set.card || "??", 84), set.count > 1 && el("span", { class: "h-mouth-word" }, `× ${set.count}`));
    mouth.setAttribute("aria-label", t("harness.mouth", { count: set.count, card }));
    pick.textContent = set.card ? `${t("harness.picked")} ✕` : t("harness.pick");
    several.hidden = set.count < 2;
    pick.hidden = set.count > 1;
    const disclosed = Array.from({ length: set.count + 1 }, (_, n) => n);
    options(shows, disclosed, set.show, (count) => t("harness.shown", { count }));
    counts.draw();
  }

  function openPicker() {
    if (set.card) return change({ card: null });
    const ranks = server.about?.games.find((one) => one.id === server.state?.table.game)?.ranks || RANKS;
    /** @param {string} code */
    const choose = (code) => {
      close();
      change({ card: code });
      mouth.focus();
    };
    /** @param {string} code */
    const one = (code) => {
      const props = { class: "h-pick", "aria-label": cardName(code, t), "data-card": code };
      return button("pick-card", face(code, 56), () => choose(code), props);
    };
    const suits = [...SUITS].map((suit) => [...ranks].map((rank) => one(rank + suit)));
    const all = [...suits, [one("??"), one("JOKER")]].map((cards) => el("div", { class: "h-pick-row" }, cards));
    const picker = el("div", { class: "h-picker" }, all);
    const close = openDialog(app, t("harness.pick-title"), picker, { class: "h-pick-dialog" });
    return close;
  }

  /** @param {Scene | null} scene */
  function turnButtons(scene) {
    const down = (scene?.boxes || []).filter((box) => box.squeeze && box.hands.some((one) => one.cards.includes("??")));
    return down.map(({ number }) => button("turn", t("harness.turn", { box: number }), () => server.act(`turn ${number}`)));
  }

  /** @param {Held | null} now */
  function markHand(now) {
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (hand.querySelectorAll(".h-in-hand"))) {
      const chosen = now?.kind === "card" && now.from === one.dataset.from && String(now.index) === one.dataset.index;
      one.setAttribute("aria-pressed", String(chosen));
    }
  }

  ends.push(
    grip.on(markHand),
    grip.on((now) => mouth.setAttribute("aria-pressed", String(now?.kind === "draw"))),
    grip.done((one) => one.kind === "draw" && change({ card: null, count: 1, show: 0 })),
  );
  draw();
  return {
    node,
    update({ shoe }, scene) {
      const where = shoe.cutting_card;
      const words = [t("harness.left", { count: shoe.left })];
      words.push(t(`harness.cutting-card.${where.is}`, { count: where.behind ?? 0 }));
      left.textContent = [...words, shoe.locked && t("table.shoe-locked")].filter(Boolean).join(" · ");
      cut.classList.toggle("h-due", where.is === "front");
      cut.disabled = where.is === "none";
      const sign = JSON.stringify([inHand(scene), (scene?.boxes || []).map((box) => [box.squeeze, box.hands])]);
      if (sign === known) return;
      known = sign;
      const cards = inHand(scene).map((one) => heldCard(one, 50, grip, t));
      fill(hand, cards.length ? cards : small({}, t("harness.hand-empty")));
      fill(turns, turnButtons(scene));
    },
    keys: () => [
      { key: "n", words: t("harness.next"), run: drawNext },
      { key: "k", words: t("harness.pick"), run: openPicker },
      { key: "l", words: t("harness.pull"), run: () => pull.click() },
    ],
  };
}
