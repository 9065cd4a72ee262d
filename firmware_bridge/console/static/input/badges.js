/* A badge reader that types: a keyboard wedge at the table's screen.

   1. It types a sign that nobody else types (session.badge), the staff number, and Enter. From the sign on every key is
      swallowed, wherever the focus is: no letter of a badge ever hits or stands.
   2. What was read opens the login for that person; the PIN is still theirs to type. Nothing is looked up here.
   3. What stops for WAIT_MS without an Enter, or is longer than a staff number, is dropped. */

const WAIT_MS = 2000;
const LONGEST = 40;

/** @param {BaseApp} app */
export function listenBadges(app) {
  /** @type {string | null} */
  let read = null;
  let timer = 0;

  function end() {
    clearTimeout(timer);
    read = null;
  }

  document.addEventListener(
    "keydown",
    (event) => {
      const sign = app.session.badge;
      if (read === null && (!sign || event.key !== sign || event.ctrlKey || event.altKey || event.metaKey)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      clearTimeout(timer);
      timer = setTimeout(end, WAIT_MS);
      if (read === null) read = "";
      else if (event.key === "Enter") {
        const number = read.trim();
        end();
        if (number && number.length <= LONGEST && app.session.roles) app.login(undefined, number);
      } else if (event.key.length === 1) read += event.key;
    },
    true,
  );
}
