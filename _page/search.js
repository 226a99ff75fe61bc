// The search: finds sections, theorems, terms and names in `searchIndex`, as one types.
// All words must occur, at the start of a word; accents and a plural's s do not matter.

(() => {
  const RESULTS_MAX = 40;
  const SNIPPET_CHARACTERS = 160;
  // Where the same words occur, the course comes before what refers to it.
  const WEIGHTS = [
    [/^chapters\/\d+_further/, 0.8],
    [/^chapters\//, 1.3],
    [/^exercises\//, 0.6],
    [/^reference\/(errata|sources)/, 0.3],
    [/^reference\/(api|bibliography)/, 0.5],
  ];

  const fold = (text) =>
    text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const stem = (word) => (word.length > 3 ? word.replace(/s$/, "") : word);
  const wordsOf = (query) => (fold(query).match(/[\p{L}\p{N}_]+/gu) ?? []).map(stem);
  const startsWord = (text, word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at;
    return -1;
  };

  const sections = window.searchIndex.flatMap(([page, entries]) => {
    const weight = WEIGHTS.find(([pattern]) => pattern.test(page))?.[1] ?? 1;
    const chapter = entries[0][1];
    return entries.map(([anchor, title, text], place) => ({
      page, anchor, title, text, weight, chapter, isPage: place === 0,
      foldedTitle: fold(title), foldedText: fold(text),
      foldedChapter: fold(chapter),
      titleWords: new Set(wordsOf(title)),
    }));
  });

  const score = (section, words) => {
    const { foldedTitle, foldedText, foldedChapter } = section;
    const phrase = words.join(" ");
    let total = 0;
    for (const word of words) {
      const inTitle = startsWord(foldedTitle, word) >= 0;
      const inChapter = startsWord(foldedChapter, word) >= 0;
      const count = startsWord(foldedText, word) < 0 ? 0 : foldedText.split(word).length;
      if (!inTitle && !count) return 0;
      total += (inTitle ? 12 : 0) + (section.titleWords.has(word) ? 6 : 0);
      total += (inChapter ? 5 : 0) + Math.log2(1 + count);
    }
    if (words.every((word) => startsWord(foldedTitle, word) >= 0)) total += 15;
    if (words.length > 1 && foldedTitle.includes(phrase)) total += 15;
    if (words.length > 1 && foldedText.includes(phrase)) total += 8;
    if (section.isPage) total += startsWord(foldedTitle, words[0]) >= 0 ? 10 : 0;
    return total * section.weight;
  };

  const find = (query) => {
    const words = wordsOf(query);
    if (!words.length) return [];
    return sections
      .map((section) => ({ section, points: score(section, words) }))
      .filter(({ points }) => points > 0)
      .sort((one, two) => two.points - one.points)
      .map(({ section }) => section);
  };

  // The words around the first match, with all matches marked.
  const snippet = ({ text, foldedText }, words) => {
    const found = words.map((word) => startsWord(foldedText, word)).filter((at) => at >= 0);
    const middle = found.length ? Math.min(...found) : 0;
    const from = Math.max(0, middle - SNIPPET_CHARACTERS / 3);
    const part = text.slice(from, from + SNIPPET_CHARACTERS);
    return (from ? "… " : "") + part.replace(/^\S*\s/, from ? "" : "$&") +
      (from + SNIPPET_CHARACTERS < text.length ? " …" : "");
  };

  const marked = (text, words) => {
    const nodes = [];
    for (const piece of text.split(/([\p{L}\p{N}_]+)/u)) {
      const hit = words.some((word) => fold(piece).startsWith(word));
      const node = hit ? document.createElement("mark") : document.createTextNode(piece);
      if (hit) node.textContent = piece;
      nodes.push(node);
    }
    return nodes;
  };

  const item = (section, words) => {
    const link = document.createElement("a");
    const anchor = section.isPage ? "" : `#${section.anchor}`;
    link.href = document.documentElement.dataset.content_root + section.page + anchor;
    link.append(...marked(section.title, words));
    const entry = document.createElement("li");
    entry.append(link);
    if (!section.isPage) {
      const place = document.createElement("span");
      place.className = "kl-chapter";
      place.textContent = section.chapter;
      entry.append(" ", place);
    }
    const text = document.createElement("p");
    text.append(...marked(snippet(section, words), words));
    entry.append(text);
    return entry;
  };

  const place = document.querySelector(".kl-search");
  const input = place.querySelector("input");
  const show = () => {
    const found = find(input.value);
    const words = wordsOf(input.value);
    const shown = found.slice(0, RESULTS_MAX).map((section) => item(section, words));
    place.querySelector("ol").replaceChildren(...shown);
    const count = found.length === 1 ? "1 place" : `${found.length || "No"} places`;
    const more = found.length > RESULTS_MAX ? `, of which these fit best` : "";
    place.querySelector("[role=status]").textContent = words.length ? count + more : "";
    const address = new URL(location.href);
    address.searchParams.set("q", input.value);
    history.replaceState(null, "", address);
  };
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  });
  place.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  if (input.value) show();
  input.focus();
})();
