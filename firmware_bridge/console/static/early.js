/* What the page asks for before its other modules are there: the session and the texts of the first picture.

   1. It imports nothing, so that it runs as soon as the browser has it. A page names catalogues of its own in
      data-texts of html.
   2. early.session and early.texts are promises; who uses one takes it (takeEarly), so that it is used once only. */

const TEXTS = ["words", "table", "shell", "alarm"].map((name) => `/static/texts/${name}.json`);
const OWN = (document.documentElement.dataset.texts || "").split(" ").filter(Boolean);
/** @type {RequestInit} */
const options = { credentials: "same-origin", headers: { Accept: "application/json" } };

/** @type {{ session: Promise<Response> | null, texts: Promise<Record<string, Record<string, string>>[]> | null }} */
const early = {
  session: fetch("/api/session", options),
  texts: Promise.all(
    [...TEXTS, ...OWN].map((address) => fetch(address).then((answer) => (answer.ok ? answer.json() : {}))),
  ),
};

/** @param {"session" | "texts"} name @returns {any} */
export function takeEarly(name) {
  const found = early[name];
  early[name] = null;
  return found;
}
