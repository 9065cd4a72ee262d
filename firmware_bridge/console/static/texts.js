/* The catalogue of texts.

   1. A file texts/NAME.json holds { key: { "en": …, "zh": … } }. Those of the shell, the Table and the Alarm are
      loaded before anything is drawn (early.js), those of another page with it (addTexts).
   2. t(key, values) is the text in the language that is set, with {name} replaced by values.name. A key that is
      missing gives itself, and says so once in the browser's log.
   3. The language is what was chosen last in this browser, else what the server says, else English.
   4. english(key) is the text in English whatever is set: for what goes into the journal.
   5. has(key) tells whether there is such a text: for words that only the daemon knows. */

import { takeEarly } from "./early.js";

const KEPT = "truedeal.lang";
export const LANGS = [
  { code: "en", html: "en", name: "English", short: "EN" },
  { code: "zh", html: "zh-Hans", name: "简体中文", short: "中文" },
];

/** @type {Map<string, Record<string, string>>} */
const catalogue = new Map();
const missing = new Set();
let lang = "en";

/** @param {unknown} code */
function known(code) {
  return LANGS.some((one) => one.code === code);
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string} address */
async function file(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return;
    for (const [key, text] of Object.entries(await answer.json())) catalogue.set(key, text);
  } catch {
    console.warn("texts not loaded:", address);
  }
}

export async function firstTexts() {
  for (const texts of await takeEarly("texts")) {
    for (const [key, text] of Object.entries(texts)) catalogue.set(key, text);
  }
}

/** @param {string[]} addresses */
export async function addTexts(addresses) {
  await Promise.all(addresses.map(file));
}

/** @param {string | undefined} fromServer */
export function startLang(fromServer) {
  setLang(known(kept()) ? kept() : known(fromServer) ? fromServer : "en", false);
}

/** @param {string | null | undefined} code @param {boolean} [keep] */
export function setLang(code, keep = true) {
  const found = LANGS.find((one) => one.code === code) || LANGS[0];
  lang = found.code;
  document.documentElement.lang = found.html;
  if (!keep) return;
  try {
    localStorage.setItem(KEPT, lang);
  } catch {
    /* a browser that keeps nothing asks again next time */
  }
}

export function currentLang() {
  return lang;
}

/** @param {string} key */
export function has(key) {
  return catalogue.has(key);
}

/** @param {string} key */
export function english(key) {
  return catalogue.get(key)?.en ?? key;
}

/** @param {string} key @param {Record<string, unknown>} [values] */
export function t(key, values = {}) {
  const entry = catalogue.get(key);
  if (!entry) {
    if (!missing.has(key)) console.warn("no text:", key);
    missing.add(key);
    return key;
  }
  const text = entry[lang] ?? entry.en;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
