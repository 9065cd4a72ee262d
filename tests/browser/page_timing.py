"""Measures within a page: when the table is drawn first, and when each event is heard.

`FIRST` is to be known before the page is loaded: `window.drawn` is then a promise of the milliseconds from the start of
the navigation to the first frame in which cards lie on the table. `HEAR` makes `window.all` a promise of what the page
itself hears: as many events as were asked for, each with the time at which it was heard; it fails when that takes too
long.
"""

FIRST = """
window.drawn = new Promise((done) => {
  const look = () => {
    if (!document.querySelector(".table-picture .card")) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true });
});
"""

HEAR = """
async ([count, patience]) => {
  const { app } = await import("/static/app.js");
  const heard = [];
  window.all = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`${heard.length} of ${count} events were heard`)), patience);
    app.on("seen", (news) => heard.push({ ...news, heard: Date.now() }) === count && done(heard));
  });
}
"""
