/* History: the last rounds, any round by number, time, box, finding or card, and one round step by step.

   #/history is the list with its search (history_list.js), #/history/FIRST the round that began with that event of the
   journal (history_round.js). */

import { mountList } from "./history_list.js";
import { mountRound } from "./history_round.js";

/** @param {HTMLElement} root @param {App} app @param {string[]} [rest] */
export function mount(root, app, rest = []) {
  return rest[0] ? mountRound(root, app, rest[0]) : mountList(root, app);
}
