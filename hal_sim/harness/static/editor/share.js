/* A text as a link: base64url of its bytes after "deal=", in the part of the address that no server sees.

   1. linkOf(text) is the whole address; null where the text has more than MOST bytes.
   2. textOf(part) is the text of "deal=…"; null where that holds none. */

export const MOST = 8192;
const BEGINNING = "deal=";

/** @param {string | undefined} part */
export function isDeal(part) {
  return Boolean(part?.startsWith(BEGINNING));
}

/** @param {string} text */
export function linkOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST) return null;
  const coded = btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
  const safe = coded.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin}${location.pathname}#/harness/${BEGINNING}${safe}`;
}

/** @param {string} part */
export function textOf(part) {
  const coded = part.slice(BEGINNING.length);
  if (!coded || coded.length > (MOST * 4) / 3 + 4) return null;
  try {
    const bytes = Uint8Array.from(atob(coded.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
