/* The harness as the page knows it: how it stands, and doing something there.

   1. serverOf(app) is one object for the whole page, made when it is first asked for.
        state                 what /api/harness/state said last, null before the first answer;  about  what never changes
        on(fn) → off          fn(state) is called whenever it was asked for again
        act(statement, more)  does a statement of deal notation by the simulated devices
        post(name, body)      asks anything else of the harness; a refusal is shown, and the answer given back
        watch() → end         keeps the state fresh as long as somebody looks: after every event, and now and then
   2. Every answer carries the new state. While nobody looks, and while the browser hides the page, nothing is asked.
   3. A state that was asked for before something was done is older than the answer to that: it is not shown. */

const NOW_AND_THEN_MS = 400;
const SOON_MS = 60;
/** @type {HarnessServer | null} */
let only = null;

/** @param {App} app */
export function serverOf(app) {
  if (!only) only = new HarnessServer(app);
  return only;
}

export class HarnessServer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {HarnessState | null} */
    this.state = null;
    /** @type {HarnessAbout | null} */
    this.about = null;
    /** @type {{ words: string, kept: boolean } | null} */
    this.said = null;
    /** @type {Set<(state: HarnessState) => unknown>} */
    this.listeners = new Set();
    this.looking = 0;
    this.timer = 0;
    this.asking = false;
    this.done = 0;
    for (const kind of /** @type {const} */ (["seen", "link", "gone", "back"])) app.on(kind, () => this.soon(SOON_MS));
    document.addEventListener("visibilitychange", () => this.soon(0));
  }

  /** @param {(state: HarnessState) => unknown} fn */
  on(fn) {
    this.listeners.add(fn);
    if (this.state) fn(this.state);
    return () => this.listeners.delete(fn);
  }

  /** @param {HarnessState} state */
  publish(state) {
    this.state = state;
    for (const fn of [...this.listeners]) fn(state);
  }

  watch() {
    this.looking += 1;
    this.learn();
    this.soon(0);
    return () => {
      this.looking -= 1;
    };
  }

  /** @param {number} ms */
  soon(ms) {
    if (!this.looking || document.hidden) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), ms);
  }

  async learn() {
    this.about ??= await this.app.get("/api/harness/about").catch(() => null);
    if (this.state) this.publish(this.state);
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    const before = this.done;
    try {
      const state = await this.app.get("/api/harness/state");
      if (before === this.done) this.publish(state);
    } catch {
      /* the server is gone: the banner says so, and it is asked again */
    } finally {
      this.asking = false;
      this.soon(NOW_AND_THEN_MS);
    }
  }

  /** @param {string} name @param {object} [body] */
  async post(name, body = {}) {
    const answer = await this.app.post(`/api/harness/${name}`, body);
    this.done += 1;
    if (answer.state) this.publish(answer.state);
    else this.soon(0);
    const words = (answer.seen || []).map((/** @type {{ event: string }} */ one) => one.event).join("; ");
    this.said = answer.ok ? { words, kept: answer.kept } : null;
    if (answer.ok && words) this.app.announce(words);
    if (answer.ok && answer.kept) this.app.toast(this.app.t("harness.kept"), "good");
    if (!answer.ok) this.app.report(answer);
    return answer;
  }

  /** @param {string} statement @param {object} [more] */
  act(statement, more = {}) {
    return this.post("act", { statement, ...more });
  }
}
