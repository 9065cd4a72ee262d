/* Small signs, drawn, so that they look the same whatever fonts a computer has. icon(name) is hidden from people who hear. */

import { svg } from "/static/dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  power: "M12 3v9M6.5 6.5a8 8 0 1 0 11 0",
  key: "M14 10a4.5 4.5 0 1 0-3.2 4.3L13 16.500h2V19h2.500v2H21v-3.500L13.900 10.400",
  plug: "M8 3v5M16 3v5M5 8h14v3a7 7 0 0 1-14 0zM12 18v4",
  unplug: "M8 3v5M16 3v5M5 8h14v3a7 7 0 0 1-14 0zM12 18v4M3 21L21 3",
  save: "M12 3v12M7 10l5 5 5-5M4 20h16",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4",
  lock: "M6 11h12v10H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  play: "M7 4l13 8-13 8z",
  pause: "M7 4v16M17 4v16",
  step: "M6 4l10 8-10 8zM19 4v16",
  again: "M5 5v5h5M5.500 10a8 8 0 1 1-1 5",
};

/** @param {string} name */
export function icon(name) {
  return svg(
    "svg",
    { class: `h-icon h-icon-${name}`, viewBox: "0 0 24 24", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
