// Looks at the reports that html-check.sh wrote, in a browser. Ends with 1 when anything is not as it should be.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chromium } from "playwright";

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const address = (path) => `file://${process.cwd()}/${path}`;
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
let failed = 0;

// A page with all that it complained of.
const open = async (path, options = {}, hash = "") => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const said = [];
  // What the page's main thread takes, whatever else the machine does.
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") && !request.url().startsWith("blob:") && !request.url().startsWith("data:")) said.push(`request: ${request.url()}`);
  });
  await page.goto(address(path) + hash);
  return { page, said, busy, end: () => context.close() };
};
const rows = (page) => page.locator(".question:not([hidden])");
const keysOf = (page) => rows(page).evaluateAll((all) => all.map((row) => row.id));
const hash = (page) => page.evaluate(() => location.hash);

const tests = {
  "filters by change, layer, tag, severity, owner": async () => {
    const { page, said, end } = await open("shop/vi.html");
    const data = JSON.parse(await page.locator("#data").textContent());
    for (const [name, of] of [
      ["change", (q) => [q.change]],
      ["layer", (q) => q.layers],
      ["tag", (q) => q.tags],
      ["severity", (q) => [q.severity]],
      ["owner", (q) => [q.owner]],
      ["was", (q) => [q.was]],
      ["now", (q) => [q.now]],
    ]) {
      const select = page.locator(`#filter select[name=${name}]`);
      const values = await select.locator("option").evaluateAll((all) => all.map((o) => o.value).filter(Boolean));
      assert.ok(values.length > 0, name);
      for (const value of values) {
        await select.selectOption(value);
        const right = data.questions.filter((q) => of(q).includes(value)).map((q) => q.key);
        assert.deepEqual(await keysOf(page), right, `${name}=${value}`);
        assert.equal(await hash(page), `#${new URLSearchParams([[name, value]])}`);
      }
      await page.locator("#filter button[type=reset]").click();
      await page.waitForFunction(() => location.hash === "");
      assert.equal(await rows(page).count(), data.questions.length);
    }
    await page.locator(".counts a").first().click();
    assert.equal(await page.locator("#status").textContent(), "8 of 32 questions");
    assert.deepEqual(said, []);
    await end();
  },
  "searches with marks and without": async () => {
    const { page, end } = await open("shop/vi.html");
    const search = page.locator("#filter input[name=text]");
    await search.fill("ĐỔI trả");
    const right = await keysOf(page);
    assert.ok(right.includes("shop-vi::return-window") && right.length < 32);
    await search.fill("doi tra");
    assert.deepEqual(await keysOf(page), right);
    await search.fill("17 ngày vi::return-window");
    assert.deepEqual(await keysOf(page), ["shop-vi::return-window"]);
    await search.fill("no such words");
    assert.equal(await page.locator("#status").textContent(), "0 of 32 questions");
    await end();
    for (const [language, words] of [["th", "17 วัน"], ["zh", "十七天"], ["en", "17 days"]]) {
      const other = await open(`shop/${language}.html`);
      await other.page.locator("#filter input[name=text]").fill(words);
      assert.ok((await keysOf(other.page)).includes(`shop-${language}::return-window`), words);
      await other.end();
    }
  },
  "deep links lead to a question and to a filter": async () => {
    const { page, said, end } = await open("shop/vi.html", {}, "#shop-vi::express-fee");
    assert.ok(await page.locator('[id="shop-vi::express-fee"] .body').isVisible());
    assert.equal(await page.locator(".question:visible").count(), 1);
    assert.ok(!(await page.locator("#summary").isVisible()));
    assert.match(await page.title(), /^shop-vi::express-fee · /);
    await page.locator("#back").click();
    assert.ok(await page.locator("#summary").isVisible());
    assert.equal(await page.locator(".question:visible").count(), 32);
    await page.goto(`${address("shop/vi.html")}#change=regressed&layer=citation`);
    assert.deepEqual(await keysOf(page), ["shop-vi::express-fee", "shop-vi::points-share"]);
    assert.equal(await page.locator("#filter select[name=layer]").inputValue(), "citation");
    // A link from the matrix, then a question, then back with the browser's own key.
    await page.goto(address("shop/vi.html"));
    await page.locator("a[href='#was=pass&now=fail']").click();
    assert.equal(await rows(page).count(), 8);
    await rows(page).nth(1).locator("summary").click();
    assert.equal(await page.locator(".question:visible").count(), 1);
    await page.goBack();
    assert.equal(await rows(page).count(), 8);
    // The page of a code.
    await rows(page).nth(0).locator("summary").click();
    await page.locator(".question.on .reasons a.code").first().click();
    assert.ok(await page.locator("#codes details[open] pre").isVisible());
    assert.deepEqual(said, []);
    await end();
  },
  "is worked by the keyboard alone": async () => {
    const { page, said, end } = await open("shop/vi.html");
    const focused = () => page.evaluate(() => document.activeElement.closest(".question")?.id);
    const all = await keysOf(page);
    await page.keyboard.press("j");
    assert.equal(await focused(), all[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert.equal(await focused(), all[1]);
    await page.keyboard.press("Enter");
    assert.equal(await hash(page), `#${all[1]}`);
    await page.keyboard.press("j");
    assert.equal(await hash(page), `#${all[2]}`);
    assert.equal(await page.locator(".question:visible").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await focused(), all[2]);
    assert.equal(await page.locator(".question:visible").count(), 32);
    await page.keyboard.press("/");
    await page.keyboard.type("jk?");
    assert.equal(await page.locator("#filter input[name=text]").inputValue(), "jk?");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("#help").isVisible()));
    // Everything is reached by Tab: what can be focused is, in its order.
    await page.goto(`${address("shop/vi.html")}#change=fixed`);
    await page.goto(`${address("shop/vi.html")}#change=regressed`);
    const wanted = await page.evaluate(() =>
      Array.from(document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']"))
        .filter((e) => !e.disabled && e.checkVisibility({ contentVisibilityAuto: false }) && !e.closest("dialog"))
        .map((e) => e.textContent.slice(0, 40)),
    );
    const met = [];
    await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
    await page.locator("body").focus().catch(() => {});
    for (let n = 0; n < wanted.length + 3; n += 1) {
      await page.keyboard.press("Tab");
      met.push(await page.evaluate(() => document.activeElement.textContent.slice(0, 40)));
    }
    for (const one of wanted) assert.ok(met.includes(one), `Tab reaches ${one}`);
    assert.deepEqual(said, []);
    await end();
  },
  "saves decisions, and has them again": async () => {
    const { page, said, end } = await open("shop/vi.html", {}, "#shop-vi::return-window");
    await page.locator("input[name=who]").fill("Lan");
    await page.locator(".question.on input[value=accept]").check();
    await page.locator(".question.on textarea").fill("the shop changed it");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.goto(`${address("shop/vi.html")}#shop-vi::express-fee`);
    await page.locator(".question.on summary").focus();
    await page.keyboard.press("3");
    assert.match(await page.locator("#decided").textContent(), /2 decided; 1 still need a layer and a reason/);
    await page.locator(".question.on select").selectOption("citation");
    await page.locator(".question.on textarea").fill("passage 2 says it too </script>");
    assert.equal(await page.locator("#decided").textContent(), "2 decided");
    await page.locator("#back").click();
    // One decision for all that are shown.
    await page.goto(`${address("shop/vi.html")}#layer=retrieval&change=regressed`);
    await page.locator("#all").click();
    await page.locator("dialog[open] input[value=keep]").check();
    await page.locator("dialog[open] textarea").fill("the index is old");
    await page.locator("dialog[open] button", { hasText: "Decide" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
    await download.saveAs("decisions.json");
    const file = JSON.parse(readFileSync("decisions.json", "utf8"));
    assert.deepEqual([file.version, file.kind, file.decisions.length], [1, "ragline-decisions", 4]);
    assert.match(download.suggestedFilename(), /^decisions-.*\.json$/);
    const of = (id) => file.decisions.find((d) => d.id === id);
    const { suite, decision, reason, who, layer } = of("return-window");
    assert.deepEqual([suite, decision, reason, who, layer], ["shop-vi", "accept", "the shop changed it", "Lan", undefined]);
    assert.match(of("return-window").expects, /^[0-9a-f]{8,}$/);
    assert.match(of("return-window").answer, /^[0-9a-f]{16}$/);
    assert.deepEqual([of("express-fee").decision, of("express-fee").layer], ["check_wrong", "citation"]);
    assert.deepEqual([of("refund-card").decision, of("refund-card").reason], ["keep", "the index is old"]);
    // Opened again, they are still there.
    await page.reload();
    assert.equal(await page.locator("#decided").textContent(), "4 decided");
    await page.locator("#filter button[type=reset]").click();
    await page.locator("#filter select[name=decided]").selectOption("yes");
    assert.equal(await rows(page).count(), 4);
    assert.deepEqual(said, []);
    await end();
  },
  "reads without its script": async () => {
    const { page, end } = await open("shop/th.html", { javaScriptEnabled: false });
    assert.ok(await page.locator("h1").isVisible());
    assert.equal(await page.locator("#filter").isVisible(), false);
    await page.locator(".question summary").first().click();
    assert.ok(await page.locator(".question .body blockquote").first().isVisible());
    await end();
  },
  "its policy holds": async () => {
    const { page, said, end } = await open("shop/vi.html");
    const blocked = await page.evaluate(async () => {
      const seen = [];
      addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
      const put = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
      put("script", { textContent: "window.ran = 1" });
      put("img", { src: "x:/", onerror: null });
      const link = document.createElement("a");
      link.setAttribute("onclick", "window.ran = 2");
      document.body.append(link);
      link.click();
      put("style", { textContent: "h1 { display: none }" });
      await fetch("http://127.0.0.1:9/").catch(() => seen.push("no fetch"));
      await new Promise((done) => setTimeout(done, 200));
      return { seen, ran: window.ran, h1: getComputedStyle(document.querySelector("h1")).display };
    });
    assert.equal(blocked.ran, undefined, "an injected script does not run");
    assert.notEqual(blocked.h1, "none", "an injected style does not hold");
    for (const directive of ["script-src-elem", "script-src-attr", "style-src-elem", "img-src", "connect-src"]) {
      assert.ok(blocked.seen.includes(directive), `${directive}: ${blocked.seen}`);
    }
    assert.ok(said.every((line) => /Content Security Policy|violates|blocked|^request: x:|http:\/\/127.0.0.1:9/.test(line)), said.join("\n"));
    await end();
    // Markup in the file itself that our writer did not write: the same page with a script put into it.
    const html = readFileSync("shop/vi.html", "utf8").replace("<main>", "<main><script>window.ran = 3</script><b onclick=1>x</b>");
    writeFileSync("shop/put.html", html);
    const put = await open("shop/put.html");
    assert.equal(await put.page.evaluate(() => window.ran), undefined);
    await put.end();
  },
  "hostile text stays text": async () => {
    const { page, said, end } = await open("many/many.html", {}, "#many::q00000");
    const on = page.locator(".question.on");
    assert.ok(await on.locator(".body").isVisible());
    assert.equal(await page.evaluate(() => window.ran), undefined);
    assert.equal(await on.locator("img, script, iframe, object, base, noscript").count(), 0);
    const text = await on.locator(".body").textContent();
    for (const part of ["<img src=x onerror=\"window.ran = 4\">", "</noscript></details><script>window.ran = 5</script>", "\\u{202e}", "␀"]) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(await page.locator(".question").count(), Number(process.env.QUESTIONS || 5000));
    assert.deepEqual(said, []);
    await end();
  },
  "axe finds nothing": async () => {
    let looked = 0;
    for (const language of ["vi", "th", "zh", "en"]) {
      for (const [options, where] of [
        [{}, ""],
        [{ colorScheme: "dark" }, ""],
        [{ viewport: { width: 390, height: 844 } }, ""],
        [{}, `#shop-${language}::return-window`],
        [{ colorScheme: "dark", viewport: { width: 390, height: 844 } }, `#shop-${language}::robot-vacuum-price`],
      ]) {
        // axe is put in beside the policy, which would not let it run.
        const { page, end } = await open(`shop/${language}.html`, { ...options, bypassCSP: true }, where);
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("details:not(.question)")) details.open = true;
          document.querySelectorAll(".question").forEach((q) => (q.style.contentVisibility = "visible"));
        });
        await page.evaluate(axe);
        const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        const told = found.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary}`)}`);
        assert.deepEqual(told, [], `${language} ${where}`);
        looked += found.passes.length;
        await end();
      }
    }
    return `${looked} rules passed on 20 pages`;
  },
  "a phone needs no scrolling to the side": async () => {
    for (const language of ["vi", "th", "zh", "en"]) {
      for (const where of ["", `#shop-${language}::return-window`]) {
        for (const width of [320, 390]) {
          const { page, end } = await open(`shop/${language}.html`, { viewport: { width, height: 800 } }, where);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${language} ${where} is ${wide} wider than ${width}`);
          await end();
        }
      }
    }
  },
  "many questions load and filter fast": async () => {
    const out = [`${(statSync("many/many.html").size / 1e6).toFixed(1)} MB`];
    const loads = [];
    const works = [];
    let slow = false;
    for (let n = 0; n < 5; n += 1) {
      const { page, said, busy, end } = await open("many/many.html");
      const took = await page.evaluate(
        () =>
          new Promise((done) => {
            requestAnimationFrame(() => setTimeout(() => done(performance.now())));
          }),
      );
      loads.push(took);
      works.push(await busy());
      if (n === 4) {
        assert.equal(await page.locator("#status").textContent(), `${Number(process.env.QUESTIONS || 5000).toLocaleString("en")} questions`);
        const filter = (name, value) =>
          page.evaluate(
            ([name, value]) =>
              new Promise((done) => {
                const control = document.getElementById("filter").elements[name];
                const began = performance.now();
                control.value = value;
                control.dispatchEvent(new Event("input", { bubbles: true }));
                // Until the frame that shows it was drawn.
                requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
              }),
            [name, value],
          );
        // The first one, at once.
        const cold = await filter("text", "17 ngay");
        const took = [];
        const before = await busy();
        for (const [name, value] of [
          ["text", "ngay nhan"], ["text", "วัน"], ["text", "退货"], ["text", "item 17"], ["text", ""],
          ["change", "regressed"], ["change", ""], ["tag", "odd"], ["tag", ""], ["owner", "team-3"], ["owner", ""],
          ["layer", "facts"], ["layer", ""], ["now", "fail"], ["now", ""],
        ]) {
          took.push([await filter(name, value), `${name}=${value}`]);
        }
        const worst = took.reduce((a, b) => (a[0] > b[0] ? a : b));
        const median = took.map((t) => t[0]).sort((a, b) => a - b)[Math.floor(took.length / 2)];
        out.push(`filter: median ${median.toFixed(0)} ms, worst ${worst[0].toFixed(0)} ms (${worst[1]}), first search ${cold.toFixed(0)} ms`);
        out.push(`work for one filter: ${((await busy()) - before) / took.length | 0} ms`);
        slow = Math.max(worst[0], cold) >= 100;
        assert.equal(await rows(page).count(), 100);
        await page.locator("#more").scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelectorAll(".question:not([hidden])").length >= 200);
        await page.locator("#filter select[name=owner]").focus();
        await page.keyboard.press("Escape");
        await page.keyboard.press("j");
        await page.keyboard.press("Enter");
        assert.equal(await page.locator(".question:visible").count(), 1);
        // The last of all is reached by its address.
        const last = await page.locator(".question").last().getAttribute("id");
        await page.evaluate((key) => { location.hash = key; }, last);
        await page.waitForFunction((key) => document.querySelector(".question.on")?.id === key, last);
        await page.locator("#back").click();
        assert.ok(await page.locator(".question").last().isVisible());
      }
      assert.deepEqual(said, []);
      await end();
    }
    loads.sort((a, b) => a - b);
    works.sort((a, b) => a - b);
    out.push(`work of a load: median ${works[2].toFixed(0)} ms`);
    out.push(`load until drawn: median ${loads[2].toFixed(0)} ms, worst ${loads[4].toFixed(0)} ms of 5`);
    assert.ok(!slow && loads[2] < 2000, out.join("; "));
    return out.join("; ");
  },
  "pictures": async () => {
    mkdirSync("pictures", { recursive: true });
    const looks = {
      desktop: {},
      dark: { colorScheme: "dark" },
      phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
    };
    let n = 0;
    for (const [look, options] of Object.entries(looks)) {
      for (const language of ["vi", "th", "zh", "en"]) {
        for (const [name, where] of [["top", ""], ["list", "#change=regressed"], ["question", `#shop-${language}::return-window`]]) {
          const { page, end } = await open(`shop/${language}.html`, options, where);
          await page.waitForTimeout(100);
          await page.screenshot({ path: `pictures/${look}-${language}-${name}.png` });
          n += 1;
          await end();
        }
      }
    }
    const { page, end } = await open("shop/vi.html", {}, "#shop-vi::return-window");
    await page.pdf({ path: "pictures/print.pdf", format: "A4" });
    await end();
    return `${n} in pictures/, and print.pdf`;
  },
};

const wanted = process.argv.slice(2);
for (const [name, test] of Object.entries(tests)) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  try {
    const said = await test();
    console.log(`ok      ${name}${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
