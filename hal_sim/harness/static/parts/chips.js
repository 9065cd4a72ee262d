/* The chip tray: chips are taken from it and dropped on a box.

   1. Dropped on the spot of a kind of wager they lie there; dropped elsewhere on the box, on the spot that is chosen here.
   2. A chip has the colour of the wager that it will be, as on the table.
   3. "Take back" is chosen like a chip: the box that is pressed next loses the chips of that spot. */

import { el } from "/static/dom.js";
import { button, choices, head, input, options, select } from "../controls.js";

const CHIPS = ["5", "25", "100", "500", "1000"];
const OWN = "own";

/** @param {PartTools} tools @returns {HarnessPart} */
export function chipsPart({ app, grip, ends }) {
  const { t } = app;
  const set = { wager: "main", slot: 1 };
  const amount = input("amount", t("harness.amount"), { inputmode: "decimal", value: "75", maxlength: 10 });
  /** @param {string} value */
  const worth = (value) => (value === OWN ? amount.value.trim() || "0" : value);
  /** @param {string} value */
  const chip = (value) => {
    const label = t("harness.chip", { amount: value === OWN ? t("harness.amount") : value });
    const props = { class: `h-chip h-chip-${value}`, "aria-label": label, "data-amount": value };
    const one = button("chip", value === OWN ? "…" : value, null, props);
    return grip.source(one, () => ({ kind: "chips", amount: worth(value), chip: value, ...set }));
  };
  const take = grip.source(button("take", t("harness.take")), () => ({ kind: "take", ...set }));
  /** @type {HTMLSelectElement} */
  const wagers = select("wager", t("harness.wager"), { onchange: () => change({ wager: wagers.value }) });
  const slots = choices("slot", t("harness.slot"), [1, 2, 3], () => set.slot, (slot) => change({ slot }));
  let game = "";
  const node = el(
    "section",
    { "aria-labelledby": "h-chips", class: "wager-main" },
    head("h-chips", t("harness.part.chips")),
    el("div", { class: "h-chips" }, CHIPS.map(chip)),
    el("div", { class: "h-row h-own" }, chip(OWN), amount, take),
    wagers,
    el("div", { class: "h-field" }, el("span", null, t("harness.slot")), slots.node),
  );

  /** @param {Partial<typeof set>} to */
  function change(to) {
    Object.assign(set, to);
    node.className = `wager-${set.wager}`;
    if (grip.now?.kind === "chips" || grip.now?.kind === "take") grip.choose({ ...grip.now, ...set });
    slots.draw();
  }

  /** @param {Held | null} now */
  const mark = (now) => {
    /** @type {NodeListOf<HTMLElement>} */
    const chips = node.querySelectorAll(".h-chip");
    for (const one of chips) {
      one.setAttribute("aria-pressed", String(now?.kind === "chips" && now.chip === one.dataset.amount));
    }
    take.setAttribute("aria-pressed", String(now?.kind === "take"));
  };
  ends.push(grip.on(mark));
  slots.draw();
  return {
    node,
    update({ table }) {
      if (table.game === game) return;
      game = table.game;
      if (!table.wagers.includes(set.wager)) change({ wager: "main" });
      options(wagers, table.wagers, set.wager, (kind) => t(`wager.${kind}`));
      slots.buttons.forEach((one, index) => {
        one.disabled = table.slots !== null && index >= table.slots;
      });
    },
  };
}
