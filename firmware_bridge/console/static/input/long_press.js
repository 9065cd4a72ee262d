/* A press that must last: for what cannot be undone.

   1. onLongPress(button, app, run) runs `run` when the button was held for HOLD_MS, by pointer or by Enter or Space. A
      ring fills meanwhile (class "is-holding"). Anyone who lets go earlier is told to hold it.
   2. Assistive technology presses without a pointer or a key: then the button asks once more, and the second press
      counts. So it is where somebody cannot hold. */

import { el } from "../dom.js";

export const HOLD_MS = 1200;

/** @param {HTMLButtonElement} button @param {App} app @param {() => unknown} run */
export function onLongPress(button, app, run) {
  let timer = 0;
  let byHand = false;
  let asked = false;

  /** @param {Event} event */
  function begin(event) {
    if (timer || button.disabled || (event instanceof KeyboardEvent && (event.repeat || ![" ", "Enter"].includes(event.key)))) return;
    byHand = true;
    button.classList.add("is-holding");
    timer = setTimeout(() => {
      timer = -1;
      button.classList.remove("is-holding");
      if (button.isConnected && !button.disabled) run();
    }, HOLD_MS);
  }

  function end() {
    if (timer > 0) {
      clearTimeout(timer);
      app.toast(app.t("hold.longer"), "bad");
    }
    timer = 0;
    button.classList.remove("is-holding");
  }

  /** @param {Event} event */
  function click(event) {
    event.preventDefault();
    const pressed = byHand;
    byHand = false;
    if (pressed || button.disabled) return;
    if (asked) return run();
    asked = true;
    button.dataset.asked = "";
    button.append(el("span", { class: "command-place" }, app.t("hold.again")));
    app.announce(app.t("hold.again"));
  }

  button.dataset.hold = "";
  button.setAttribute("aria-description", app.t("hold.how"));
  button.addEventListener("pointerdown", begin);
  button.addEventListener("keydown", begin);
  for (const kind of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) button.addEventListener(kind, end);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", click);
  return button;
}
