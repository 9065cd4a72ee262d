/* Moves, drawn over the table.

   1. Each move is an arrow from where the card lies to where it belongs, with its number at the beginning. It leaves
      and arrives beside the cards, so that no face is covered: between boxes by turns above and below them, else
      from the nearer edge of the one to the nearer edge of the other. Where a card is also to leave the place, it
      arrives at the left of that one's number.
   2. The first that is not done is drawn strong, the later ones thin; one that is done is a tick where it began. */

import { svg } from "../dom.js";
import { fan, round } from "./cards.js";
import { middle } from "./places.js";

const TICK = "M-6 0L-2 5L7 -6";
const R = 12;

/** @param {Area} area @param {boolean} below @param {number} aside */
function edge(area, below, aside) {
  const at = middle(area);
  const half = fan(1, area).h / 2 + 2;
  const low = Math.min(half + R, area.h / 2 + R * 0.6);
  return { x: at.x + aside, y: below ? at.y + low : at.y - low };
}

/** @param {Area} from @param {Area} to @param {number} index @param {number} nth @param {boolean} leaves */
function path(from, to, index, nth, leaves) {
  const lower = from.y > to.y + to.h; // it lies in the lower row and goes up
  const upper = to.y > from.y + from.h;
  const below = upper || (!lower && index % 2 === 1);
  const [a, b] = [edge(from, below, nth * 9), edge(to, upper ? false : lower || below, -nth * 9 - (leaves ? R + 6 : 0))];
  const bend = upper || lower ? Math.abs(b.y - a.y) * 0.5 : 20 + Math.abs(b.x - a.x) * 0.1 + nth * 8;
  const out = below ? bend : -bend;
  const into = upper ? -bend : lower ? bend : out;
  const tip = { x: b.x, y: b.y + (into > 0 ? 4 : -4) };
  const bends = [a, { x: a.x, y: a.y + out }, { x: b.x, y: b.y + into }, tip];
  const points = bends.map((at) => `${round(at.x)} ${round(at.y)}`);
  const line = `M${points[0]}C${points.slice(1).join(" ")}`;
  return { a, line, head: `translate(${round(tip.x)} ${round(tip.y)}) rotate(${into > 0 ? -90 : 90})` };
}

/** @param {DrawnMove[]} moves @param {(place: string) => Area | null} areaOf */
export function arrows(moves, areaOf) {
  const first = moves.findIndex((move) => !move.done);
  const seen = new Map();
  const found = moves.map((move, index) => {
    const [from, to] = [areaOf(move.from), areaOf(move.to)];
    if (!from || !to) return null;
    const nth = seen.get(move.from) || 0;
    seen.set(move.from, nth + 1);
    const leaves = moves.some((one) => one.from === move.to && !one.done);
    const { a, line, head } = path(from, to, index, nth, leaves);
    const kind = move.done ? "done" : index === first ? "now" : "later";
    return svg(
      "g",
      { class: `move move-${kind}` },
      !move.done && svg("path", { d: line, class: "move-edge" }),
      svg("path", { d: line, class: "move-line" }),
      !move.done && svg("path", { d: "M-6 -9L11 0L-6 9Z", class: "move-head", transform: head }),
      svg("circle", { cx: round(a.x), cy: round(a.y), r: R, class: "move-disc" }),
      move.done
        ? svg("path", { d: TICK, class: "move-tick", transform: `translate(${round(a.x)} ${round(a.y)})` })
        : svg("text", { x: round(a.x), y: round(a.y), class: "move-number" }, String(index + 1)),
    );
  });
  const order = ["move-done", "move-later", "move-now"];
  /** @param {Element} node */
  const rank = (node) => order.findIndex((name) => node.classList.contains(name));
  return found.filter((one) => one !== null).sort((one, other) => rank(one) - rank(other));
}
