import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, chromium as driver, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { chromium } from "./find-chromium.ts";

const SCREENSHOTS = path.resolve(import.meta.dirname, "../screenshots");

export interface View {
  readonly width?: number;
  readonly colours?: "light" | "dark";
  readonly hasTouch?: boolean;
}

export interface TestBrowser {
  /** A page of its own, whose errors fail the test that asks for them. */
  open(url: string, view?: View): Promise<TestPage>;
}

export interface TestPage {
  readonly page: Page;
  /** Everything the page complained of: exceptions, errors on the console, refused loads. */
  readonly complaints: readonly string[];
  shoot(name: string): Promise<void>;
}

/** One browser for a test file. */
export function createBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    if (chromium === undefined) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  });
  // A page that is left open is drawn anew with every change, and takes its time from those that follow.
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    async open(url, { width = 1280, colours = "light", hasTouch = false } = {}) {
      if (!browser) throw new Error("there is no browser: these tests are to be skipped");
      const context = await browser.newContext({ colorScheme: colours, hasTouch, viewport: { width, height: 900 } });
      contexts.push(context);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (line) => {
        if (line.type() === "error" || line.type() === "warning") complaints.push(line.text());
      });
      page.on("requestfailed", (failed) => complaints.push(`${failed.url()} failed`));
      await page.goto(url);
      return {
        page,
        complaints,
        shoot: async (name) => {
          await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
        },
      };
    },
  };
}
