/* Making elements.

   1. el(tag, props, ...children) makes an HTML element, svg(tag, props, ...children) one of SVG.
      props: "class", any attribute by its name ("aria-label", "data-place"), on… functions as listeners ("onclick"),
      "style" as an object ({ left: "3px" }), set by CSSOM so that the content policy allows it.
      null, undefined and false leave an attribute out; true writes it without a value.
   2. Children are nodes, texts, numbers, or lists of them; null, undefined and false are left out.
   3. Text becomes a text node always: nothing that comes from the table is ever read as HTML.
   4. fill(node, ...children) replaces what a node holds.
   5. byId(id) is an element that index.html has. focusOn(node) gives it the focus, if it is still in the page, and
      tells whether it could. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {HTMLElement | SVGElement} node @param {Props} [props] */
function dress(node, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Node & ParentNode} node @param {Child[]} children */
function add(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  dress(node, props);
  add(node, children);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  dress(node, props);
  add(node, children);
  return node;
}

/** @template {Node & ParentNode} N @param {N} node @param {...Child} children @returns {N} */
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {Element | null} node */
export function focusOn(node) {
  if (!(node instanceof HTMLElement || node instanceof SVGElement) || !node.isConnected) return false;
  node.focus();
  return true;
}
