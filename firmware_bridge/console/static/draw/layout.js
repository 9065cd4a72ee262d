/* The table, drawn from a scene.

   tableView({ scene, t, onPlace, moves, highlight, dropTargets, bare }) → element
     scene        what the daemon says of the table; null while nothing is known yet
     t            the texts
     onPlace      (place, event) => …: a box, the Dealer's hand, the burn or the discard holder was chosen by pointer,
                  Enter or Space; boxes then are buttons. With dropTargets the place is that of the hand ("2.1").
     moves        [{ card, from, to, done }]: drawn over the table as numbered arrows
     highlight    list of places ("2", "dealer") to be framed, such as those of a finding
                  ("aside" and "drawn" are cards that left the shoe and lie nowhere yet: drawn beside the shoe)
     dropTargets  true: every hand, the Dealer's hand, burn and discard is a target of its own: focusable, with
                  class "drop-target" and data-place; what is dropped is the caller's business (elementFromPoint and
                  closest("[data-place]"), or closest("[data-spot]") for the spot of a kind of wager in data-box)
     bare         true: of the wagers only the main ones, so that cards have the room
     onDraw       called when the picture has another size
   The element has
     .update(scene, { moves, highlight, bare, pills })   draws what has changed; what is left out stays as it was
     .pillArea(box)                         { x, y, w } of the room for a pill over a box, in pixels of the element
     .middle(place)                         { x, y } of a place in the page, for what is drawn from outside
     .close()                               stops watching its size

   1. The picture is in pixels of the element, drawn again when its size changes: text never becomes unreadably small.
   2. Every part (a box, the Dealer, the shoe …) is drawn again only if what it shows has changed.
   3. Turn and next card are marked by a frame, a sign and a word, not by colour alone. The next card is marked only
      where the advice asks for one.
   4. Every part has its words in aria-label; what is inside is hidden from those who hear the page. */

import { el, svg, fill } from "../dom.js";
import { arrows } from "./arrows.js";
import { drawBox, turnTab } from "./box.js";
import { drawDealer, drawPile, drawShoe } from "./middle.js";
import { geometry, middle, parse, weightOf } from "./places.js";
import { ribbonsOf } from "./ribbons.js";
import { targetOf } from "./target.js";
import { spotRows } from "./wagers.js";

const PILL = 44; // the height of a pill
const LOWEST = 220; // below this height the picture is drawn so high, and made smaller
const LOW = 270; // below this height it is drawn bare: cards and totals need the room
const NARROW = 64; // or with less room for each box
/** @type {PileName[]} */
const PILES = ["aside", "burn", "discard"];
/** @type {Set<Scene["state"] | undefined>} */
const QUIET = new Set(["idle", "betting", "held", "void", "complete"]); // no card is to be dealt now
/** @type {DrawnScene} */
const EMPTY = { boxes: [], spots: [], dealer: { cards: [] }, elsewhere: [], shoe: null, next: null, turn: null };

