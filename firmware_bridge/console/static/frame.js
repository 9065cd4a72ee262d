/* The frame around every page of a console: header with tabs, language and login; short messages; words for who hears.

   1. What stands in the header and in the title of the tab is written by label() and title(), which each console has for
      itself. badge(count) marks the sign of the tab while something is open.
   2. On a narrow or low screen the pages are behind a menu; a press anywhere shuts it.
   3. A message (toast) goes after some seconds or when it is pressed; one that says that something was refused stays
      longer. The newest is lowest, and there are three at most. */

import { byId, el, fill, svg } from "./dom.js";
import { routeNames } from "./router.js";
import { logout } from "./session.js";
import { openHelp } from "./input/keys.js";

const STAYS_MS = { good: 4000, bad: 9000 };
const MOST = 3;
const ICONS = ["/static/style/icon.svg", "/static/style/icon-alarm.svg"];

export class Frame {
  /** @param {BaseApp} app @param {Lang[]} langs */
  constructor(app, langs) {
    this.app = app;
    this.langs = langs;
    this.header = byId("header");
    this.live = byId("live");
    this.toasts = byId("toasts");
    this.game = el("span", { class: "header-game" });
    this.table = el("span", { class: "header-table", "data-test": "table-name" });
    this.marked = 0;
    this.pages = el("nav", { class: "tabs", id: "tabs" });
    this.menu = el("button", { type: "button", class: "icon-button menu", "data-test": "menu", "aria-controls": "tabs", onclick: () => this.openMenu() }, "☰");
    document.addEventListener("click", (event) => event.target !== this.menu && this.openMenu(false));
  }

  here() {
    return byId("page").dataset.route || routeNames()[0];
  }

  label() {}

  title() {}

  draw() {
    const { app } = this;
    const { t } = app;
    byId("skip").textContent = t("shell.skip");
    const here = this.here();
    const tabs = app.session.must_login ? [] : routeNames();
    this.label();
    this.pages.setAttribute("aria-label", t("shell.pages"));
    this.menu.setAttribute("aria-label", t("shell.pages"));
    fill(
      this.pages,
      tabs.map((name) =>
        el(
          "a",
          { href: `#/${name}`, class: "tab", "data-route": name, "aria-current": name === here ? "page" : null },
          t(`nav.${name}`),
        ),
      ),
    );
    this.openMenu(false);
    fill(
      this.header,
      el(
        "span",
        { class: "brand", "aria-hidden": "true" },
        el("span", { class: "brand-sign" }, "♠"),
        el("span", { class: "brand-name" }, "truedeal"),
      ),
      this.table,
      tabs.length > 0 && this.menu,
      this.pages,
      this.game,
      this.person(),
      el(
        "div",
        { class: "langs", role: "group", "aria-label": t("shell.language") },
        this.langs.map((one) =>
          el(
            "button",
            {
              type: "button",
              class: "lang",
              lang: one.html,
              "aria-pressed": String(app.lang === one.code),
              "aria-label": one.name,
              "data-lang": one.code,
              onclick: () => app.setLang(one.code),
            },
            one.short,
          ),
        ),
      ),
      el(
        "button",
        { type: "button", class: "icon-button", "aria-label": t("help.open"), onclick: () => openHelp(app) },
        "?",
      ),
    );
    this.title();
  }

  /* Where there is no room for the tabs they are a list behind the menu. */
  /** @param {boolean} [open] */
  openMenu(open = !this.pages.classList.contains("is-open")) {
    this.pages.classList.toggle("is-open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  person() {
    const { app } = this;
    const { t, session } = app;
    if (!session.roles) return null;
    if (!session.role) {
      return el(
        "button",
        { type: "button", class: "person", "data-test": "login", onclick: () => app.login() },
        t("login.open"),
      );
    }
    const leave = async () => {
      await logout();
      await app.changed();
    };
    return el(
      "button",
      {
        type: "button",
        class: "person person-in",
        "data-test": "logout",
        "aria-label": t("login.leave-named", { name: session.name, role: t(`role.${session.role}`) }),
        onclick: leave,
      },
      el("span", { class: "person-name" }, session.name),
      el("span", { class: "person-role" }, t(`role.${session.role}`)),
      svg(
        "svg",
        { class: "person-leave", viewBox: "0 0 24 24", "aria-hidden": "true" },
        svg("path", { d: "M12 3v9M7 6.500a8 8 0 1 0 10 0" }),
      ),
    );
  }

  /** @param {number} count */
  badge(count) {
    const icon = document.querySelector("link[rel=icon]");
    const wanted = ICONS[count ? 1 : 0];
    if (icon?.getAttribute("href") !== wanted) icon?.setAttribute("href", wanted);
    if (this.marked === count) return;
    this.marked = count;
    // A page that is no app has no badge of its own; its promise fails, which nobody needs to know.
    if (navigator.setAppBadge) (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => null);
  }

  /** @param {string} text */
  announce(text) {
    this.live.append(el("p", null, text));
    while (this.live.childElementCount > 4) this.live.firstElementChild?.remove();
  }

  /** @param {string} text @param {"good" | "bad"} [kind] */
  toast(text, kind = "good") {
    const sign = kind === "bad" ? "⚠" : "✓";
    /** @type {HTMLButtonElement} */
    const node = el(
      "button",
      {
        type: "button",
        class: `toast toast-${kind}`,
        "data-test": "toast",
        "data-kind": kind,
        onclick: () => node.remove(),
      },
      el("span", { class: "toast-sign", "aria-hidden": "true" }, sign),
      el("span", null, text),
    );
    this.toasts.append(node);
    while (this.toasts.childElementCount > MOST) this.toasts.firstElementChild?.remove();
    setTimeout(() => node.remove(), STAYS_MS[kind] || STAYS_MS.good);
  }

  /** @param {string} address */
  style(address) {
    return new Promise((done) => {
      document.head.append(el("link", { rel: "stylesheet", href: address, onload: done, onerror: done }));
    });
  }
}
