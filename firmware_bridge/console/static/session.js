/* Asking the server, and who is logged in here.

   1. get(path) gives the JSON of a GET; what is not ok is thrown as ServerError with its status.
   2. say(statement), clear(n, code, reason), note(key, said) and post(path, body) carry the session's token and a fresh id, so that a request
      can be neither forged nor repeated. Their answer is always an object: { ok } or { refused } or { error }, never an
      exception: a refusal is an answer, and the reason is for people. Where the session has ended it is
      { error, ended: true }.
   3. session.now holds { roles, name, role, token, must_login, extras, version, lang, badge }; refresh() asks for it again.
   4. may(roles) tells whether the role that is logged in is one of these or a higher one. It is for showing only:
      the daemon decides. */

import { takeEarly } from "./early.js";

const LADDER = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"];
export const READS_ONLY = "surveillance";

export class ServerError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @type {{ now: PageSession }} */
export const session = {
  now: { roles: false, name: null, role: null, token: "", must_login: false, extras: [], version: "", lang: "", badge: "" },
};

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  const asked = path === "/api/session" ? takeEarly("session") : null;
  const answer = await (asked || fetch(path, { headers: { Accept: "application/json" }, credentials: "same-origin" }));
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServerError(answer.status, body.error || body.refused || answer.statusText);
  return body;
}

export async function refresh() {
  session.now = await get("/api/session");
  return session.now;
}

export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} path @param {object} [body] @returns {Promise<Answer>} */
export async function post(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-Truedeal-Token": session.now.token || "" },
      body: JSON.stringify(body),
    });
    const said = await answer.json().catch(() => ({}));
    if (answer.status === 401) return { error: "", ...said, ended: true };
    if (!answer.ok && !said.refused) return { error: answer.statusText || String(answer.status), ...said };
    return said;
  } catch {
    return { error: "", unreachable: true };
  }
}

/** @param {string} statement */
export function say(statement) {
  return post("/api/say", { id: freshId(), statement });
}

/** @param {string} statement */
export function askWhy(statement) {
  return post("/api/why", { id: freshId(), statement });
}

/** @param {number} n @param {string} code @param {string} reason */
export function clear(n, code, reason) {
  return post("/api/clear", { id: freshId(), n, code, reason });
}

/** @param {string} key @param {{ text?: string, bookmark?: boolean }} said */
export function note(key, said) {
  return post("/api/note", { id: freshId(), key, ...said });
}

/** @param {string} name @param {string} pin @param {string | null} [fresh] @param {boolean} [move] */
export async function login(name, pin, fresh = null, move = false) {
  const answer = await post("/api/login", { name, pin, new: fresh, keep: !move });
  if (answer.ok || answer.role) await refresh();
  return answer;
}

export async function logout() {
  session.now = { ...session.now, name: null, role: null };
  const answer = await post("/api/logout");
  await refresh().catch(() => null);
  return answer;
}

/** @param {string[] | null} [roles] */
export function may(roles) {
  if (!session.now.roles) return true;
  const role = session.now.role;
  if (!role) return false;
  return (roles || []).some((wanted) => {
    const [have, need] = [LADDER.indexOf(role), LADDER.indexOf(wanted)];
    return have >= 0 && need >= 0 ? have >= need : role === wanted;
  });
}
