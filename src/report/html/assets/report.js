
"use strict";
// Filters the list, opens a question as a page of its own, keeps decisions. The page reads without it. What it sets itself it
// sets as text, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const data = JSON.parse($("data").textContent);
  const root = document.documentElement;
  const list = $("list");
  if (!list) return;
  const rows = Array.from(list.children);
  const items = data.questions.map((known, at) => ({ ...known, at, row: rows[at], shown: true, lit: true }));
  const byKey = new Map(items.map((item) => [item.key, item]));
  const form = $("filter");
  const title = document.title;
  // Of the questions that a filter leaves, so many stand in the page; more come as the reader gets there.
  const PAGE = 100;
  let limit = PAGE;
  let lit = items;
  let shown = items;
  let open = null;
  let listHash = "";

  // Filtering.

  // As the report folded the texts of the questions: the same for đ and d, for letters with their marks and without.
  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/\u0111/g, "d");
  const controls = Array.from(form.elements).filter((control) => control.name);
  const wanted = () => controls.filter((control) => control.value.trim() !== "").map((c) => [c.name, c.value.trim()]);
  const test = {
    tag: (item, value) => item.tags.includes(value),
    layer: (item, value) => item.layers.includes(value),
    decided: (item, value) => decisions.has(item.key) === (value === "yes"),
    text: (item, words) => words.every((word) => item.text.includes(word)),
  };
  const more = make("button", { type: "button", id: "more", textContent: "Show more" });
  const light = () => {
    const next = shown.slice(0, limit);
    const stays = new Set(next);
    for (const item of lit) {
      if (stays.has(item)) continue;
      item.lit = false;
      if (item !== open) item.row.hidden = true;
    }
    for (const item of next) {
      if (item.lit) continue;
      item.lit = true;
      item.row.hidden = false;
    }
    lit = next;
    more.hidden = next.length === shown.length;
  };
  // So many that this one is among them.
  const reach = (at) => {
    if (at < limit) return;
    limit = (Math.floor(at / PAGE) + 1) * PAGE;
    light();
  };
  more.addEventListener("click", () => reach(limit));
  const apply = () => {
    const tests = wanted().map(([name, value]) => {
      const right = name === "text" ? fold(value).split(/\s+/) : value;
      const holds = test[name] || ((item) => item[name] === right);
      return (item) => holds(item, right);
    });
    shown = items.filter((item) => {
      item.shown = tests.every((holds) => holds(item));
      return item.shown;
    });
    limit = PAGE;
    light();
    const all = items.length.toLocaleString("en");
    const some = shown.length.toLocaleString("en");
    $("status").textContent = shown.length === items.length ? `${all} questions` : `${some} of ${all} questions`;
    $("all").disabled = shown.length === 0;
  };
  const hashOf = () => new URLSearchParams(wanted()).toString();
  const remember = () => {
    listHash = hashOf();
    history.replaceState(null, "", `#${listHash}`);
  };
  const refilter = () => {
    apply();
    remember();
  };
  form.addEventListener("input", refilter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(refilter));

  // A question as a page.

  const close = (item) => {
    item.row.classList.remove("on");
    item.row.open = false;
    item.row.hidden = !item.lit;
  };
  const leave = () => {
    root.classList.remove("one");
    document.title = title;
    if (!open) return;
    const last = open;
    open = null;
    close(last);
    const summary = last.row.firstElementChild;
    if (last.shown) {
      reach(shown.indexOf(last));
      summary.focus({ preventScroll: true });
      summary.scrollIntoView({ block: "center" });
    }
  };
  // To a browser that runs scripts all behind the row of a question is one text, for its speed. It is the report's own markup, in
  // which every text is escaped; a parsed document runs nothing.
  const fill = (item) => {
    const source = item.row.querySelector("noscript");
    if (!source) return;
    const parsed = new DOMParser().parseFromString(source.textContent, "text/html");
    source.replaceWith(...parsed.body.childNodes);
  };
  const view = (item) => {
    if (open && open !== item) close(open);
    open = item;
    root.classList.add("one");
    item.row.classList.add("on");
    item.row.hidden = false;
    item.row.open = true;
    fill(item);
    place(item);
    document.title = `${item.key} · ${title}`;
    const at = shown.indexOf(item);
    $("where").textContent = at < 0 ? "" : `${at + 1} of ${shown.length}`;
    $("before").disabled = at <= 0;
    $("after").disabled = at < 0 || at + 1 >= shown.length;
    scrollTo(0, 0);
    // The browser itself goes to the fragment of an address later.
    requestAnimationFrame(() => scrollTo(0, 0));
    item.row.firstElementChild.focus({ preventScroll: true });
  };
  const go = (item) => {
    history.pushState(null, "", `#${item.key}`);
    view(item);
  };
  const back = () => {
    history.pushState(null, "", `#${listHash}`);
    leave();
  };
  const route = () => {
    let hash = location.hash.slice(1);
    try {
      hash = decodeURIComponent(hash);
    } catch {
      // Not ours: it names nothing.
    }
    const item = byKey.get(hash);
    if (item) return view(item);
    if (hash.startsWith("code-")) {
      leave();
      const page = $(hash);
      if (page) {
        page.open = true;
        page.scrollIntoView();
        page.firstElementChild.focus();
      }
      return undefined;
    }
    const asked = new URLSearchParams(location.hash.slice(1));
    if (hash === "" || controls.some((control) => asked.has(control.name))) {
      for (const control of controls) control.value = asked.get(control.name) || "";
      apply();
      listHash = hashOf();
      const was = open;
      leave();
      if (hash !== "" && !was) $("questions").scrollIntoView();
    } else {
      leave();
    }
    return undefined;
  };
  addEventListener("hashchange", route);
  addEventListener("popstate", route);
  list.addEventListener("click", (event) => {
    const summary = event.target.closest("summary");
    const item = summary && items[rows.indexOf(summary.parentElement)];
    if (!item) return;
    event.preventDefault();
    if (open !== item) go(item);
  });

  // Keys.

  const move = (step) => {
    if (shown.length === 0) return;
    const focused = document.activeElement && document.activeElement.closest(".question");
    const current = open || (focused && items[rows.indexOf(focused)]);
    const at = current ? shown.indexOf(current) : -1;
    const next = shown[Math.min(Math.max(at < 0 ? 0 : at + step, 0), shown.length - 1)];
    if (next === current) return;
    if (open) {
      history.replaceState(null, "", `#${next.key}`);
      view(next);
    } else {
      reach(shown.indexOf(next));
      next.row.firstElementChild.focus();
    }
  };
  const help = $("help") || document.body.appendChild(make("dialog", { id: "help" }));
  const keys = [
    ["j", "the next question"],
    ["k", "the one before"],
    ["Enter", "open it as a page"],
    ["Esc", "back to the list"],
    ["/", "search"],
    ["1 2 3", "on a question's page: accept, keep, the check is wrong"],
    ["?", "these keys"],
  ];
  help.setAttribute("aria-labelledby", "help-title");
  help.append(make("h2", { id: "help-title", textContent: "Keys" }));
  for (const [key, what] of keys) help.append(make("p", {}, make("kbd", { textContent: key }), ` ${what}`));
  const closeHelp = make("button", { type: "button", textContent: "Close" });
  closeHelp.addEventListener("click", () => help.close());
  help.append(closeHelp);
  const press = {
    j: () => move(1),
    k: () => move(-1),
    "/": () => {
      if (open) back();
      form.elements.text.focus();
      form.elements.text.select();
    },
    "?": () => help.showModal(),
    Escape: () => open && back(),
    1: () => open && choose(open, "accept"),
    2: () => open && choose(open, "keep"),
    3: () => open && choose(open, "check_wrong"),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    if (typing) {
      if (event.key === "Escape") typing.blur();
      return;
    }
    if (press[event.key]) {
      event.preventDefault();
      press[event.key]();
    }
  });

  // Decisions: kept here, and by the browser where it lets us; the file is what counts.

  const store = `ragline-decisions:${data.run}`;
  const decisions = new Map();
  const says = {
    accept: "accept: the new answer is right",
    keep: "keep: what was accepted stays right",
    check_wrong: "the check is wrong",
  };
  const who = make("input", { type: "text", name: "who", autocomplete: "name", maxLength: 200 });
  const keep = () => {
    try {
      localStorage.setItem(store, JSON.stringify({ who: who.value, decisions: Array.from(decisions) }));
    } catch {
      // Not allowed, or full: the file can still be saved.
    }
  };
  const restore = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(store) || "null");
      if (!kept) return;
      who.value = String(kept.who || "");
      for (const [key, decision] of kept.decisions) if (byKey.has(key) && says[decision.decision]) decisions.set(key, decision);
    } catch {
      decisions.clear();
    }
  };
  const complete = (decision) => decision.decision !== "check_wrong" || (decision.layer && decision.reason.trim());
  const tell = () => {
    const all = Array.from(decisions.values());
    const open = all.filter((decision) => !complete(decision)).length;
    const lacks = open ? `; ${open} still need a layer and a reason` : "";
    $("decided").textContent = `${all.length.toLocaleString("en")} decided${lacks}`;
    $("save").disabled = all.length - open === 0;
  };
  const decide = (item, decision) => {
    if (decision) decisions.set(item.key, decision);
    else decisions.delete(item.key);
    item.row.querySelector(".state").classList.toggle("decided", decisions.has(item.key));
  };
  const settle = () => {
    keep();
    tell();
    if (form.elements.decided.value) apply();
  };
  // The controls of one decision; `changed` is told of each change.
  const fields = (name, start, changed) => {
    const layer = make("select", {}, make("option", { value: "", textContent: "choose" }));
    for (const id of data.layers) layer.append(make("option", { value: id, textContent: id }));
    const reason = make("textarea", { rows: 2, maxLength: 2000 });
    const layerLabel = make("label", {}, "Layer whose check is wrong ", layer);
    const box = make("fieldset", {}, make("legend", { textContent: "Decision" }));
    const radios = Object.keys(says).map((value) => make("input", { type: "radio", name, value }));
    const chosen = () => (radios.find((radio) => radio.checked) || {}).value;
    const read = () => {
      layerLabel.hidden = chosen() !== "check_wrong";
      changed(chosen() ? { decision: chosen(), layer: layerLabel.hidden ? "" : layer.value, reason: reason.value } : null);
    };
    const write = (decision) => {
      for (const radio of radios) radio.checked = Boolean(decision) && radio.value === decision.decision;
      layer.value = (decision && decision.layer) || "";
      reason.value = (decision && decision.reason) || "";
      layerLabel.hidden = chosen() !== "check_wrong";
    };
    for (const radio of radios) box.append(make("label", { className: "choice" }, radio, says[radio.value]));
    const clear = make("button", { type: "button", textContent: "No decision" });
    clear.addEventListener("click", () => {
      write(null);
      read();
    });
    box.append(layerLabel, make("label", {}, "Reason ", reason), make("div", {}, clear));
    box.addEventListener("input", read);
    write(start);
    return { box, write, read, radios };
  };
  const placed = new Map();
  const place = (item) => {
    if (!placed.has(item.key)) {
      const made = fields(`d${item.at}`, decisions.get(item.key), (decision) => {
        decide(item, decision);
        settle();
      });
      item.row.lastElementChild.append(made.box);
      placed.set(item.key, made);
    }
    placed.get(item.key).write(decisions.get(item.key));
    return placed.get(item.key);
  };
  const choose = (item, value) => {
    const made = place(item);
    const radio = made.radios.find((r) => r.value === value);
    radio.checked = true;
    made.read();
    radio.focus();
  };
  const file = () => ({
    version: 1,
    kind: "ragline-decisions",
    run: data.run,
    decisions: items
      .filter((item) => decisions.has(item.key) && complete(decisions.get(item.key)))
      .map((item) => {
        const { decision, layer, reason } = decisions.get(item.key);
        const entry = { suite: item.suite, id: item.id, decision };
        if (layer) entry.layer = layer;
        if (reason.trim()) entry.reason = reason.trim();
        if (who.value.trim()) entry.who = who.value.trim();
        if (item.expects) entry.expects = item.expects;
        if (item.answer) entry.answer = item.answer;
        return entry;
      }),
  });
  const save = () => {
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(file(), null, 2)}\n`], { type: "application/json" }));
    const link = make("a", { href: url, download: `decisions-${data.run}.json` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  // One decision, with one reason, for all that are shown.
  const many = make("dialog", {});
  const askMany = () => {
    const those = shown;
    let last = null;
    const made = fields("many", null, (decision) => {
      last = decision;
      yes.disabled = !decision || !complete(decision);
    });
    const yes = make("button", { type: "button", textContent: "Decide", disabled: true });
    const no = make("button", { type: "button", textContent: "Cancel" });
    yes.addEventListener("click", () => {
      for (const item of those) decide(item, { ...last });
      settle();
      many.close();
    });
    no.addEventListener("click", () => many.close());
    const heading = make("h2", { id: "many-title", textContent: `For all ${those.length.toLocaleString("en")} shown` });
    many.setAttribute("aria-labelledby", "many-title");
    many.replaceChildren(heading, made.box, make("p", {}, yes, " ", no));
    many.showModal();
  };

  const button = (id, text, className, action) => {
    const element = make("button", { type: "button", id, textContent: text, className });
    element.addEventListener("click", action);
    return element;
  };
  const bar = make(
    "div",
    { id: "bar", className: "js" },
    button("back", "← List", "view", back),
    button("before", "Before", "view", () => move(-1)),
    button("after", "Next", "view", () => move(1)),
    make("span", { id: "where", className: "view" }),
    make("span", { id: "decided" }),
    make("label", { className: "choice" }, "Your name ", who),
    button("save", "Save decisions", "", save),
    button("all", "Decide for all shown…", "", askMany),
    button("keys", "Keys: ?", "", () => help.showModal()),
  );
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Review");
  form.after(bar);
  list.after(more);
  new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && reach(limit), { rootMargin: "600px" }).observe(more);
  addEventListener("beforeprint", () => reach(shown.length));
  addEventListener("load", () => open && scrollTo(0, 0));
  document.body.append(many);
  who.addEventListener("input", keep);
  root.classList.add("scripted");
  restore();
  for (const item of items) if (decisions.has(item.key)) decide(item, decisions.get(item.key));
  apply();
  tell();
  route();
})();
