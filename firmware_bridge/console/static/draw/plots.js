/* Plots over time, drawn with SVG.

   linePlot({ title, words, series, from, to, unit, lang, t }) → element
   barPlot({ title, words, series, from, to, width, unit, lang, t }) → element
     series   [{ name, points: [{ at: ms, value: number | null }] }]; several bars of one moment stand on each other
     from, to the ends of the window in ms;  width: of a bar, in ms
     unit     (value) => text
     whole    true: the values are counts
     words    what the plot says, in one sentence: it is the text that is read out instead of the picture
   Each element has .close().

   1. The picture is drawn in pixels of its element, and again when that changes its size: text keeps its size.
   2. A series is told from the others by colour and by shape: a line by its dashes and the marks of its points, a bar by
      its pattern. A gap in the values is a gap in the line.
   3. Under the pointer the values of that moment are written below the picture.
   4. The figures stand in a table below, which is opened where it is wanted. */

import { el, fill, svg } from "../dom.js";

const COLOURS = [1, 2, 3, 4, 5, 6].map((number) => `var(--plot-${number})`);
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "4 2", "1 4"];
const PATTERNS = ["", "M0 8L8 0", "M0 4H8", "M4 0V8", "M0 0L8 8M0 8L8 0", "M2 2h2v2H2zM6 6h2v2H6z"];
const HEIGHT = 210;
const PAD = { left: 52, right: 14, top: 12, bottom: 26 };
const HOUR = 3600000;
const STEPS = [5 * 60000, 10 * 60000, 15 * 60000, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
let counted = 0;

/** @param {number} most @param {boolean} [whole] */
function nice(most, whole) {
  if (!(most > 0)) return { top: 1, step: whole ? 1 : 0.5 };
  const raw = whole ? Math.max(1, most / 4) : most / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, whole && power < 10 ? 3 : 2.5, 5].find((one) => one * power >= raw) || 10);
  return { top: step * Math.ceil(most / step), step };
}

/** @param {number} from @param {number} to @param {number} width */
function ticks(from, to, width) {
  const wanted = Math.max(2, Math.floor(width / 90));
  const step = STEPS.find((one) => (to - from) / one <= wanted) || 24 * HOUR;
  const shift = new Date(from).getTimezoneOffset() * 60000;
  const first = Math.ceil((from - shift) / step) * step + shift;
  const found = [];
  for (let at = first; at <= to; at += step) found.push(at);
  return { found, days: step >= 24 * HOUR };
}

/** @param {number} at @param {string} lang @param {boolean} [days] */
function clockOf(at, lang, days = false) {
  const locale = lang === "zh" ? "zh-CN" : "en-GB";
  /** @type {Intl.DateTimeFormatOptions} */
  const options = days ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}

/**
 * @param {PlotOptions & { bars?: boolean, width?: number }} options
 * @param {(geo: PlotGeometry) => Child} draw
 * @param {number} most
 * @returns {Plot}
 */
