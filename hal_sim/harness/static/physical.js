/* What hands can do while the Alarm covers the page.

   1. physical(app, server, grip) watches the Alarm. While it is open the cards of its picture are movable, and above its
      answers is a strip of physical actions: the moves that are still to be made, one press each, cards in the Dealer's
      hand, a card from the shoe, shuffling and loading, cables, power, and the PINs of a table with roles.
   2. A move that is pressed is done by the simulated hands as a drag would do it. */

import { byId, el, fill } from "/static/dom.js";
import { cardShort } from "/static/draw/cards.js";
import { placeName } from "/static/draw/places.js";
import { button } from "./controls.js";
import { icon } from "./icons.js";
import { heldCard, inHand } from "./parts/shoe.js";

/** @param {App} app @param {HarnessServer} server @param {Grip} grip */
export function physical(app, server, grip) {
  const host = byId("alarm");
  /** @type {(() => unknown)[]} */
  let ends = [];

  function placeParts() {
    const box = host.querySelector(".alarm");
    if (!box) {
      ends.forEach((end) => end());
      ends = [];
      return;
    }
    if (!box.querySelector(".h-physical")) ends.push(strip(app, server, grip, box, box.querySelector(".alarm-foot")).close);
    /** @type {HTMLElement | null} */
    const view = box.querySelector(".table-view:not(.h-table)");
    if (view) ends.push(grip.table(view));
  }

  new MutationObserver(placeParts).observe(host, { childList: true, subtree: true });
  placeParts();
}

/** @param {App} app @param {HarnessServer} server @param {Grip} grip @param {Element} root @param {Element | null} before */
function strip(app, server, grip, root, before) {
  const { t } = app;
  const label = t("harness.physical");
  const body = el("div", { class: "h-physical", role: "group", "aria-label": label, "data-test": "physical" });
  let known = "";
  root.insertBefore(body, before);

  function draw() {
    const { scene } = app;
    const { state } = server;
    if (!scene || !state) return;
    const shown = [state.devices.map((one) => one.plugged), state.power, state.people.length, state.playing];
    const sign = JSON.stringify([scene.matters, scene.elsewhere, scene.next, shown]);
    if (sign === known) return;
    known = sign;
    const named = el("span", { class: "h-label" }, label);
    const cards = inHand(scene).map((one) => heldCard(one, 40, grip, t));
    fill(body, named, playing(state), moves(scene), cards, shoe(scene), repairs(state), people(state));
  }

  /** @param {HarnessState} state */
  function playing(state) {
    if (state.playing === "nobody") return null;
    const stop = () =>
      state.playing === "robot" ? server.post("robot", { playing: false }) : server.post("scenario", { do: "stop" });
    return button("physical-stop", [icon("pause"), t(`harness.stop-${state.playing}`)], stop);
  }

  /** @param {Scene} scene */
  function moves(scene) {
    const all = (scene.matters?.[0]?.moves || []).map((one, index) => ({ ...one, number: index + 1 }));
    return all.filter((one) => !one.done).map((one) => {
      const words = `${one.number}: ${cardShort(one.card)} ${placeName(one.from, t)} → ${placeName(one.to, t)}`;
      const does = () => server.act(`move ${one.card} ${one.from} ${one.to}`, { index: firstHidden(scene, one.from) });
      return button("do-move", words, does, { class: "h-button h-strong", "data-card": one.card });
    });
  }

  /** @param {Scene} scene */
  function shoe(scene) {
    const draws = grip.source(button("physical-shoe", t("harness.draw")), () => ({ kind: "draw", count: 1, show: 0 }));
    return [
      draws,
      scene.next && button("physical-next", t("harness.next"), () => server.act(`draw ${scene.next}`)),
      button("physical-riffle", t("harness.riffle"), () => server.act("shuffle riffle 1")),
      button("physical-load", t("harness.load"), () => server.act("load")),
    ];
  }

  /** @param {HarnessState} state */
  function repairs(state) {
    /** @param {HarnessDevice} one */
    const plug = (one) => {
      const words = t("harness.plug", { device: t(`harness.short.${one.name}`) });
      return button("physical-plug", [icon("plug"), words], () => server.post("cable", { device: one.name, plugged: true }));
    };
    const back = () => server.post("power", { do: "on" });
    const power = !state.power && button("physical-power", [icon("power"), t("harness.power-on")], back);
    return [state.devices.filter((one) => !one.plugged).map(plug), power];
  }

  /** @param {HarnessState} state */
  function people(state) {
    if (!state.people.length) return null;
    const pins = state.people.map((one) => el("span", null, one.name, " ", el("code", null, one.pin)));
    return el("span", { class: "h-pins", "data-test": "pins" }, pins);
  }

  const ends = [server.watch(), server.on(draw), app.on("scene", draw)];
  draw();
  return {
    close() {
      ends.forEach((end) => end());
      body.remove();
    },
  };
}

/** @param {Scene} scene @param {string} place */
function firstHidden(scene, place) {
  const hand = (scene.boxes || []).flatMap((one) => one.hands || []).find((one) => one.place === place);
  return Math.max(0, hand ? hand.cards.indexOf("??") : 0);
}
