/* Logging in: as a page of its own, as a dialog, and within the Alarm.

   1. loginPanel(app, { roles, ondone }) is a form with name, PIN and keys on the screen. `roles` says who is needed.
   2. A PIN is kept nowhere: the field is emptied as soon as it is sent, whatever the answer. The last names that logged
      in here are offered as buttons, so that at the table only the PIN has to be typed.
   3. A refusal stands under the fields, in the daemon's words. Where it asks for a new PIN, two more fields come. */

import { el, fill } from "../dom.js";
import { login } from "../session.js";
import { openDialog } from "../keys.js";
import { keypad } from "./keypad.js";

const KEPT = "truedeal.names";
const MOST = 3;
let counter = 0;

/** @returns {string[]} */
function names() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) || "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** @param {string} name */
function keep(name) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([name, ...names().filter((one) => one !== name)].slice(0, MOST)));
  } catch {
    /* a browser that keeps nothing asks for the name again */
  }
}

/** @param {string[] | undefined} roles @param {Translate} t */
export function roleWords(roles, t) {
  return (roles || []).map((role) => t(`role.${role}`)).join(t("login.or"));
}

/** @param {App} app @param {{ roles?: string[], ondone?: () => unknown }} [options] */
export function loginPanel(app, { roles, ondone } = {}) {
  const { t } = app;
  const id = `login${(counter += 1)}`;
  const pad = keypad(t);
  /** @type {HTMLInputElement} */
  const name = el(
    "input",
    {
      id: `${id}-name`,
      class: "field",
      name: "name",
      autocomplete: "username",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 100,
      required: true,
      onfocus: () => pad.use(name, true),
    },
  );
  /** @param {string} what @param {string} autocomplete */
  function secretField(what, autocomplete) {
    /** @type {HTMLInputElement} */
    const field = el("input", {
      id: `${id}-${what}`,
      class: "field",
      name: what,
      type: "password",
      autocomplete,
      inputmode: "none",
      maxlength: 64,
      onfocus: () => pad.use(field, false),
    });
    return field;
  }
  const pin = secretField("pin", "current-password");
  const fresh = secretField("new", "new-password");
  const again = secretField("again", "new-password");
  const renewal = el(
    "div",
    { class: "login-renewal", hidden: true, "data-test": "login-renewal" },
    el("label", { for: fresh.id }, t("login.new")),
    fresh,
    el("label", { for: again.id }, t("login.again")),
    again,
  );
  const said = el("p", { class: "login-said", role: "alert" });
  const enter = el(
    "button",
    { type: "submit", class: "command login-enter", "data-test": "login-enter" },
    el("span", { class: "command-word" }, t("login.enter")),
  );

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const [who, secret] = [name.value.trim(), pin.value];
    if (!who || !secret || enter.disabled) return (who ? pin : name).focus();
    const [chosen, repeated] = [fresh.value, again.value];
    for (const field of [pin, fresh, again]) field.value = "";
    if (chosen !== repeated) {
      fill(said, "⚠ ", t("login.differ"));
      return pin.focus();
    }
    enter.disabled = true;
    fill(said, t("login.wait"));
    const answer = await login(who, secret, chosen || null);
    enter.disabled = false;
    renewal.hidden = !answer.renew;
    if (answer.ok || answer.role) {
      keep(who);
      fill(said);
      await app.changed();
      if (answer.warning) app.toast(answer.warning, "bad");
      app.announce(t("login.welcome", { name: app.session.name, role: t(`role.${app.session.role}`) }));
      ondone?.();
    } else {
      fill(said, "⚠ ", answer.refused || answer.error || t("shell.unreachable"));
      pin.focus();
    }
  }

  const known = names().map((one) =>
    el("button", { type: "button", class: "known", onclick: () => ((name.value = one), pin.focus()) }, one),
  );
  const form = el(
    "form",
    { class: "login", "data-test": "login-form", onsubmit: submit },
    el(
      "div",
      { class: "login-fields" },
      roles?.length ? el("p", { class: "login-needs" }, t("login.needs", { roles: roleWords(roles, t) })) : null,
      el("label", { for: name.id }, t("login.name")),
      name,
      known.length > 0 && el("div", { class: "login-known" }, known),
      el("label", { for: pin.id }, t("login.pin")),
      pin,
      renewal,
      said,
    ),
    el("div", { class: "login-keys" }, pad, enter),
  );
  pad.use(names().length ? pin : name, !names().length);
  if (names().length) name.value = names()[0];
  return Object.assign(form, { start: () => (name.value ? pin : name).focus() });
}

/** @param {App} app @param {string[]} [roles] */
export function openLogin(app, roles) {
  const panel = loginPanel(app, { roles, ondone: () => close() });
  const close = openDialog(app, app.t("login.title"), panel, { class: "dialog-login" });
  panel.start();
}

/** @param {HTMLElement} root @param {App} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const panel = loginPanel(app);
  root.append(
    el("div", { class: "login-page" }, el("h1", null, "truedeal"), el("p", null, t("login.first")), panel),
  );
  panel.start();
  return {};
}
