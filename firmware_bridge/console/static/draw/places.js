/* Where everything lies in the picture of a table.

   1. The picture is the Dealer's view: the Dealer below, box 1 on the left, the boxes in an arc above, the shoe at
      the Dealer's left hand, burned and discarded cards at the right.
   2. geometry(width, height, weights, rows) gives rectangles { x, y, w, h } for a picture of that size: { width,
      height, boxes: [{ frame, rowH, spot, hands, foot }], dealer, shoe, aside, burn, discard, arc(x) }. A box is as
      wide as its weight among the others says: weightOf(box) is more for a split one. `spot` is where wagers lie,
      `hands` where cards lie, `foot` where the total of a single hand stands.
   3. rowsOf(box, hands, used) splits the cards' area of a box: one row a hand, with room for the total at its right
      unless the box is too narrow for both; it begins below the rows that wagers use.
   4. A place is written as in the notation: "2", "2.1", "2/1", "dealer", "burn", "discard". parse(text) reads one.
   5. placeName(text, t) is a place in words. */

const CRAMPED = 84; // a split box that is narrower has room for cards alone

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** @param {string | null | undefined} text @returns {Place} */
export function parse(text) {
  if (text === null || text === undefined) return { name: "" };
  const found = /^(\d+)(?:\.(\d+))?(?:\/(\d+))?$/.exec(text);
  if (!found) return { name: String(text), box: 0, hand: 0, slot: 0 };
  return { name: "box", box: Number(found[1]), hand: Number(found[2] || 0), slot: Number(found[3] || 0) };
}

/** @param {string | null | undefined} text @param {Translate} t */
export function placeName(text, t) {
  const place = parse(text);
  if (place.name !== "box") return t(`place.${place.name || "none"}`);
  const words = [t("place.box", { box: place.box })];
  if (place.hand) words.push(t("place.hand", { hand: place.hand }));
  if (place.slot) words.push(t("place.slot", { slot: place.slot }));
  return words.join(t("place.join"));
}

/** @param {number} width @param {number} height @param {number[]} weights @param {number} rows @returns {Geometry} */
export function geometry(width, height, weights, rows) {
  const count = weights.length;
  const pad = Math.max(6, width * 0.01);
  const below = clamp(height * 0.3, 92, 260);
  const above = height - below - pad;
  const sag = clamp(above * 0.17, 14, 110);
  const gap = clamp(width * 0.008, 5, 14);
  const each = (width - 2 * pad - gap * (count - 1)) / weights.reduce((sum, one) => sum + one, 0);
  const h = Math.min(above - sag - pad, Math.max(380, each * 2));
  const widths = weights.map((one) => Math.min(each * one, 300 * one, h * 0.98 * one));
  /** @param {number} x */
  const arc = (x) => pad + sag * ((x - width / 2) / (width / 2)) ** 2;
  let x = (width - widths.reduce((sum, one) => sum + one + gap, -gap)) / 2;
  const boxes = widths.map((w) => {
    const frame = { x, y: arc(x + w / 2), w, h };
    x += w + gap;
    return parts(frame, rows);
  });
  const lowest = height - below;
  const side = Math.min(width * 0.25, 264);
  const waits = clamp(width * 0.12, 56, 130);
  const low = { y: lowest + pad * 0.7, h: below - pad * 1.4 };
  const dealer = { x: pad + side + waits, y: pad + h + sag * 0.3 + 4, w: 0, h: 0 };
  dealer.w = Math.min(width - pad - side - gap - dealer.x, 620);
  dealer.x = Math.max(dealer.x, Math.min((width - dealer.w) / 2, width - pad - side - gap - dealer.w));
  dealer.h = Math.min(height - dealer.y - 6, 280);
  dealer.y = height - dealer.h - 6;
  const right = { ...low, x: width - pad - side, w: (side - gap) / 2 };
  return {
    width,
    height,
    arc,
    boxes,
    dealer,
    shoe: { ...low, x: pad, w: side },
    aside: { ...low, x: dealer.x - waits, w: waits - gap },
    burn: right,
    discard: { ...right, x: right.x + right.w + gap },
  };
}

/** @param {Area} frame @param {number} rows @returns {BoxGeometry} */
function parts(frame, rows) {
  const inner = Math.max(4, frame.w * 0.04);
  const rowH = clamp(Math.min(frame.h * 0.1, frame.w * 0.2), 19, 34);
  const spotH = inner + rows * (rowH + 2);
  const footH = clamp(frame.h * 0.17, 31, 52);
  const x = frame.x + inner;
  const w = frame.w - 2 * inner;
  return {
    frame,
    rowH,
    spot: { x, y: frame.y + inner, w, h: spotH - inner },
    hands: { x, y: frame.y + spotH + 2, w, h: frame.h - spotH - footH - 8 },
    foot: { x, y: frame.y + frame.h - footH - 3, w, h: footH },
  };
}

/** @param {ShownBox} box */
export function weightOf(box) {
  return [1, 1, 1.35, 1.6, 1.75][Math.min(4, (box.hands || []).length)];
}

/** @param {BoxGeometry} box @param {number} hands @param {number} used @returns {HandRow[]} */
export function rowsOf(box, hands, used) {
  if (hands < 2) return [{ cards: box.hands, total: box.foot, single: true, roomy: box.bare }];
  const top = Math.min(box.hands.y, box.spot.y + used * (box.rowH + 2) + 2);
  const area = { ...box.hands, y: top, h: box.foot.y + box.foot.h - top };
  const gap = 3;
  const h = (area.h - gap * (hands - 1)) / hands;
  const cramped = area.w < CRAMPED;
  const wide = cramped ? 0 : clamp(area.w * 0.36, 40, 86);
  return Array.from({ length: hands }, (_, index) => {
    const y = area.y + index * (h + gap);
    return {
      cards: { x: area.x, y, w: area.w - (wide && wide + 3), h },
      total: { x: area.x + area.w - wide, y, w: wide, h },
      single: false,
      cramped,
    };
  });
}

/** @param {Area} area @returns {Point} */
export function middle(area) {
  return { x: area.x + area.w / 2, y: area.y + area.h / 2 };
}
