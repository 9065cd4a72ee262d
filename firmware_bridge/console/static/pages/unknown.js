/* An address that is no page of the console. */

import { el } from "../dom.js";

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  root.append(
    el(
      "div",
      { class: "unknown-page", "data-test": "unknown" },
      el("h1", null, t("unknown.title")),
      el("p", null, t("unknown.words", { address: `${location.pathname}${location.hash}`.slice(0, 100) })),
      el("p", null, el("a", { href: "/#/table" }, t("unknown.table"))),
    ),
  );
  return {};
}
