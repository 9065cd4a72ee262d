/* History: the last rounds, a search whose words stand in the address, and one round step by step.

   #/history?SEARCH is the list (history/list.js), #/history/KEY/STEP a round (history/round.js): its key as every
   export has it, and the number of a step, "first-finding" or "last-finding". */

import { mountList } from "./history/list.js";
import { mountRound } from "./history/round.js";

/** @param {HTMLElement} root @param {App} app @param {string[]} [rest] @param {Record<string, string>} [query] */
export function mount(root, app, rest = [], query = {}) {
  return rest[0] ? mountRound(root, app, rest[0], rest[1]) : mountList(root, app, query);
}
