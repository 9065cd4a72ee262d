/* The page of the floor: it joins session, stream, texts and pages.

   1. A page module exports mount(root, app, rest, query) → { tiles(changed, gone), keys(), close() }, all optional.
   2. app is what a page of any console is given (BaseApp), and
        tiles                   Map of the tables by name;  casino
        takeUp(tile, alarm)     somebody takes up an alarm
        style(address)          loads a sheet once
   3. An alarm that nobody has taken up in a minute sounds (tone.js) and marks the sign of the tab; the title says how
      many there are. Whether that is so is looked at every second, with the ages.
   4. The banner says when server, broker or archive are gone.
   5. What the first picture does not need is loaded after it: the login, the words of refusals, the other pages. The
      stream is opened before the texts are there: the first tiles wait for them, not they for it. */

import { LANGS, addTexts, currentLang, firstTexts, has, setLang, startLang, t } from "/static/texts.js";
import { READS_ONLY, freshId, get, may, post, refresh, session } from "/static/session.js";
import { currentRoute, go, routeNames, useRoutes, watchRoute } from "/static/router.js";
import { byId, el, fill } from "/static/dom.js";
import { openStream } from "/static/stream.js";
import { Frame } from "/static/frame.js";
import { Tone } from "/static/tone.js";
import { listenKeys } from "/static/input/keys.js";
import { setCentre, tickAges } from "./ages.js";
import { isLoud } from "./tile.js";
import { mount as pitPage } from "./pages/pit.js";

const TICK_MS = 1000;
const styles = new Set();
/** @type {PitPage | null} */
let page = null;
/** @type {{ close: () => void } | null} */
let stream = null;
/** @type {PitFrame} */
let frame;
let lost = false;
let centre = { broker: true, archive: true };
/** @type {PitNews | null} */
let waiting = null;

class PitFrame extends Frame {
  /** @param {PitApp} pit @param {Lang[]} langs */
  constructor(pit, langs) {
    super(pit, langs);
    this.pit = pit;
    this.draw();
  }

  label() {
    this.table.textContent = app.casino;
    const elsewhere = app.session.accounts && !app.session.role;
    fill(this.game, app.tone?.control, elsewhere && el("a", { class: "accounts", href: "/oidc/begin", "data-test": "accounts" }, t("pit.accounts")));
  }

  title() {
    const loud = app.session.must_login ? [] : [...app.tiles.values()].flatMap((tile) => tile.alarms).filter(isLoud);
    const where = app.session.must_login ? t("login.title") : t(`nav.${this.here()}`);
    const said = [loud.length ? `⚠ ${t("pit.title", { count: loud.length })}` : where, app.casino, "truedeal"].filter(Boolean).join(" · ");
    if (document.title !== said) document.title = said;
    this.badge(loud.length);
    app.tone?.update(loud.length > 0);
  }

  banner() {
    const kind = lost ? "lost" : !centre.broker ? "broker" : !centre.archive ? "archive" : "";
    fill(byId("banner"), kind && el("div", { class: "banner-text", "data-test": "banner", "data-kind": kind }, el("strong", null, "⚠ "), t(`pit.banner-${kind}`)));
    document.body.classList.toggle("has-banner", Boolean(kind));
    document.body.classList.toggle("stale", lost || !centre.broker);
  }
}

