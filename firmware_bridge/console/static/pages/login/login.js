/* Logging in: as a page of its own, as a dialog, and within the Alarm.

   1. loginPanel(app, { roles, ondone, name }) is a form with name, PIN and keys on the screen. `roles` says who is
      needed, `name` who it is, as a badge tells it.
   2. A PIN is kept nowhere: the field is emptied as soon as it is sent, whatever the answer. Only an offer to move a
      login has it, until it is taken or something else is pressed. At the table's own screen
      those on duty are offered as buttons, by initials and staff number, so that only the PIN has to be typed.
   3. A refusal stands under the fields (refusals.js). Where it asks for a new PIN, two more fields come. Who is
      logged in elsewhere is told where, and may move the login here. */

import { el, fill } from "../../dom.js";
import { login } from "../../session.js";
import { openDialog } from "../../input/keys.js";
import { refusalWords } from "../../refusals.js";
import { keypad } from "./keypad.js";

let counter = 0;

/** @param {string[] | undefined} roles @param {Translate} t */
export function roleWords(roles, t) {
  return (roles || []).map((role) => t(`role.${role}`)).join(t("login.or"));
}

/** @param {BaseApp} app @param {{ roles?: string[], ondone?: () => unknown, name?: string }} [options] */
export function loginPanel(app, { roles, ondone, name: told = "" } = {}) {
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

  const move = el(
    "button",
    { type: "button", class: "command login-move", hidden: true, "data-test": "login-move", onclick: () => send(true) },
    el("span", { class: "command-word" }, t("login.move")),
  );
  let proved = ""; // the PIN of an offer to move, until it is taken or anything else is pressed

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    proved = "";
    return send(false);
  }

  /** @param {boolean} moves */
  async function send(moves) {
    const [who, secret] = [name.value.trim(), moves ? proved : pin.value];
    proved = "";
    move.hidden = true;
    if (!who || !secret || enter.disabled) return (who ? pin : name).focus();
    const [chosen, repeated] = [fresh.value, again.value];
    for (const field of [pin, fresh, again]) field.value = "";
    if (chosen !== repeated) {
      fill(said, "⚠ ", t("login.differ"));
      return pin.focus();
    }
    enter.disabled = true;
    fill(said, t("login.wait"));
    const answer = await login(who, secret, chosen || null, moves);
    enter.disabled = false;
    renewal.hidden = !answer.renew;
    if (answer.ok || answer.role) {
      fill(said);
      await app.changed();
      if (answer.warning) app.toast(refusalWords({ refused: answer.warning, refusal: answer.warned }, app), "bad");
      app.announce(t("login.welcome", { name: app.session.name, role: t(`role.${app.session.role}`) }));
      ondone?.();
    } else if (answer.elsewhere) {
      proved = secret;
      move.hidden = false;
      fill(said, "⚠ ", t("login.elsewhere", { place: answer.elsewhere }));
      move.focus();
    } else {
      fill(said, "⚠ ", refusalWords(answer, app) || answer.error || t("shell.unreachable"));
      pin.focus();
    }
  }

  const known = el("div", { class: "login-known", role: "group", "aria-label": t("login.duty"), hidden: true });
  /** @param {string} number */
  const choose = (number) => {
    name.value = number;
    pad.use(pin, false);
    pin.focus();
  };

  async function offer() {
    const answer = await app.get("/api/duty").catch(() => null);
    const people = answer?.people || [];
    known.hidden = !people.length;
    fill(
      known,
      people.map((/** @type {DutyPerson} */ one) =>
        el(
          "button",
          { type: "button", class: "known", "data-test": "on-duty", "data-number": one.number, onclick: () => choose(one.number) },
          el("strong", null, one.initials),
          ` ${one.number}`,
        ),
      ),
    );
  }

  const form = el(
    "form",
    { class: "login", "data-test": "login-form", onsubmit: submit },
    el(
      "div",
      { class: "login-fields" },
      roles?.length ? el("p", { class: "login-needs" }, t("login.needs", { roles: roleWords(roles, t) })) : null,
      el("label", { for: name.id }, t("login.name")),
      name,
      known,
      el("label", { for: pin.id }, t("login.pin")),
      pin,
      renewal,
      said,
    ),
    el("div", { class: "login-keys" }, pad, enter, move),
  );
  name.value = told;
  pad.use(told ? pin : name, !told);
  offer();
  return Object.assign(form, { start: () => (name.value ? pin : name).focus() });
}

/** @param {BaseApp} app @param {string[]} [roles] @param {string} [name] */
export function openLogin(app, roles, name) {
  const panel = loginPanel(app, { roles, name, ondone: () => close() });
  const close = openDialog(app, app.t("login.title"), panel, { class: "dialog-login" });
  panel.start();
}

/** @param {HTMLElement} root @param {BaseApp} app @returns {Page} */
export function mount(root, app) {
  const { t } = app;
  const panel = loginPanel(app);
  root.append(
    el("div", { class: "login-page" }, el("h1", null, "truedeal"), el("p", null, t("login.first")), panel),
  );
  panel.start();
  return {};
}
