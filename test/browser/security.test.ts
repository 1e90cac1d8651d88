/** If red: another web page reads a person's sessions, or the page's server listens to other machines. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createWorld, readLines, SAMPLE } from "./support/create-world.ts";
import { chromium } from "./support/find-chromium.ts";
import { createBrowser } from "./support/open-browser.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const temporary = createTemporaryFolder();

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

function ask(url: string, { path, method = "GET", headers = {} }: Asked = {}): Promise<Answered> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: path ?? pathname, method, headers: { ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (bytes: Buffer) => {
        text += bytes.toString("utf8");
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.once("error", reject);
    asked.end();
  });
}

describe("the dashboard's entry point", () => {
  const world = createWorld(temporary.folder);
  world.append("6bb1e92a-6e43-4b90-8c08-5573040823fb", readLines(SAMPLE));
  let dashboard: RunningDashboard | undefined;
  let url = "";
  let port = 0;
  let token = "";
  beforeAll(async () => {
    dashboard = await startDashboard(world.home);
    url = dashboard.url;
    port = dashboard.port;
    token = new URL(url).pathname.split("/")[1] ?? "";
  });
  afterAll(() => dashboard?.stop());
  const browser = createBrowser();

  it("sends who left out the last slash to the whole address", async () => {
    expect(await ask(url, { path: `/${token}` })).toMatchObject({ status: 308, headers: { location: `/${token}/` } });
  });

  it("lets in who has the address", async () => {
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(await ask(url)).toMatchObject({ status: 200 });
    expect(await ask(`${url}api/sessions`)).toMatchObject({ status: 200 });
    expect(await ask(url, { headers: { host: `localhost:${port}` } })).toMatchObject({ status: 200 });
    expect(await ask(url, { headers: { origin: `http://127.0.0.1:${port}` } })).toMatchObject({ status: 200 });
  });

  const refused: readonly (readonly [string, () => Asked])[] = [
    ["no token", () => ({ path: "/" })],
    ["no token for data", () => ({ path: "/api/sessions" })],
    ["no token for events", () => ({ path: "/events" })],
    ["a wrong token", () => ({ path: `/${"A".repeat(32)}/` })],
    ["a part of the token", () => ({ path: `/${token.slice(0, -1)}/` })],
    ["the token in another place", () => ({ path: `/?token=${token}` })],
    ["a foreign host", () => ({ headers: { host: `attacker.example:${port}` } })],
    ["a host that only begins like ours", () => ({ headers: { host: `127.0.0.1:${port}.attacker.example` } })],
    ["another port", () => ({ headers: { host: "127.0.0.1:1" } })],
    ["a foreign origin", () => ({ headers: { origin: "https://attacker.example" } })],
    ["no origin at all, as a sandbox has", () => ({ headers: { origin: "null" } })],
    ["a method that writes", () => ({ method: "POST" })],
    [
      "a question whether others may ask",
      () => ({ method: "OPTIONS", headers: { origin: `http://127.0.0.1:${port}` } }),
    ],
  ];

  it.each(refused)("refuses %s", async (_, describeRequest) => {
    const { status, text, headers } = await ask(url, describeRequest());
    expect(status).toBe(403);
    expect(text).not.toContain(token);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it.each([
    "api/session?key=../../etc/passwd",
    "api/request?key=0000000000000000&request=1",
    "api/nothing",
    "../../package.json",
    "page.js.map",
  ])("finds nothing at %s", async (place) => {
    const { pathname } = new URL(url);
    const { status } = await ask(url, { path: `${pathname}${place}` });
    expect([403, 404]).toContain(status);
  });

  it("sends strict headers with everything", async () => {
    for (const place of ["", "page.js", "api/sessions", "nothing"]) {
      const { headers } = await ask(`${url}${place}`);
      expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
      expect(headers["content-security-policy"]).not.toContain("unsafe");
      expect(headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    }
  });

  it.skipIf(chromium === undefined)("counts what it refused, and shows it", async () => {
    const { page } = await browser.open(url);
    const footer = page.getByRole("contentinfo");
    await footer.getByText(/attempts to read this page refused/).waitFor();
    const before = await footer.textContent();
    expect(before).toMatch(
      /\d+ without this page's secret address, \d+ under a host name that is not this machine's, \d+ from another website/,
    );
    await ask(url, { path: "/" });
    await page.waitForFunction((known) => document.querySelector("footer")?.textContent !== known, before);
  });

  it.skipIf(chromium === undefined)("is not read by a page of another origin", async () => {
    const { page } = await browser.open(`http://127.0.0.1:${port}/`);
    await page.goto("data:text/html,<p>elsewhere</p>");
    const read = await page.evaluate(
      (target) =>
        fetch(target).then(
          (answer) => answer.status,
          (error: unknown) => String(error),
        ),
      `${url}api/sessions`,
    );
    expect(read).toContain("Failed to fetch");
  });

  it("listens on loopback only, and ends when it is told to", async () => {
    expect(await dashboard?.stop()).toBe(0);
    await expect(ask(url)).rejects.toThrow("ECONNREFUSED");
  });
});
