// What a page of the book does: theme, folds, exercises, search. Everything else is plain HTML.
(() => {
  const page = document.documentElement;
  const root = document.body.dataset.root;
  const byId = (id) => document.getElementById(id);

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // ---- theme

  const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    page.dataset.jpThemeLight ? page.dataset.jpThemeLight === "false" : systemIsDark.matches;
  const themeButton = byId("theme");

  // A replay is a page of its own in a frame.
  function passTheme(frame) {
    const inside = frame.contentDocument?.documentElement;
    const chosen = page.dataset.jpThemeLight;
    if (!inside || !chosen) return;
    inside.dataset.jpThemeLight = chosen;
    inside.style.colorScheme = chosen === "true" ? "light" : "dark";
  }

  const frames = [...document.querySelectorAll("iframe")];
  for (const frame of frames) {
    passTheme(frame);
    frame.addEventListener("load", () => passTheme(frame));
  }

  function nameTheme() {
    const other = isDark() ? "Light" : "Dark";
    themeButton.textContent = other;
    themeButton.setAttribute("aria-label", `${other} colors`);
  }

  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    page.dataset.jpThemeLight = String(chosen === "light");
    try {
      localStorage.setItem("tk-theme", chosen);
    } catch { /* then only until the next page */ }
    nameTheme();
    frames.forEach(passTheme);
  });
  systemIsDark.addEventListener("change", nameTheme);
  nameTheme();

  // ---- folds: lists of links stand open where there is a column for them

  function foldBy(selector, wide) {
    const fold = document.querySelector(selector);
    if (!fold) return;
    const follow = () => { fold.open = wide.matches; };
    wide.addEventListener("change", follow);
    follow();
  }

  foldBy(".chapters > .folding", matchMedia("(min-width: 1000px)"));
  foldBy(".contents > .folding", matchMedia("(min-width: 1360px)"));
  document.querySelector(".chapters [aria-current]")?.scrollIntoView({ block: "nearest" });
  scrollTo({ top: location.hash ? scrollY : 0 });

  function openAround(target) {
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  }

  function followHash() {
    panel.hidden = true;
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    openAround(target);
    target.scrollIntoView();
  }

  addEventListener("hashchange", followHash);

  // ---- what scrolls sideways can be reached by key

  const scrollers = document.querySelectorAll(".code pre, .outputs, .wide, .said, .highlight pre");
  const watchSizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const scrolls = target.scrollWidth > target.clientWidth;
      if (scrolls) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const scroller of scrollers) watchSizes.observe(scroller);

  // ---- exercises: the data beside the folds, asked by the widget's own script

  const headings = [...document.querySelectorAll("main :is(h1, h2, h3, h4)")];

  function levelAt(element) {
    const before = headings.filter(
      (heading) => heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return before.length ? Math.min(5, Number(before.at(-1).tagName[1]) + 1) : 2;
  }

  function modelOf({ seed, exercises }, level) {
    let at = 0;
    let hear = null;
    return {
      get: (name) =>
        ({ ...exercises[at], more: exercises.length > 1, seed: seed + at, level })[name],
      on: (_, heard) => { hear = heard; },
      off: () => { hear = null; },
      send: () => {
        at = (at + 1) % exercises.length;
        hear?.({ tell: "another" });
      },
    };
  }

  const named = JSON.parse(byId("named")?.textContent ?? "{}");

  function linkChips(element) {
    for (const chip of element.querySelectorAll("span.tk-chip")) {
      const href = named[chip.textContent];
      if (href) chip.replaceWith(make("a", { class: "tk-chip", href }, chip.textContent));
    }
  }

  for (const element of document.querySelectorAll("[data-tk-exercise]")) {
    const data = JSON.parse(element.dataset.tkExercise);
    new MutationObserver(() => linkChips(element)).observe(element, { childList: true, subtree: true });
    window.tkWidgets.exercise.render({ model: modelOf(data, levelAt(element)), el: element });
  }

  // ---- search

  const query = byId("query");
  const panel = byId("found");
  const allFound = byId("all-found");
  const IN_PANEL = 8;
  const ON_PAGE = 200;
  const AROUND = 70;

  // Loaded when first asked for; a script, because a page of a file may not fetch.
  let loading = null;
  function loadData() {
    loading ??= new Promise((resolve, reject) => {
      const script = make("script", { src: `${root}assets/search-data.js` });
      script.addEventListener("load", () => resolve(prepared(window.tkSearched)));
      script.addEventListener("error", reject);
      document.head.append(script);
    });
    return loading;
  }

  function prepared({ pages, rows }) {
    return rows.map(([at, anchor, title, text]) => {
      const [url, chapter] = pages[at];
      const lower = { title: title.toLowerCase(), text: text.toLowerCase() };
      return { url, chapter, anchor, title, text, lower };
    });
  }

  const wordsOf = (text) => text.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);

  const startsWord = (text, word) => {
    const at = text.indexOf(word);
    return at === 0 || (at > 0 && !/[a-z0-9]/.test(text[at - 1]));
  };

  function worthOfWord({ lower }, word) {
    if (lower.title.includes(word)) {
      const whole = lower.title.split(/[\s·]+/).includes(word);
      return whole ? 30 : startsWord(lower.title, word) ? 20 : 10;
    }
    if (!lower.text.includes(word)) return 0;
    return startsWord(lower.text, word) ? 3 : 1;
  }

  function worth(row, words) {
    let sum = row.lower.title === words.join(" ") ? 50 : 0;
    for (const word of words) {
      const one = worthOfWord(row, word);
      if (!one) return 0;
      sum += one;
    }
    return sum;
  }

  function find(rows, words) {
    if (!words.length) return [];
    return rows
      .map((row) => ({ row, sum: worth(row, words) }))
      .filter(({ sum }) => sum)
      .sort((one, other) => other.sum - one.sum)
      .map(({ row }) => row);
  }

  function markWords(text, words) {
    const parts = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pieces = text.split(new RegExp(`(${parts.join("|")})`, "iu"));
    return pieces.map((piece, n) => (n % 2 ? make("mark", {}, piece) : piece));
  }

  function snippet({ text, lower }, words) {
    const places = words.map((word) => lower.text.indexOf(word)).filter((at) => at >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const from = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 || first - AROUND : 0;
    const to = text.indexOf(" ", first + 2 * AROUND);
    const end = to < 0 || to > first + 3 * AROUND ? first + 2 * AROUND : to;
    const cut = text.slice(Math.min(from, first), end);
    return [from ? "… " : "", ...markWords(cut, words), end < text.length ? " …" : ""];
  }

  function foundItem(row, words) {
    const link = make("a", { href: `${root}${encodeURI(row.url)}#${encodeURIComponent(row.anchor)}` });
    link.append(make("b", {}, ...markWords(row.title, words)));
    if (row.title !== row.chapter) link.append(make("small", {}, row.chapter));
    link.append(make("span", {}, ...snippet(row, words)));
    return make("li", {}, link);
  }

  function show(place, rows, words, most) {
    const many = rows.length === 1 ? "1 section" : `${rows.length} sections`;
    const said = !words.length ? "" : rows.length ? many : "Nothing found. Try fewer words.";
    const status = place.querySelector("[role=status]") ?? make("p", { role: "status" });
    status.textContent = said;
    const list = make("ol", {}, ...rows.slice(0, most).map((row) => foundItem(row, words)));
    const rest = rows.length > most && place === panel;
    const more = rest ? [make("p", { class: "rest" }, "Enter shows all.")] : [];
    place.replaceChildren(status, list, ...more);
  }

  async function search() {
    const words = wordsOf(query.value);
    const rows = find(await loadData(), words);
    if (wordsOf(query.value).join(" ") !== words.join(" ")) return;
    if (allFound) show(allFound, rows, words, ON_PAGE);
    else {
      show(panel, rows, words, IN_PANEL);
      panel.hidden = !words.length;
    }
  }

  const links = () => [...(allFound ?? panel).querySelectorAll("a")];

  function walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (!step || (at < 0 && document.activeElement !== query)) return;
    event.preventDefault();
    if (panel.hidden && !allFound) return void search();
    if (!all.length) return;
    const next = at + step;
    if (next < 0) query.focus();
    else all[Math.min(next, all.length - 1)].focus();
  }

  query.addEventListener("input", search);
  query.addEventListener("click", () => { if (query.value) search(); });
  query.form.addEventListener("keydown", walk);
  allFound?.addEventListener("keydown", walk);
  query.form.addEventListener("submit", (event) => {
    if (!allFound) return;
    event.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(query.value)}`);
    search();
  });
  query.form.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !query.form.contains(event.relatedTarget)) panel.hidden = true;
  });
  addEventListener("pointerdown", ({ target }) => {
    if (!query.form.contains(target)) panel.hidden = true;
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.select();
    } else if (event.key === "Escape" && !panel.hidden) {
      panel.hidden = true;
      query.focus();
    }
  });

  if (allFound) {
    query.value = new URLSearchParams(location.search).get("q") ?? "";
    search();
    query.focus();
  }
  followHash();
})();
