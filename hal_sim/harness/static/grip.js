/* Taking hold of a card or of chips, and dropping it.

   1. What is held is one of
        { kind: "draw", count, show, ordered, card, faceUp, exposed }   the next cards of the shoe
        { kind: "card", card, from, index }                              a card that lies somewhere, "drawn" and "aside" too
        { kind: "chips", amount, wager, slot }, { kind: "take", wager, slot }
      and what it does where it is dropped is one statement of deal notation (`dropped`).
   2. By pointer, mouse or finger: press, move, let go. By keyboard, or by pressing twice: choose what is held, then the
      place; Escape lets go of it. A press that does not move chooses; pressed again, the place gives the card before.
   3. source(node, held) makes a node something to take hold of; `held` is a function, asked when it is taken.
      table(view) makes the cards of a picture of the table such things, and its places targets; target(node, place) makes
      any node one. place(place, event) is for the picture's onPlace.
      While chips are held the boxes alone are marked as targets, by body[data-holding].
   4. A face-down card is named by where it lies and its number there: nobody learns what it is. */

import { el, svg } from "/static/dom.js";
import { card as drawCard } from "/static/draw/cards.js";

const FAR = 6;

export class Grip {
  /** @param {GripServer} server */
  constructor(server) {
    this.server = server;
    /** @type {Held | null} */
    this.now = null;
    /** @type {Set<(held: Held | null) => unknown>} */
    this.listeners = new Set();
    /** @type {Set<(held: Held) => unknown>} */
    this.droppers = new Set();
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {HTMLElement | null} */
    this.ghost = null;
    this.dragged = 0;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && (this.now || this.drag)) {
        this.leave();
        event.preventDefault();
      }
    });
  }

  /** @param {(held: Held | null) => unknown} fn */
  on(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  /** @param {(held: Held) => unknown} fn */
  done(fn) {
    this.droppers.add(fn);
    return () => this.droppers.delete(fn);
  }

  /** @param {Held | null} held */
  choose(held) {
    this.now = held;
    document.body.classList.toggle("is-holding", Boolean(held));
    document.body.dataset.holding = held?.kind ?? "";
    for (const fn of this.listeners) fn(held);
  }

  leave() {
    this.end();
    this.choose(null);
  }

  /** @template {HTMLElement} N @param {N} node @param {() => Held} held */
  source(node, held) {
    node.classList.add("h-source");
    node.addEventListener("pointerdown", (event) => {
      if (!node.matches(":disabled")) this.begin(held(), event);
    });
    node.addEventListener("click", () => {
      if (this.justDragged() || (node.dataset.hPlace && this.now?.kind === "card")) return;
      const what = held();
      this.choose(same(what, this.now) ? null : what);
    });
    return node;
  }

  /** @template {HTMLElement} N @param {N} node @param {string} place */
  target(node, place) {
    node.dataset.hPlace = place;
    node.addEventListener("click", (event) => {
      const source = closest(event, ".h-source");
      if (source && source !== node) return; // something that lies here was chosen: that is no drop
      if (this.now && !this.justDragged() && (place !== "shoe" || this.now.kind === "card")) this.drop({ place });
    });
    return node;
  }

  /** @param {HTMLElement} view */
  table(view) {
    /** @param {PointerEvent} event */
    const down = (event) => {
      const found = cardAt(event, view, this.server.app.scene);
      if (found) this.begin(found, event);
    };
    /** @param {MouseEvent} event */
    const click = (event) => {
      if (closest(event, ".drop-target")) return; // the picture itself tells of it, by onPlace
      const over = targetAt(event);
      if (over) this.place(over.place, event);
    };
    view.classList.add("h-table");
    view.addEventListener("pointerdown", down);
    view.addEventListener("click", click);
    return () => {
      view.removeEventListener("pointerdown", down);
      view.removeEventListener("click", click);
    };
  }

  /** @param {string} place @param {Event} event */
  place(place, event) {
    if (this.justDragged()) return;
    if (this.now?.kind === "card" && this.now.from === place) {
      this.choose(before(this.now, this.server.app.scene));
      return;
    }
    if (this.now) {
      this.drop({ place, ...spotAt(event) });
      return;
    }
    const pointed = event instanceof MouseEvent && cardAt(event, closest(event, ".table-view"), this.server.app.scene);
    const here = cardsAt(this.server.app.scene, place);
    if (pointed) this.choose(pointed);
    else if (here.length) this.choose({ kind: "card", card: here[here.length - 1], from: place, index: here.length - 1 });
  }

  justDragged() {
    return performance.now() - this.dragged < 60;
  }

  /** @param {Held | null} held @param {PointerEvent} event */
  begin(held, event) {
    if (event.button || !held) return;
    this.end();
    const id = event.pointerId;
    /** @param {PointerEvent} one */
    const move = (one) => one.pointerId === id && this.move(one);
    /** @param {PointerEvent} one */
    const up = (one) => one.pointerId === id && this.up(one);
    /** @param {PointerEvent} one */
    const cancel = (one) => one.pointerId === id && this.end();
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", cancel);
    const off = () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", cancel);
    };
    this.drag = { held, x: event.clientX, y: event.clientY, moving: false, off };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag) return;
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.moving) {
      drag.moving = true;
      this.choose(drag.held);
      this.ghost = ghostOf(drag.held);
      document.body.append(this.ghost);
    }
    if (this.ghost) this.ghost.style.transform = `translate(${event.clientX - 26}px, ${event.clientY - 36}px)`;
    const over = targetAt(event);
    if (drag.over !== over?.node) {
      drag.over?.classList.remove("is-over");
      over?.node.classList.add("is-over");
      drag.over = over?.node;
    }
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag } = this;
    const over = drag?.moving ? targetAt(event) : null;
    this.end();
    if (!drag?.moving) return;
    this.dragged = performance.now();
    if (over) this.drop({ place: over.place, ...spotAt(event) }, drag.held);
    else this.choose(null);
  }

  end() {
    this.drag?.off();
    this.drag?.over?.classList.remove("is-over");
    this.drag = null;
    this.ghost?.remove();
    this.ghost = null;
  }

  /** @param {DropTarget} target @param {Held | null} [held] */
  async drop(target, held = this.now) {
    this.choose(null);
    const does = held && dropped(held, target);
    if (!does) return null;
    const answer = await this.server.post(does.name, does.body);
    if (answer.ok) for (const fn of this.droppers) fn(held);
    return answer;
  }
}