/** @type {PitApp} */
export const app = {
  t,
  has,
  tiles: new Map(),
  casino: "",
  tone: null,
  get lang() {
    return currentLang();
  },
  get session() {
    return session.now;
  },
  get readsOnly() {
    return session.now.roles && session.now.role === READS_ONLY;
  },
  get,
  post,
  freshId,
  go,
  may,
  announce: (text) => frame.announce(text),
  toast: (text, kind) => frame.toast(text, kind),
  report(answer) {
    if (answer.ok) return true;
    if (answer.ended) app.toast(t("shell.ended"), "bad");
    else if (answer.unreachable) app.toast(t("pit.unreachable"), "bad");
    else if (answer.refused) refusal(answer).then((why) => app.toast(t("shell.refused", { why }), "bad"));
    else app.toast(t("shell.error", { why: [answer.error, answer.remedy].filter(Boolean).join(". ") }), "bad");
    return false;
  },
  setLang(code) {
    setLang(code);
    frame.draw();
    app.tone?.draw();
    frame.banner();
    show(currentRoute());
  },
  login: async (roles, name) => (await loginModule()).openLogin(app, roles, name),
  async changed() {
    await refresh().catch(() => null);
    frame.draw();
    if (session.now.must_login) stream?.close();
    else listen();
    if (page?.must !== session.now.must_login) await show(currentRoute());
  },
  async takeUp(tile, alarm) {
    const answer = await post("/api/take-up", { id: freshId(), table: tile.name, journal: alarm.journal, n: alarm.n, code: alarm.code });
    if (answer.ended) await app.changed();
    if (!app.report(answer) && answer.login) app.login();
  },
  style(address) {
    if (styles.has(address)) return;
    styles.add(address);
    frame.style(address);
  },
};

function loginModule() {
  return import("/static/pages/login/login.js");
}

/** @param {Answer} answer */
async function refusal(answer) {
  const { REFUSALS, refusalWords } = await import("/static/refusals.js");
  await addTexts([REFUSALS]);
  return refusalWords(answer, app);
}

/** @param {Route} route */
async function show(route) {
  const root = byId("page");
  const must = Boolean(session.now.must_login);
  let found = null;
  try {
    found = must ? await loginModule() : route.name === "pit" ? { mount: pitPage } : await import(`./pages/${route.name}.js`);
  } catch (error) {
    console.error(error);
  }
  if (currentRoute().name !== route.name && !must) return;
  page?.close?.();
  root.replaceChildren();
  root.dataset.route = must ? "login" : route.name;
  frame.draw();
  page = { must, ...(found ? found.mount(root, app, route.rest, route.query) : null) };
  if (!found) root.append(t(routeNames().includes(route.name) ? "shell.no-page" : "unknown.title"));
}

/** @param {TilesNews | PitNews} news @param {string[]} gone */
function arrived(news, gone) {
  setCentre(news.now_ms);
  for (const name of gone) app.tiles.delete(name);
  for (const tile of news.tiles) app.tiles.set(tile.name, tile);
  page?.tiles?.(news.tiles, gone);
  frame.title();
}

function listen() {
  stream?.close();
  stream = openStream({
    pit(news) {
      if (!frame) {
        waiting = news;
        return;
      }
      welcome(news);
    },
    tiles: (news) => frame && arrived(news, news.gone),
    centre(news) {
      centre = news;
      frame?.banner();
    },
    lost() {
      lost = true;
      frame?.banner();
    },
    reached: () => refresh().then(() => frame?.draw(), () => null),
    async session(news) {
      if (session.now.role && news.ended) app.toast(t("shell.ended-why", { why: await refusal({ refused: news.ended, refusal: news.refusal }) }), "bad");
      app.changed();
    },
  });
}

/** @param {PitNews} news */
function welcome(news) {
  const names = new Set(news.tiles.map((tile) => tile.name));
  app.casino = news.casino;
  centre = { broker: news.broker, archive: news.archive };
  lost = false;
  frame.label();
  frame.banner();
  arrived(news, [...app.tiles.keys()].filter((name) => !names.has(name)));
}

async function start() {
  useRoutes(["pit", "findings", "trends"]);
  const texts = firstTexts();
  await refresh().catch(() => null);
  if (!session.now.must_login) listen();
  await texts;
  startLang(session.now.lang);
  frame = new PitFrame(app, LANGS);
  app.tone = new Tone(app);
  frame.draw();
  listenKeys(app, () => page);
  if (waiting) welcome(waiting);
  watchRoute(show);
  setInterval(() => {
    tickAges(t);
    frame.title();
  }, TICK_MS);
}

start();