function plot(options, draw, most) {
  const { series, from, to, unit, lang, t } = options;
  const name = `plot${(counted += 1)}`;
  const picture = svg("svg", { class: "plot-picture", role: "img", "aria-labelledby": `${name}-title ${name}-words` });
  const readout = el("p", { class: "plot-readout", "aria-hidden": "true" });
  const frame = el("div", { class: "plot-frame" }, picture);
  const root = el(
    "figure",
    { class: "plot", "data-test": `plot-${options.name}` },
    el("figcaption", null, el("h3", { id: `${name}-title` }, options.title), el("p", { class: "plot-words", id: `${name}-words` }, options.words)),
    frame,
    legend(series, options.bars),
    readout,
    el("details", { class: "plot-figures" }, el("summary", null, t("plot.table")), figures(options)),
  );
  /** @type {{ width: number, x: (at: number) => number } | null} */
  let geo = null;

  function drawn() {
    const width = Math.round(frame.getBoundingClientRect().width);
    if (width < 60) return;
    const { top, step } = nice(most, options.whole);
    /** @param {number} at */
    const x = (at) => PAD.left + ((at - from) / (to - from)) * (width - PAD.left - PAD.right);
    /** @param {number} value */
    const y = (value) => HEIGHT - PAD.bottom - (value / top) * (HEIGHT - PAD.top - PAD.bottom);
    geo = { width, x };
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.setAttribute("height", String(HEIGHT));
    const lines = [];
    for (let value = 0; value <= top + step / 2; value += step) {
      lines.push(svg("line", { class: "plot-grid", x1: PAD.left, x2: width - PAD.right, y1: y(value), y2: y(value) }));
      lines.push(svg("text", { class: "plot-label", x: PAD.left - 7, y: y(value), "text-anchor": "end" }, unit(value)));
    }
    const { found, days } = ticks(from, to, width - PAD.left - PAD.right);
    for (const at of found) {
      lines.push(svg("line", { class: "plot-tick", x1: x(at), x2: x(at), y1: HEIGHT - PAD.bottom, y2: HEIGHT - PAD.bottom + 5 }));
      lines.push(svg("text", { class: "plot-label", x: Math.min(x(at), width - 20), y: HEIGHT - 9, "text-anchor": "middle" }, clockOf(at, lang, days)));
    }
    const empty = !series.some((one) => one.points.some(({ value }) => value !== null));
    fill(picture, patterns(name), lines, draw({ x, y, name, base: y(0) }), empty && svg("text", { class: "plot-none", x: width / 2, y: HEIGHT / 2, "text-anchor": "middle" }, t("plot.none")), svg("line", { class: "plot-cross", y1: PAD.top, y2: HEIGHT - PAD.bottom, visibility: "hidden" }));
  }

  /** @param {PointerEvent} event */
  function point(event) {
    if (!geo) return;
    const at = from + ((event.clientX - picture.getBoundingClientRect().left - PAD.left) / (geo.width - PAD.left - PAD.right)) * (to - from);
    const moments = [...new Set(series.flatMap((one) => one.points.map((each) => each.at)))];
    if (!moments.length) return;
    const middle = (options.width || 0) / 2;
    const near = moments.reduce((best, each) => (Math.abs(each + middle - at) < Math.abs(best + middle - at) ? each : best));
    const cross = picture.lastElementChild;
    const across = String(geo.x(near + middle));
    cross?.setAttribute("x1", across);
    cross?.setAttribute("x2", across);
    cross?.setAttribute("visibility", "visible");
    const values = series.flatMap((one) => {
      const value = one.points.find((each) => each.at === near)?.value;
      return value === undefined || value === null || (options.bars && value === 0) ? [] : [`${one.name} ${unit(value)}`];
    });
    fill(readout, `${clockOf(near, lang)}: ${values.join(", ") || "–"}`);
  }

  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  const watch = new ResizeObserver(drawn);
  watch.observe(frame);
  return Object.assign(root, { close: () => watch.disconnect() });
}

