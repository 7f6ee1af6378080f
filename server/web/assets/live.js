// Makes the page of a match live: it loads the page again after each event and replaces the match. Without this script
// everything is there; the reader reloads.
"use strict";
(() => {
  const root = () => document.getElementById("live");
  if (!root()) return;
  let source = null, busy = false, again = false, retry = 0;

  async function refresh() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { cache: "no-cache", credentials: "omit" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const next = page.getElementById("live");
        if (next && Number(next.dataset.version) >= Number(root().dataset.version)) replace(next);
      }
    } catch { /* the next event or the next connection tries again */ }
    busy = false;
    if (again) { again = false; refresh(); }
  }

  function replace(next) {
    const old = root(), open = [...old.querySelectorAll("details")].map(d => d.open);
    const at = [...old.querySelectorAll("a,summary,ol")].indexOf(document.activeElement);
    const status = old.querySelector("[role=status]");
    next.querySelectorAll("details").forEach((d, i) => { d.open = open[i]; });
    const said = next.querySelector("[role=status]");
    if (status && said) { // the same element, so that a screen reader says what has changed
      status.replaceChildren(...said.childNodes);
      said.replaceWith(status);
    }
    old.replaceWith(next);
    const all = next.querySelectorAll("a,summary,ol");
    if (at >= 0 && all[at]) all[at].focus({ preventScroll: true });
    shown();
    if (!next.dataset.events) stop();
  }

  function shown() {
    const list = document.querySelector(".turn-list"), current = document.querySelector(".turn-list .current");
    if (list && current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    started = performance.now();
  }

  function stop() { if (source) { source.close(); source = null; } }

  function listen() {
    const path = root().dataset.events;
    if (!path || source) return;
    source = new EventSource(path);
    for (const kind of ["turn", "undone", "over", "tournament"]) source.addEventListener(kind, refresh);
    source.onopen = () => { retry = 0; refresh(); }; // what happened before the stream was open, or while there was none
    source.onerror = () => {
      if (source && source.readyState === EventSource.CLOSED) { // refused: the server is full or restarting
        source = null;
        setTimeout(listen, Math.min(30000, 1000 * 2 ** retry++));
      }
    };
  }

  let started = performance.now();
  setInterval(() => {
    for (const clock of document.querySelectorAll(".clock[data-running]")) {
      const left = Math.max(0, Number(clock.dataset.left) - (performance.now() - started));
      const s = Math.ceil(left / 1000), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60, two = n => String(n).padStart(2, "0");
      clock.textContent = h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
    }
  }, 500);

  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.shiftKey || /^(INPUT|TEXTAREA)$/.test(e.target.tagName)) return;
    const link = document.querySelector(`a[data-key="${CSS.escape(e.key)}"]`);
    if (link) { e.preventDefault(); link.click(); }
  });
  addEventListener("pagehide", stop); // a page that the browser keeps for the way back does not watch
  addEventListener("pageshow", e => { if (e.persisted) { listen(); refresh(); } });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && root().dataset.events) { listen(); refresh(); } });
  shown();
  listen();
})();
