/* Where the page is: the part of the address after "#/".

   1. "#/history/KEY/12?box=3" is { name: "history", rest: ["KEY", "12"], query: { box: "3" } }. Nothing after "#/" is
      the first page. What is no page is "unknown", and so is every path but "/". useRoutes(names) says which pages
      there are; those of the table's console otherwise.
   2. An address that only names a place of this page ("#page") changes nothing.
   3. askedRoute() is the name that the address has, known or not.
   4. watchRoute(fn) calls fn(route) at once and whenever the address changes. */

let routes = ["table", "history", "health", "games"];
export const UNKNOWN = "unknown";
const extra = new Set();
let asked = "";

/** @param {string[]} names */
export function useRoutes(names) {
  routes = names;
}

/** @param {string} name */
export function addRoute(name) {
  extra.add(name);
}

export function routeNames() {
  return [...routes, ...extra];
}

function address() {
  if (location.hash.startsWith("#/") || !location.hash) asked = location.hash.slice(2);
  const [path, query = ""] = asked.split("?");
  return { parts: path.split("/").filter(Boolean).map(decoded), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function askedRoute() {
  return address().parts[0] || routes[0];
}

/** @returns {Route} */
export function currentRoute() {
  const { parts, query } = address();
  const name = parts[0] || routes[0];
  const known = location.pathname === "/" && routeNames().includes(name);
  return { name: known ? name : UNKNOWN, rest: parts.slice(1), query };
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
