/* What a position is made of: every card of the game, chips, and taking chips back. Each is taken hold of (grip.js). */

import { el, fill } from "/static/dom.js";
import { cardName } from "/static/draw/cards.js";
import { button, input, options, row, select } from "../controls.js";
import { face } from "../grip.js";

const SUITS = "SHDC";

/** @param {Translate} t @param {Grip} grip */
export function palette(t, grip) {
  const cards = el("div", { class: "h-picker e-cards", role: "group", "aria-label": t("editor.cards") });
  const amount = input("editor-amount", t("harness.amount"), { inputmode: "decimal", value: "100", maxlength: 10 });
  const wager = select("editor-wager", t("harness.wager"));
  /** @returns {HeldChips} */
  const chips = () => ({ kind: "chips", amount: amount.value.trim() || "0", wager: wager.value, slot: 1, chip: "own" });
  const chip = grip.source(button("editor-chip", t("editor.chips")), chips);
  const take = grip.source(button("editor-take", t("harness.take")), () => ({ kind: "take", wager: wager.value, slot: 1 }));
  /** @type {string} */
  let game = "";

  /** @param {string} code */
  function card(code) {
    const props = { class: "h-pick", "aria-label": cardName(code, t), "data-card": code };
    return grip.source(button("editor-card", face(code, 44), null, props), () => ({ kind: "draw", count: 1, show: 0, card: code }));
  }

  /** @param {Held | null} now */
  function mark(now) {
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (cards.querySelectorAll("[data-card]"))) {
      one.setAttribute("aria-pressed", String(now?.kind === "draw" && now.card === one.dataset.card));
    }
    chip.setAttribute("aria-pressed", String(now?.kind === "chips"));
    take.setAttribute("aria-pressed", String(now?.kind === "take"));
  }

  return {
    node: el("div", { class: "e-palette" }, cards, row(chip, amount, wager, take)),
    mark,
    /** @param {HarnessGame} rules */
    of(rules) {
      if (rules.id === game) return;
      game = rules.id;
      fill(cards, [...SUITS].map((suit) => el("div", { class: "h-pick-row" }, [...rules.ranks].map((rank) => card(rank + suit)))));
      options(wager, rules.wagers, "main", (kind) => t(`wager.${kind}`));
    },
  };
}
