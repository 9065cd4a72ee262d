/* The event stream of the table.

   1. openStream(fns) listens at /api/stream and calls fns[kind](data, id) for every event of the kinds that it names.
   2. It also calls fns.lost() when the server cannot be reached, and fns.reached() when it can again. The
      browser connects again by itself, with the number of the last event; where it gives up, this does, every
      second.
   3. The server sends a beat every five seconds when nothing else happens: who hears nothing for longer is cut off,
      whatever the browser thinks of the connection, and connects anew.
   4. It returns { close() }. */

const AGAIN_MS = 1000;
const SILENCE_MS = 16000;

/** @param {StreamListeners & Omit<PitListeners, keyof StreamListeners>} fns */
export function openStream(fns) {
  /** @type {EventSource} */
  let source;
  let timer = 0;
  let lost = false;
  let closed = false;
  let silence = 0;

  function reached() {
    clearTimeout(silence);
    silence = setTimeout(cutOff, SILENCE_MS);
    if (lost) fns.reached?.();
    lost = false;
  }

  function gone() {
    if (!lost && !closed) fns.lost?.();
    lost = true;
  }

  function cutOff() {
    gone();
    source.close();
    open();
  }

  function open() {
    source = new EventSource("/api/stream");
    source.onopen = reached;
    source.onerror = () => {
      gone();
      if (source.readyState === EventSource.CLOSED && !closed) timer = setTimeout(open, AGAIN_MS);
    };
    for (const kind of new Set(["beat", ...Object.keys(fns)])) {
      source.addEventListener(kind, (event) => {
        reached();
        const told = /** @type {((news: unknown, id: string) => unknown) | undefined} */ (/** @type {Record<string, unknown>} */ (fns)[kind]);
        told?.(event.data ? JSON.parse(event.data) : {}, event.lastEventId);
      });
    }
  }

  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(silence);
      source.close();
    },
  };
}
