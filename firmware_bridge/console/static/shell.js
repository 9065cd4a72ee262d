/* The frame of the table's console (frame.js): the table's name, its banner.

   1. The name of the table stands in the header and begins the title of the tab. While an alarm is open the title says
      which, and the sign of the tab is marked.
   2. The banner says what must not be overlooked: server or daemon gone, journal stalled, a program that may begin no
      round. It stays above everything, the Alarm included, until it is over, and while it says that the picture is old
      the page is shown dimmed. A program that nobody has signed is named in the header, beside the game. */

import { byId, el, fill } from "./dom.js";
import { Frame } from "./frame.js";
import { itemsOf } from "./pages/alarm/parts.js";

export class Shell extends Frame {
  /** @param {App} app @param {Lang[]} langs */
  constructor(app, langs) {
    super(app, langs);
    this.app = app;
    this.bar = byId("banner");
    this.said = "";
    this.draw();
  }

  label() {
    this.game.textContent = this.named(this.app.scene);
    this.table.textContent = this.app.scene?.table || "";
  }

  title() {
    const { app } = this;
    const here = this.here();
    const page = here === "login" ? app.t("login.title") : app.t(`nav.${here}`);
    const items = app.session.must_login ? [] : itemsOf(app.scene);
    const named = app.scene?.table ? [app.scene.table] : [];
    const words = items.length ? [`⚠ ${[...named, app.t(`code.${items[0].code}`)].join(": ")}`] : [...named, page];
    const said = [...words, "truedeal"].join(" · ");
    if (document.title !== said) document.title = said;
    this.badge(items.length);
  }

  /** @param {LiveScene} scene */
  scene(scene) {
    if (this.game.textContent !== this.named(scene)) this.game.textContent = this.named(scene);
    if (this.table.textContent !== scene.table) this.table.textContent = scene.table;
    this.title();
  }

  /** @param {LiveScene | null} scene */
  named(scene) {
    const development = scene?.program?.state === "development" ? [this.app.t("shell.development")] : [];
    const open = scene?.roles === false ? [this.app.t("shell.open-table")] : [];
    return [...development, ...open, scene ? this.app.t(`game.${scene.game}`) : ""].join(" · ");
  }

  /** @param {string} away @param {LiveScene | null} scene */
  banner(away, scene) {
    const { t } = this.app;
    const why = scene?.stalled || scene?.program?.wrong || scene?.program?.waits;
    const kind = away || (scene?.stalled ? "stalled" : why ? "program" : "");
    const said = kind ? t(`banner.${kind}`, { why }) : "";
    if (said === this.said) return;
    this.said = said;
    fill(
      this.bar,
      said && el(
        "div",
        { class: "banner-text", "data-test": "banner", "data-kind": kind },
        el("strong", null, "⚠ "),
        said,
      ),
    );
    document.body.classList.toggle("has-banner", Boolean(said));
  }
}