/** @param {ViewOptions} options @returns {TableView} */
export function tableView(options) {
  const state = {
    scene: options.scene || null,
    moves: options.moves || [],
    highlight: options.highlight || [],
    bare: Boolean(options.bare),
    /** @type {Set<number>} */
    pills: new Set(),
  };
  /** @type {Map<string, { sign: string, node: SVGElement, cards: any }>} */
  const drawn = new Map();
  /** @type {Geometry | null} */
  let geo = null;

  const layers = ["felt", "boxes", "middle", "over"].map((name) => svg("g", { class: `layer-${name}` }));
  const [felt, boxes, mid, over] = layers;
  over.setAttribute("aria-hidden", "true");
  const picture = svg(
    "svg",
    { class: "table-picture", role: "group", "aria-label": options.t("table.picture") },
    layers,
  );
  const root = /** @type {TableView} */ (el("div", { class: "table-view" }, picture));

  /** @param {string} key @param {Element} layer @param {unknown[]} shows @param {(old: any) => SVGElement} make */
  function part(key, layer, shows, make) {
    const sign = JSON.stringify(shows);
    const old = drawn.get(key);
    if (old && old.sign === sign) return;
    const node = make(old ? old.cards : null);
    if (old) old.node.replaceWith(node);
    else layer.append(node);
    drawn.set(key, { sign, node, cards: shows });
  }

  /** @param {Set<string>} keep */
  function drop(keep) {
    for (const [key, old] of drawn) {
      if (keep.has(key)) continue;
      old.node.remove();
      drawn.delete(key);
    }
  }

  /** @param {string} place @param {Event} event */
  function press(place, event) {
    options.onPlace?.(place, event);
  }

  function draw() {
    if (geo) drawIn(geo);
  }

  /** @param {Geometry} room */
  function drawIn(room) {
    const scene = state.scene || EMPTY;
    const lit = state.highlight.map(parse);
    const lie = whereLying(scene, state.moves);
    const tools = { t: options.t, press: options.onPlace && press, drop: Boolean(options.dropTargets), geo: room, scene };
    const keep = new Set(["dealer", "shoe", ...PILES]);
    /** @type {BoxGeometry | null} */
    let acting = null;
    for (const [index, box] of scene.boxes.entries()) {
      const key = `box${box.number}`;
      keep.add(key);
      const marks = { ...marksOf(scene, box, lit, lie), pilled: state.pills.has(box.number), ribbons: ribbonsOf(scene, box) };
      if (marks.turn) acting = room.boxes[index];
      part(key, boxes, [box, marks, scene.spots], (old) => drawBox(box, room.boxes[index], marks, { ...tools, old }));
    }
    /** @param {string} name */
    const at = (name) => ({ next: nextOf(scene) === name, lit: lit.some((place) => place.name === name) });
    const dealer = { ...at("dealer"), others: lie.others.dealer || [], strays: lie.strays.dealer || [] };
    part("dealer", mid, [scene.dealer, dealer], (old) => {
      const before = old && [...(old[0].cards || []), ...old[1].others];
      return drawDealer(scene.dealer, room.dealer, dealer, { ...tools, old: before });
    });
    part("shoe", mid, [scene.shoe], () => drawShoe(scene.shoe, room.shoe, tools));
    for (const name of PILES) {
      const [marks, cards] = [at(name), lie.others[name] || []];
      part(name, mid, [cards, marks], () => drawPile(name, cards, room[name], marks, tools));
    }
    drop(keep);
    fill(over, acting && turnTab(acting, options.t), arrows(state.moves, (place) => targetOf(room, scene, place)));
  }

  function resized() {
    const { width, height } = root.getBoundingClientRect();
    if (width < 40 || height < 40) {
      geo = null; // not in the page now, or too small: it is drawn when it has room again
      return;
    }
    const scene = state.scene || EMPTY;
    const weights = scene.boxes.length ? scene.boxes.map(weightOf) : [1];
    const bare = state.bare || height < LOW || width < NARROW * weights.length;
    const rows = bare ? 1 : spotRows(scene.spots || []);
    const larger = Math.max(1, LOWEST / height);
    geo = geometry(Math.round(width * larger), Math.round(height * larger), weights, rows);
    for (const box of geo.boxes) box.bare = bare;
    picture.setAttribute("viewBox", `0 0 ${geo.width} ${geo.height}`);
    drop(new Set());
    fill(felt, backdrop(geo));
    draw();
    options.onDraw?.();
  }

  const watch = new ResizeObserver(resized);
  watch.observe(root);
  root.update = (scene, more = {}) => {
    const before = state.scene || EMPTY;
    state.scene = scene || state.scene;
    if (more.moves) state.moves = more.moves;
    if (more.highlight) state.highlight = more.highlight;
    if (more.pills) state.pills = more.pills;
    const now = state.scene || EMPTY;
    const bare = more.bare ?? state.bare;
    const other = bare !== state.bare;
    state.bare = bare;
    if (!geo || other || shape(before) !== shape(now)) resized();
    else draw();
  };
  root.pillArea = (box) => {
    const index = (state.scene || EMPTY).boxes.findIndex((one) => one.number === box);
    if (!geo || index < 0) return null;
    const { frame } = geo.boxes[index];
    const scale = root.getBoundingClientRect().height / geo.height;
    return { x: (frame.x + 3) * scale, y: (frame.y + frame.h - 3) * scale - PILL, w: (frame.w - 6) * scale };
  };
  root.middle = (place) => {
    const at = geo && targetOf(geo, state.scene || EMPTY, place);
    const frame = root.getBoundingClientRect();
    return at ? { x: frame.left + middle(at).x, y: frame.top + middle(at).y } : null;
  };
  root.close = () => watch.disconnect();
  return root;
}

/** @param {DrawnScene} scene */
function shape(scene) {
  return JSON.stringify([scene.boxes.map(weightOf), scene.spots]);
}

/** @param {DrawnScene} scene */
function nextOf(scene) {
  return scene.advice?.deals ? scene.advice.place : null;
}

/** @param {DrawnScene} scene @param {DrawnMove[]} moves */
function whereLying(scene, moves) {
  /** @type {Record<string, string[]>} */
  const others = {};
  for (const { place, cards } of scene.elsewhere || []) {
    const name = place === "drawn" ? "aside" : place;
    others[name] = [...(others[name] || []), ...cards];
  }
  /** @type {Record<string, string[]>} */
  const strays = {};
  for (const move of moves) {
    if (!move.done) strays[move.from] = [...(strays[move.from] || []), move.card.split("#")[0]];
  }
  return { others, strays };
}

/**
 * @param {DrawnScene} scene
 * @param {ShownBox} box
 * @param {Place[]} lit
 * @param {ReturnType<typeof whereLying>} lie
 * @returns {Omit<BoxMarks, "pilled" | "ribbons">}
 */
function marksOf(scene, box, lit, lie) {
  /** @param {Place} place */
  const handOf = (place) => (place.name === "box" && place.box === box.number ? place.hand || 1 : 0);
  /** @param {Record<string, string[]>} lying */
  const byHand = (lying) => {
    /** @type {Record<number, string[]>} */
    const found = {};
    for (const [name, cards] of Object.entries(lying)) {
      const hand = handOf(parse(name));
      if (hand) found[hand] = [...(found[hand] || []), ...cards];
    }
    return found;
  };
  return {
    next: handOf(parse(nextOf(scene))),
    turn: QUIET.has(scene.state) ? 0 : handOf(parse(scene.turn)),
    lit: lit.some((place) => handOf(place) > 0),
    others: byHand(lie.others),
    strays: byHand(lie.strays),
  };
}

/** @param {Geometry} geo */
function backdrop(geo) {
  const { width, height, arc } = geo;
  const points = Array.from({ length: 41 }, (_, index) => (width * index) / 40);
  /** @param {number} lower */
  const line = (lower) => points.map((x) => `${x.toFixed(1)} ${(arc(x) - lower).toFixed(1)}`).join("L");
  return [
    svg("path", { d: `M${line(6)}L${width} ${height}L0 ${height}Z`, class: "felt" }),
    svg("path", { d: `M${line(6)}`, class: "rail" }),
    svg("path", { d: `M${line(10)}`, class: "rail-light" }),
  ];
}
