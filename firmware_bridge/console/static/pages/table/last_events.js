/* The last events of the table, the newest above: beside the picture on a desk.

   1. lastEvents(app) → { root, seen(news) }. The words are those of History, and are loaded with the first event.
   2. What was refused is left out, and so is a card that leaves the shoe: where it is laid follows. News name no card,
      since not every page may know it; the picture shows which one it is.
   3. Only what is heard while the page is open is told: the past is in History. */

import { el, fill } from "../../dom.js";
import { placeName } from "../../draw/places.js";
import { addTexts } from "../../texts.js";
import { clock } from "../alarm/parts.js";
import { eventWords } from "../event_words.js";

const MOST = 12;
const WORDS = "/static/texts/history.json";

/** @param {App} app */
export function lastEvents(app) {
  const { t } = app;
  const root = el("ol", { class: "last-events", "data-test": "last-events" });
  /** @type {{ at: string, event: string }[]} */
  const heard = [];
  /** @type {Promise<unknown> | null} */
  let loaded = null;

  /** @param {string} event */
  function worded(event) {
    const [verb, card, place] = event.split(" ");
    return verb === "lay" && card === "??" ? t("table.card-laid", { place: placeName(place, t) }) : eventWords(event, t);
  }

  function draw() {
    fill(root, heard.map(({ at, event }) => el("li", null, el("time", null, at), worded(event))));
  }

  return {
    root,
    /** @param {SeenNews} news */
    async seen({ event, refused }) {
      if (refused || /^draw\b/.test(event)) return;
      heard.unshift({ at: clock(new Date().toISOString()), event });
      heard.splice(MOST);
      loaded ||= addTexts([WORDS]);
      await loaded;
      draw();
    },
  };
}
