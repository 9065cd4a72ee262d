/* The keyboard.

   1. A key without Ctrl, Alt or Meta is offered to what is open (the Alarm before the page): the entry of its keys()
      with that key is run. While something is typed, in a dialog or with a modifier, keys belong to the browser.
   2. "?" shows what the keys do now, and how the page looks: theme and text size. Escape closes a dialog.
   3. openDialog(title, content, { onclose, wide }) shows a dialog over the page and keeps the focus within; it
      returns close(). closeDialog() closes what is open. trap(node) keeps the focus within a node. */

import { byId, el, fill, focusOn } from "../dom.js";
import { SIZES, THEMES, choose, chosenLook } from "../appearance.js";

const FOCUSABLE = "a[href], button:not([disabled]), input, select, textarea, [tabindex='0']";
/** @type {(() => void) | null} */
let closeOpen = null;
/** @type {(() => Key[]) | null} */
let words = null;

/** @param {BaseApp} app @param {() => { keys?: () => Key[] } | null} current */
export function listenKeys(app, current) {
  const now = () => current()?.keys?.() || [];
  words = now;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape" && closeOpen) return closeOpen();
    if ((event.target instanceof Element && event.target.matches("input, textarea, select")) || closeOpen) return;
    if (event.key === "?") return openHelp(app);
    const run = now().find((one) => one.key === event.key.toLowerCase() && one.run)?.run;
    if (!run) return;
    event.preventDefault();
    run();
  });
}

/** @param {HTMLElement} node */
export function trap(node) {
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const found = [.../** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(FOCUSABLE))];
    const inside = found.filter((one) => one.getClientRects().length > 0);
    if (!inside.length) return event.preventDefault();
    const [first, last] = [inside[0], inside[inside.length - 1]];
    const at = document.activeElement;
    if (event.shiftKey && (at === first || at === node)) {
      event.preventDefault();
      last.focus();
    } else if (!event.shiftKey && at === last) {
      event.preventDefault();
      first.focus();
    }
  });
}

export function closeDialog() {
  closeOpen?.();
}

/**
 * @param {BaseApp} app
 * @param {string} title
 * @param {Child} content
 * @param {{ onclose?: () => unknown, class?: string, focus?: HTMLElement | null }} [more]
 */
export function openDialog(app, title, content, more = {}) {
  closeOpen?.();
  const host = byId("dialog");
  const covered = ["shell", "alarm"].map((id) => byId(id));
  const inert = covered.map((node) => node.inert);
  const back = document.activeElement;
  const close = () => {
    if (closeOpen !== close) return;
    closeOpen = null;
    host.replaceChildren();
    covered.forEach((node, index) => {
      node.inert = inert[index];
    });
    document.body.classList.remove("has-dialog");
    more.onclose?.();
    focusOn(back);
  };
  const box = el(
    "div",
    {
      class: `dialog ${more.class || ""}`,
      role: "dialog",
      "aria-modal": "true",
      "aria-labelledby": "dialog-title",
      tabindex: "-1",
    },
    el(
      "div",
      { class: "dialog-head" },
      el("h2", { id: "dialog-title" }, title),
      el("button", { type: "button", class: "icon-button", "aria-label": app.t("shell.close"), onclick: close }, "✕"),
    ),
    el("div", { class: "dialog-body" }, content),
  );
  trap(box);
  fill(host, el("div", { class: "dialog-back", onclick: close }), box);
  covered.forEach((node) => {
    node.inert = true;
  });
  closeOpen = close;
  document.body.classList.add("has-dialog");
  (more.focus || box).focus();
  return close;
}

/** @param {Translate} t @param {"theme" | "text"} what @param {string[]} values @param {(value: string) => string} named */
function choices(t, what, values, named) {
  const root = el("div", { class: "look", role: "group", "aria-label": t(`look.${what}`) });
  const draw = () =>
    fill(
      root,
      el("span", { class: "look-name" }, t(`look.${what}`)),
      values.map((value) =>
        el(
          "button",
          {
            type: "button",
            class: "known",
            "data-test": what,
            "data-value": value,
            "aria-pressed": String(chosenLook()[what] === value),
            onclick: () => {
              choose(what, value);
              draw();
              /** @type {HTMLElement | null} */
              const again = root.querySelector(`[data-value="${value}"]`);
              again?.focus();
            },
          },
          named(value),
        ),
      ),
    );
  draw();
  return root;
}

/** @param {BaseApp} app */
export function openHelp(app) {
  const { t } = app;
  const general = [
    { key: "?", words: t("help.this") },
    { key: "Tab", words: t("help.tab") },
    { key: "Enter", words: t("help.enter") },
    { key: "Esc", words: t("help.esc") },
  ];
  /** @param {Key} one */
  const row = (one) => el(
    "tr",
    null,
    el("td", null, el("kbd", null, one.key === " " ? t("help.space") : one.show || (one.key.length === 1 ? one.key.toUpperCase() : one.key))),
    el("td", null, one.words),
  );
  const now = words?.() || [];
  openDialog(
    app,
    t("help.title"),
    el(
      "div",
      { class: "help", tabindex: "0", role: "region", "aria-label": t("help.title") },
      el("h3", null, t("look.title")),
      choices(t, "theme", THEMES, (value) => t(`look.${value}`)),
      choices(t, "text", SIZES, (value) => `${value} %`),
      el("h3", null, t("help.now")),
      now.length ? el("table", null, el("tbody", null, now.map(row))) : el("p", null, t("help.none")),
      el("h3", null, t("help.always")),
      el("table", null, el("tbody", null, general.map(row))),
    ),
  );
}