/** @param {Held} held @param {DropTarget} target @returns {Deed | null} */
export function dropped(held, { place, wager }) {
  const box = /^(\d+)/.exec(place)?.[1];
  switch (held.kind) {
    case "draw":
      return held.count > 1 ? pulled(held, place) : drawn(held, place);
    case "card":
      return carried(held, place);
    case "chips":
      return box ? act(`bet ${box}/${held.slot} ${wager || held.wager} ${held.amount}`) : null;
    case "take":
      return box ? act(`unbet ${box}/${held.slot} ${wager || held.wager}`) : null;
    default:
      return null;
  }
}

/** @param {string} statement @param {object} [more] @returns {Deed} */
function act(statement, more = {}) {
  return { name: "act", body: { statement, ...more } };
}

/** @param {HeldCard} held @param {string} place */
function carried({ card, from, index }, place) {
  const which = { source: from, index };
  if (place === from || place === "hand") return null;
  if (place === "shoe") return act(`push-back ${card}`, which);
  if (from === "drawn" || from === "aside") return act(`lay ${card} ${place}`, which);
  return act(`move ${card} ${from} ${place}`, which);
}

/** @param {HeldDraw} held @param {string} place */
function drawn(held, place) {
  const words = ["draw", place === "hand" || place === "shoe" ? "none" : place];
  if (held.card) words.push("=", held.card);
  if (held.faceUp) words.push("face-up");
  if (held.exposed && words[1] !== "none") words.push("exposed");
  return act(words.join(" "));
}

