/* What has happened at this table, as it is recorded, to be saved as a file of deal notation; and a line to type any
   statement into. What was refused is struck out here and not saved. */

import { el, fill } from "/static/dom.js";
import { button, countWords, head, input, small } from "../controls.js";
import { icon } from "../icons.js";

const NEAR = 30;

/** @param {PartTools} tools @returns {HarnessPart} */
export function recordPart({ app, server }) {
  const { t } = app;
  const label = t("harness.part.record");
  const list = el("ol", { class: "h-record", tabindex: "0", "aria-label": label, "data-test": "record" });
  const count = small({ "data-test": "record-count" });
  const file = { class: "h-button", href: "/api/harness/recording", download: "", "data-test": "save" };
  const save = el("a", file, icon("save"), t("harness.save"));
  const said = input("statement", t("harness.statement"), {
    class: "h-input h-statement",
    placeholder: t("harness.statement"),
    spellcheck: "false",
    maxlength: 200,
  });
  const form = el("form", { class: "h-row", onsubmit: send }, said, button("do", t("harness.do"), null, { type: "submit" }));
  const node = el(
    "section",
    { "aria-labelledby": "h-record" },
    head("h-record", t("harness.part.record"), count, el("span", { class: "h-fill" }), save),
    list,
    form,
  );
  let known = "";

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    const statement = said.value.trim();
    if (!statement) return;
    const answer = await server.act(statement);
    if (answer.ok) said.value = "";
  }

  /** @param {RecordedLine} one */
  function line(one) {
    const text = one.refused ? el("s", null, one.text) : el("code", null, one.text);
    const beside = small({}, one.refused ? t("harness.refused") : one.device);
    return el("li", { class: one.refused ? "is-refused" : "", title: one.refused }, text, beside);
  }

  function toTheEnd() {
    list.scrollTop = list.scrollHeight;
  }

  return {
    node,
    shown: toTheEnd,
    update({ recording, table }) {
      const sign = JSON.stringify([table.number, recording.count, recording.last.at(-1)]);
      if (sign === known) return;
      known = sign;
      count.textContent = countWords(t, recording.count, "harness.recorded-one", "harness.recorded");
      const low = list.scrollTop + list.clientHeight >= list.scrollHeight - NEAR;
      fill(list, recording.last.map(line));
      if (low) toTheEnd();
    },
  };
}
