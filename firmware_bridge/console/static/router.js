/* Where the page is: the part of the address after "#/".

   1. "#/history/120" is { name: "history", rest: ["120"] }; anything unknown is the Table.
   2. askedRoute() is the name that the address has, known or not.
   3. watchRoute(fn) calls fn(route) at once and whenever the address changes. */

export const ROUTES = ["table", "history", "health", "games"];
const extra = new Set();

/** @param {string} name */
export function addRoute(name) {
  extra.add(name);
}

export function routeNames() {
  return [...ROUTES, ...extra];
}

function parts() {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

export function askedRoute() {
  return parts()[0] || "table";
}

/** @returns {Route} */
export function currentRoute() {
  const asked = parts();
  const name = routeNames().includes(asked[0]) ? asked[0] : "table";
  return { name, rest: name === asked[0] ? asked.slice(1) : [] };
}

/** @param {string} route */
export function go(route) {
  location.hash = `#/${String(route).replace(/^#?\/?/, "")}`;
}

/** @param {(route: Route) => unknown} fn */
export function watchRoute(fn) {
  window.addEventListener("hashchange", () => fn(currentRoute()));
  fn(currentRoute());
}
