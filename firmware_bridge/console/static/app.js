/* The console's page: it joins session, stream, texts, pages and the Alarm.

   1. A page module exports mount(root, app, rest, query) → { scene(scene), seen(news), keys(), close() }, all optional. keys()
      lists [{ key, words, run }] for the keyboard and its help ("?").
   2. app:
        t(key, values), has(key)    texts;  lang  the language;  setLang(code)
        scene                       the latest scene, null before the first
        session                     who is logged in (session.js, now)
        live                        whether the scene is of now: false while server or daemon are gone
        say(statement) → answer     { ok } | { refused } | { error }; a refusal is shown by report(answer)
        note(key, { text, bookmark }) → answer, about a round
        why(statement) → answer     the same, and nothing is commanded
        clear(n, code, reason) → answer,  get(path) → json,  post(path, body) → answer
        on(kind, fn) → off          kinds of stream.js, and "session", "live", "lang" of this page
        tone                        the tone of an alarm (tone.js); its control stands in the Alarm's head
        go(route), announce(text), toast(text, kind), report(answer), may(roles), login(roles, name) → opens the login
   3. An extra of the session ({ name, script }) is a module that exports mount(root, app), and may export `texts`, a
      list of addresses of catalogues, and `style`, an address. It becomes the route #/NAME, its tab the text
      "nav.NAME". `joins(app)`, if there, is called once: for what is to be seen beside every page.
   4. The Alarm covers the Table while it is open, and is a strip above the pages that are read.
   5. When the language changes everything is drawn again.
   6. The stream is opened before the texts are there: the first scene waits for them, not they for it. The texts and
      styles of History, Health and Games are loaded with the first of these pages. */

import { LANGS, addTexts, currentLang, firstTexts, has, setLang, startLang, t } from "./texts.js";
import { READS_ONLY, askWhy, clear, get, may, note, post, refresh, say, session } from "./session.js";
import { addRoute, askedRoute, currentRoute, go, routeNames, watchRoute } from "./router.js";
import { byId } from "./dom.js";
import { openStream } from "./stream.js";
import { Shell } from "./shell.js";
import { Tone } from "./tone.js";
import { listenBadges } from "./input/badges.js";
import { listenKeys } from "./input/keys.js";
import { REFUSALS, refusalWords } from "./refusals.js";
import { Alarm } from "./pages/alarm/alarm.js";
import { openLogin, mount as loginPage } from "./pages/login/login.js";

const OTHERS = ["history", "health", "games"]; // pages whose texts and styles the first picture does not need
/** @type {Map<string, Set<(data: any, id?: string) => unknown>>} */
const listeners = new Map();
/** @type {Map<string, PageModule>} */
const loaded = new Map();
const joined = new Set();
/** @type {Page | null} */
let page = null;
/** @type {{ close: () => void } | null} */
let stream = null;
/** @type {Shell} set when the texts are there, like the Alarm */
let shell;
/** @type {Alarm} */
let alarm;
let away = "";
/** @type {LiveScene | null} */
let waiting = null;
/** @type {Promise<unknown> | null} */
let othersLoaded = null;

/** @type {App} */
export const app = {
  t,
  has,
  scene: null,
  live: false,
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
  go,
  may,
  on(kind, fn) {
    const heard = listeners.get(kind) || new Set();
    listeners.set(kind, heard.add(fn));
    return () => heard.delete(fn);
  },
  async say(statement) {
    return checked(await say(statement));
  },
  async why(statement) {
    return checked(await askWhy(statement));
  },
  async clear(n, code, reason) {
    return checked(await clear(n, code, reason));
  },
  async note(key, said) {
    return checked(await note(key, said));
  },
  announce: (text) => shell.announce(text),
  toast: (text, kind) => shell.toast(text, kind),
  report(answer) {
    if (answer.ok) return true;
    if (answer.ended) app.toast(t("shell.ended"), "bad");
    else if (answer.unreachable) app.toast(t("shell.unreachable"), "bad");
    else if (answer.refused) app.toast(t("shell.refused", { why: refusalWords(answer, app) }), "bad");
    else app.toast(t("shell.error", { why: [answer.error, answer.remedy].filter(Boolean).join(". ") }), "bad");
    return false;
  },
  setLang(code) {
    setLang(code);
    redraw();
  },
  login: (roles, name) => openLogin(app, roles, name),
  async changed() {
    await refresh().catch(() => null);
    await Promise.all((session.now.extras || []).map(join));
    emit("session", session.now);
    shell.draw();
    alarm?.update();
    app.tone?.update(alarm?.open);
    if (page?.must !== session.now.must_login) await show(currentRoute());
  },
};