/** @param {string} name */
function patterns(name) {
  return svg(
    "defs",
    null,
    PATTERNS.map((path, index) =>
      svg("pattern", { id: `${name}-${index}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" }, svg("rect", { width: 8, height: 8, fill: COLOURS[index] }), path && svg("path", { d: path, stroke: "var(--ground)", "stroke-width": 2, fill: index === 5 ? "var(--ground)" : "none" })),
    ),
  );
}

/** @param {number} index @param {number} x @param {number} y */
function mark(index, x, y) {
  const shapes = [
    () => svg("circle", { cx: x, cy: y, r: 3 }),
    () => svg("rect", { x: x - 3, y: y - 3, width: 6, height: 6 }),
    () => svg("path", { d: `M${x} ${y - 4}l4 7h-8z` }),
    () => svg("path", { d: `M${x} ${y - 4}l4 4-4 4-4-4z` }),
    () => svg("path", { d: `M${x} ${y + 4}l4-7h-8z` }),
    () => svg("path", { d: `M${x - 1} ${y - 4}h2v3h3v2h-3v3h-2v-3h-3v-2h3z` }),
  ];
  const node = shapes[index % shapes.length]();
  node.setAttribute("fill", COLOURS[index % COLOURS.length]);
  return node;
}

/** @param {Series[]} series @param {boolean} [bars] */
function legend(series, bars) {
  if (series.length < 2) return null;
  const id = `legend${(counted += 1)}`;
  /** @param {number} index */
  const sign = (index) =>
    bars
      ? svg("svg", { class: "plot-sign", viewBox: "0 0 26 14", "aria-hidden": "true" }, patterns(id), svg("rect", { width: 26, height: 14, fill: `url(#${id}-${index % COLOURS.length})` }))
      : svg("svg", { class: "plot-sign", viewBox: "0 0 26 14", "aria-hidden": "true" }, svg("line", { x1: 0, x2: 26, y1: 7, y2: 7, stroke: COLOURS[index % COLOURS.length], "stroke-width": 2.5, "stroke-dasharray": DASHES[index % DASHES.length] }), mark(index, 13, 7));
  return el("ul", { class: "plot-legend" }, series.map((one, index) => el("li", null, sign(index), one.name)));
}

/** @param {PlotOptions} options */
function figures({ series, unit, lang, t }) {
  const moments = [...new Set(series.flatMap((one) => one.points.map((point) => point.at)))].sort((one, other) => one - other);
  /** @param {Series} one @param {number} at */
  const value = (one, at) => one.points.find((point) => point.at === at)?.value;
  /** @param {number | null | undefined} found */
  const withUnit = (found) => (found === undefined || found === null ? "–" : unit(found));
  return el(
    "div",
    { class: "scroll-x plot-scroll", tabindex: "0", role: "region", "aria-label": t("plot.table") },
    el(
      "table",
      { class: "plain-table" },
      el("thead", null, el("tr", null, el("th", { scope: "col" }, t("plot.time")), series.map((one) => el("th", { scope: "col", class: "number" }, one.name)))),
      el("tbody", null, moments.map((at) => el("tr", null, el("th", { scope: "row" }, `${clockOf(at, lang, true)} ${clockOf(at, lang)}`), series.map((one) => el("td", { class: "number" }, withUnit(value(one, at))))))),
    ),
  );
}

/** @param {PlotOptions} options */
export function linePlot(options) {
  const most = Math.max(0, ...options.series.flatMap((one) => one.points.map((point) => point.value ?? 0)));
  const draw = (/** @type {PlotGeometry} */ { x, y }) =>
    options.series.map((one, index) => {
      let path = "";
      let open = false;
      for (const { at, value } of one.points) {
        if (value === null || value === undefined) open = false;
        else {
          path += `${open ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
          open = true;
        }
      }
      const known = one.points.filter(({ value }) => value !== null && value !== undefined);
      return svg(
        "g",
        null,
        svg("path", { d: path || "M0 0", class: "plot-line", stroke: COLOURS[index % COLOURS.length], "stroke-dasharray": DASHES[index % DASHES.length] }),
        known.length <= 80 && known.map(({ at, value }) => mark(index, x(at), y(value || 0))),
      );
    });
  return plot(options, draw, most);
}

/** @param {BarOptions} options */
export function barPlot(options) {
  const sums = new Map();
  for (const one of options.series) for (const { at, value } of one.points) sums.set(at, (sums.get(at) || 0) + (value || 0));
  const draw = (/** @type {PlotGeometry} */ { x, y, name, base }) => {
    const heights = new Map();
    /** @type {SVGElement[]} */
    const bars = [];
    options.series.forEach((one, index) => {
      for (const { at, value } of one.points) {
        if (!value) continue;
        const below = heights.get(at) || 0;
        heights.set(at, below + value);
        const [left, right] = [Math.max(PAD.left, x(at)), x(Math.min(options.to, at + options.width))];
        const high = base - y(value);
        bars.push(svg("rect", { class: "plot-bar", x: left + 1, width: Math.max(1.5, right - left - 2), y: y(below + value), height: high, fill: `url(#${name}-${index % COLOURS.length})` }));
      }
    });
    return bars;
  };
  return plot({ ...options, bars: true }, draw, Math.max(0, ...sums.values()));
}
