// The HTML report in a real Chromium: nothing is loaded, nothing runs, nothing scrolls sideways on a phone, and texts stay texts.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { html } from "../../src/report/html.ts";
import type { ScanReport } from "../../src/report/model.ts";
import { everywhere, HOSTILE } from "./arbitrary.ts";
import { axe } from "./axe.ts";
import { type Browser, startChromium } from "./chromium.ts";
import { plain, sample } from "./sample.ts";

const folder = mkdtempSync(join(tmpdir(), "fourgate-page-"));
let browser: Browser;
beforeAll(() => {
  browser = startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

let pages = 0;
function pageOf(text: string): string {
  pages += 1;
  const file = join(folder, `${pages}.html`);
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}
const written = (report: ScanReport): string => pageOf(html.write(report, plain));

const hostile = everywhere(`${HOSTILE.join(" ")} ${"unbroken".repeat(200)}`);
const OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })";
/** Elements that stick out to the right, though nothing but a block that scrolls by itself may. */
const SIDEWAYS = `[document.documentElement.scrollWidth > innerWidth,
  ...[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName)]`;

describe.each([
  ["a usual report", sample],
  ["hostile texts", hostile],
])("%s", (_what, report) => {
  test.each([
    ["on a phone", { width: 360 }],
    ["on a phone, dark", { width: 360, dark: true }],
    ["on a small screen", { width: 900 }],
    ["on a large screen", { width: 1600, dark: true }],
  ])("%s: no request, no error, nothing sideways", async (_where, view) => {
    const page = await browser.open(written(report), view);
    await page.evaluate(OPEN_ALL);
    expect(await page.evaluate(SIDEWAYS)).toEqual([false]);
    expect(await page.evaluate("document.querySelectorAll('.cases > tbody').length")).toBe(report.cases.length);
    expect(page.incidents).toEqual([]);
    if (view.width !== 900) expect(await axe(page)).toEqual([]);
  });
});

test("hostile texts are shown as texts", async () => {
  const text = "</pre><script>document.title = 'forged'</script><img src=x onerror=\"document.title = 'forged'\">";
  const page = await browser.open(written(everywhere(text)));
  expect(await page.evaluate("document.title")).toMatch(/^fourgate scan: /);
  expect(await page.evaluate("document.querySelectorAll('script, img').length")).toBe(0);
  expect(await page.evaluate("document.querySelector('.cases .name').textContent")).toBe(text);
  const shown = await page.evaluate("document.querySelector('.whole pre').textContent");
  expect(JSON.parse(shown).cases[0].name).toBe(text);
  expect(page.incidents).toEqual([]);
});

test("what a page must not do would be seen", async () => {
  const bad = html
    .write(sample, plain)
    .replace(
      "</main>",
      '<img src="http://127.0.0.1:9/x.png"><script>document.title = "ran"</script><b style="color:red">x</b></main>',
    );
  const page = await browser.open(pageOf(bad));
  await page.evaluate("1");
  expect(page.incidents.filter((one) => one.includes("Content Security Policy")).length).toBeGreaterThanOrEqual(3);
  expect(await page.evaluate("document.title")).not.toBe("ran");
});

test("dark and light have colours of their own, each with enough contrast", async () => {
  const backgrounds: string[] = [];
  for (const dark of [false, true]) {
    const page = await browser.open(written(sample), { width: 1280, dark });
    backgrounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    const low = await page.evaluate(`(${lowContrast})()`);
    expect(low).toEqual([]);
  }
  expect(new Set(backgrounds).size).toBe(2);
});

test("printed: evidence is there without being opened, the whole JSON is not", async () => {
  const page = await browser.open(written(sample));
  const styles = () =>
    page.evaluate(`[
      getComputedStyle(document.querySelector(".cases details"), "::details-content").contentVisibility,
      getComputedStyle(document.querySelector(".whole")).display,
    ]`);
  expect(await styles()).toEqual(["hidden", "block"]);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  expect(await styles()).toEqual(["visible", "none"]);
  const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
  expect(Buffer.from(data, "base64").subarray(0, 5).toString()).toBe("%PDF-");
});

/** Texts whose colour is too near to what is behind them (WCAG 2: 4.5 to 1); runs in the page. */
const lowContrast = `function () {
  const rgb = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [r, g, b] = rgb(color).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((rgb(color)[3] ?? 1) > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
    .map((one) => {
      const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), one.className || one.tagName];
    })
    .filter(([ratio]) => ratio < 4.5);
}`;