/** @param {HeldDraw} held @param {string} place @returns {Deed} */
function pulled(held, place) {
  const body = { count: held.count, show: Math.min(held.show, held.count), ordered: held.ordered };
  return { name: "pull", body: place === "hand" || place === "shoe" ? body : { ...body, place } };
}

/** @param {Scene | null} scene @param {string} place */
export function cardsAt(scene, place) {
  if (!scene) return [];
  const beside = (scene.elsewhere || []).find((one) => one.place === place)?.cards || [];
  if (place === "dealer") return [...scene.dealer.cards, ...beside];
  for (const box of scene.boxes || []) {
    for (const hand of box.hands || []) {
      if (hand.place === place || (place === `${box.number}` && box.hands.length === 1)) return [...hand.cards, ...beside];
    }
  }
  return beside;
}

/** @param {HeldCard} held @param {Scene | null} scene @returns {HeldCard | null} */
function before(held, scene) {
  const card = cardsAt(scene, held.from)[held.index - 1];
  return card ? { ...held, card, index: held.index - 1 } : null;
}

/**
 * The first of these elements that is chosen, or lies within what is.
 * @param {Element[]} under
 * @param {string} chosen
 * @returns {HTMLElement | SVGElement | null}
 */
function nearest(under, chosen) {
  for (const node of under) {
    /** @type {HTMLElement | SVGElement | null} */
    const found = node.closest(chosen);
    if (found) return found;
  }
  return null;
}

/** @param {Event} event @param {string} chosen */
function closest(event, chosen) {
  return event.target instanceof Element ? event.target.closest(chosen) : null;
}

/**
 * @param {PointerEvent | MouseEvent} event
 * @param {Element | null} view
 * @param {Scene | null} scene
 * @returns {HeldCard | null}
 */
function cardAt(event, view, scene) {
  if (!view) return null;
  const under = document.elementsFromPoint(event.clientX, event.clientY).filter((node) => view.contains(node));
  const group = nearest(under, ".card[data-card]");
  const place = nearest(under, "[data-place]")?.dataset.place;
  if (!group?.parentElement || !place) return null;
  const [shown, here] = [group.dataset.card, cardsAt(scene, place)];
  const drawnHere = [...group.parentElement.children].filter((node) => node.classList.contains("card"));
  const shift = Math.max(0, here.length - drawnHere.length);
  const at = drawnHere.indexOf(group) + shift;
  const index = here[at]?.split("#")[0] === shown ? at : here.findIndex((code) => code.split("#")[0] === shown);
  return index < 0 ? null : { kind: "card", card: here[index], from: place, index };
}

/** @param {MouseEvent} event */
function targetAt(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const node = nearest(under, "[data-h-place], .h-table [data-place], .h-table [data-box]");
  return node && { node, place: node.dataset.hPlace || node.dataset.place || node.dataset.box || "" };
}

/** @param {Event} event @returns {{ wager?: string }} */
function spotAt(event) {
  if (!(event instanceof MouseEvent)) return {};
  const spot = nearest(document.elementsFromPoint(event.clientX, event.clientY), "[data-spot], [data-wager]");
  return spot ? { wager: spot.dataset.spot || spot.dataset.wager } : {};
}

/** @param {unknown} a @param {unknown} b */
function same(a, b) {
  return Boolean(a && b) && JSON.stringify(a) === JSON.stringify(b);
}

/** @param {string} code @param {number} [height] */
export function face(code, height = 72) {
  const width = Math.round(height * 0.7);
  return svg(
    "svg",
    { class: "table-picture h-card", width, height, viewBox: `-1 -1 ${width + 2} ${height + 2}`, "aria-hidden": "true" },
    drawCard(code, 0, 0, height),
  );
}

/** @param {Held} held */
function ghostOf(held) {
  const inside =
    held.kind === "draw" || held.kind === "card"
      ? Array.from({ length: held.kind === "draw" ? held.count : 1 }, () => face(held.card || "??"))
      : el("span", { class: `h-chip h-chip-${held.kind === "chips" ? held.chip : "own"}` }, held.kind === "take" ? "✕" : held.amount);
  return el("div", { class: "h-ghost", "aria-hidden": "true" }, inside);
}
