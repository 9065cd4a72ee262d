/* How the page looks: bright or dark, and how large its text is.

   1. The theme follows the system, unless somebody has chosen one here; the text is as large as they have chosen. Both
      are kept in this browser. html has data-theme ("bright" or "dark") and data-text ("100" to "150").
   2. It imports nothing, so that it runs before anything is drawn.
   3. chosenLook() tells what is chosen, choose(what, value) chooses. */

const THEME = "truedeal.theme";
const TEXT = "truedeal.text";
export const THEMES = ["system", "dark", "bright"];
export const SIZES = ["100", "115", "130", "150"];
const bright = matchMedia("(prefers-color-scheme: light)");

/** @param {string} key @param {string[]} allowed */
function kept(key, allowed) {
  try {
    const found = localStorage.getItem(key) || "";
    return allowed.includes(found) ? found : allowed[0];
  } catch {
    return allowed[0];
  }
}

export function chosenLook() {
  return { theme: kept(THEME, THEMES), text: kept(TEXT, SIZES) };
}

function apply() {
  const { theme, text } = chosenLook();
  const shown = theme === "system" ? (bright.matches ? "bright" : "dark") : theme;
  document.documentElement.dataset.theme = shown;
  document.documentElement.dataset.text = text;
}

/** @param {"theme" | "text"} what @param {string} value */
export function choose(what, value) {
  try {
    localStorage.setItem(what === "theme" ? THEME : TEXT, value);
  } catch {
    /* a browser that keeps nothing follows the system */
  }
  apply();
}

bright.addEventListener("change", apply);
apply();
