/* What the server says of training, for the whole page: asked for after every event while a lesson is on.

   learnerOf(app) is one object:  state  what it said last, null before;  on(fn) → off;  post(name, body) → answer. */

const SOON_MS = 150;
/** @type {Learner | null} */
let only = null;

/** @param {App} app */
export function learnerOf(app) {
  only ??= new Learner(app);
  return only;
}

class Learner {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {TrainingState | null} */
    this.state = null;
    /** @type {Set<() => unknown>} */
    this.listeners = new Set();
    this.timer = 0;
    for (const kind of /** @type {const} */ (["seen", "back"])) app.on(kind, () => this.soon());
    this.soon();
  }

  /** @param {() => unknown} fn */
  on(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SOON_MS);
  }

  async ask() {
    const said = await this.app.get("/api/training/state").catch(() => null);
    if (said) this.publish(said);
  }

  /** @param {TrainingState} state */
  publish(state) {
    this.state = state;
    for (const fn of [...this.listeners]) fn();
  }

  /** @param {string} name @param {object} [body] @returns {Promise<any>} */
  async post(name, body = {}) {
    /** @type {any} */
    const answer = await this.app.post(`/api/training/${name}`, body);
    if (answer.ok) this.publish(answer);
    else this.app.report(answer);
    return answer;
  }
}
