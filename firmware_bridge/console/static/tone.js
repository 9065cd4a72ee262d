/* The tone of an alarm.

   1. It sounds while an alarm is open, where somebody can act: not for a role that only reads, and not in training
      (a body with data-training).
   2. It can be turned down in steps, never off. The step is kept in this browser.
   3. A browser may let no page sound before somebody has touched it: then the control says so, and any press lets it
      sound.
   4. tone.control is the one button for both; who draws the Alarm puts it into its head. What the tone does is written
      to the body as data-tone: "sounding" or "blocked", nothing while no alarm is open. */

import { el, fill } from "./dom.js";

const KEPT = "truedeal.tone";
/** @type {[string, number, string][]} name, gain, sign */
const LEVELS = [["loud", 0.9, "◢"], ["middle", 0.4, "◿"], ["low", 0.12, "▫"]];
const EVERY_MS = 2000;
const NOTES = [[880, 0], [660, 0.28]];
const LASTS = 0.24;

export class Tone {
  /** @param {BaseApp} app */
  constructor(app) {
    this.app = app;
    this.level = this.kept();
    this.timer = 0;
    /** @type {AudioContext | null} */
    this.context = null;
    this.control = el("button", { type: "button", class: "tone", "data-test": "tone", onclick: () => this.press() });
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.context?.resume(), true);
    this.draw();
  }

  kept() {
    try {
      return Math.max(0, LEVELS.findIndex(([name]) => name === localStorage.getItem(KEPT)));
    } catch {
      return 0;
    }
  }

  get blocked() {
    return this.context !== null && this.context.state !== "running";
  }

  /** @param {boolean} open whether an alarm is open */
  update(open) {
    const wanted = open && !this.app.readsOnly && !("training" in document.body.dataset);
    if (wanted === Boolean(this.timer)) return;
    if (wanted) this.begin();
    else this.end();
  }

  begin() {
    if (!this.context) {
      this.context = new AudioContext();
      this.context.onstatechange = () => this.draw();
    }
    this.context.resume();
    this.timer = setInterval(() => this.playTone(), EVERY_MS);
    this.playTone();
    this.draw();
  }

  end() {
    clearInterval(this.timer);
    this.timer = 0;
    this.draw();
  }

  playTone() {
    const { context } = this;
    if (!context || this.blocked) return;
    const gain = context.createGain();
    gain.gain.value = LEVELS[this.level][1];
    gain.connect(context.destination);
    for (const [pitch, after] of NOTES) {
      const note = context.createOscillator();
      note.frequency.value = pitch;
      note.connect(gain);
      note.start(context.currentTime + after);
      note.stop(context.currentTime + after + LASTS);
    }
  }

  press() {
    if (this.blocked) return this.context?.resume();
    this.level = (this.level + 1) % LEVELS.length;
    try {
      localStorage.setItem(KEPT, LEVELS[this.level][0]);
    } catch {
      /* a browser that keeps nothing begins loud */
    }
    this.playTone();
    this.draw();
  }

  draw() {
    const { t } = this.app;
    const [name, , sign] = LEVELS[this.level];
    this.control.hidden = !this.timer;
    this.control.dataset.level = name;
    if (!this.timer) delete document.body.dataset.tone;
    else document.body.dataset.tone = this.blocked ? "blocked" : "sounding";
    if (!this.timer) return;
    const words = this.blocked ? t("tone.blocked") : t("tone.level", { level: t(`tone.${name}`) });
    this.control.setAttribute("aria-label", words);
    this.control.title = words;
    fill(this.control, "♪ ", this.blocked ? words : sign);
  }
}