/**
 * @template {keyof PageNews & string} Kind
 * @param {Kind} kind
 * @param {PageNews[Kind]} data
 * @param {string} [id]
 */
function emit(kind, data, id) {
  for (const fn of listeners.get(kind) || []) fn(data, id);
}

/** @param {Answer} answer */
async function checked(answer) {
  if (answer.ended) await app.changed();
  return answer;
}

function others() {
  if (!othersLoaded) {
    const styles = OTHERS.map((name) => shell.style(`/static/style/${name}.css`));
    othersLoaded = Promise.all([addTexts([REFUSALS, ...OTHERS.map((name) => `/static/texts/${name}.json`)]), ...styles]);
  }
  return othersLoaded;
}

/** @param {string} name @returns {Promise<PageModule>} */
async function moduleOf(name) {
  const extra = loaded.get(name);
  if (extra) return extra;
  const [found] = await Promise.all([import(`./pages/${name}.js`), OTHERS.includes(name) && others()]);
  return found;
}

/** @param {Route} route */
async function show(route) {
  const root = byId("page");
  const must = Boolean(session.now.must_login);
  let found = null;
  try {
    found = must ? { mount: loginPage } : await moduleOf(route.name);
  } catch (error) {
    console.error(error);
  }
  if (currentRoute().name !== route.name && !must) return;
  page?.close?.();
  root.replaceChildren();
  root.dataset.route = must ? "login" : route.name;
  shell.draw();
  alarm?.update();
  page = { must, ...(found ? found.mount(root, app, route.rest, route.query) : null) };
  if (!found) root.append(t("shell.no-page"));
  if (app.scene && !must) page.scene?.(app.scene);
}

function redraw() {
  emit("lang", currentLang());
  shell.draw();
  app.tone?.draw();
  alarm.redraw();
  show(currentRoute());
}

/** @param {boolean} live @param {string} [why] */
function setLive(live, why = "") {
  away = live ? "" : why;
  app.live = live;
  document.body.classList.toggle("stale", !live);
  shell?.banner(away, app.scene);
  emit("live", live);
}

/** @param {LiveScene} scene */
function arrived(scene) {
  if (!shell) {
    waiting = scene;
    return;
  }
  waiting = null;
  app.scene = scene;
  if (session.now.roles !== scene.roles) {
    session.now.roles = scene.roles;
    shell.draw();
  }
  if (!app.live) setLive(true);
  else shell.banner("", scene);
  shell.scene(scene);
  page?.scene?.(scene);
  alarm.update();
  shell.raise();
  app.tone?.update(alarm.open);
  emit("scene", scene);
}

function listen() {
  stream?.close();
  stream = openStream({
    scene: arrived,
    seen(news, id) {
      page?.seen?.(news, id);
      emit("seen", news, id);
    },
    link: (news) => emit("link", news),
    fault: (news) => emit("fault", news),
    journal: (news) => emit("journal", news),
    gone(news) {
      setLive(false, "gone");
      emit("gone", news);
    },
    back: (news) => emit("back", news),
    lost: () => setLive(false, "lost"),
    reached: () => app.changed(),
    session(news) {
      if (session.now.role && news.ended) app.toast(t("shell.ended-why", { why: refusalWords({ refused: news.ended, refusal: news.refusal }, app) }), "bad");
      app.changed();
    },
  });
}

/** @param {PageExtra} extra */
async function join(extra) {
  if (joined.has(extra.name)) return;
  joined.add(extra.name);
  try {
    const found = await import(extra.script);
    await Promise.all([addTexts(found.texts || []), found.style && shell.style(found.style)]);
    if (found.mount) {
      loaded.set(extra.name, found);
      addRoute(extra.name);
    }
    shell.draw();
    found.joins?.(app);
  } catch (error) {
    console.error("extra not loaded:", extra.name, error);
  }
}

async function start() {
  const texts = firstTexts();
  await refresh().catch(() => null);
  if (!session.now.must_login) listen();
  await texts;
  startLang(session.now.lang);
  shell = new Shell(app, LANGS);
  app.tone = new Tone(app);
  alarm = new Alarm(app, byId("alarm"));
  listenBadges(app);
  listenKeys(app, () => (alarm.open ? alarm : page));
  const extras = (session.now.extras || []).map(join);
  if (!routeNames().includes(askedRoute())) await Promise.all(extras);
  watchRoute(show);
  if (waiting) arrived(waiting);
  addTexts([REFUSALS]);
  app.on("session", (now) => {
    if (now.must_login) stream?.close();
    else if (!stream || away === "lost") listen();
  });
}

start();
