// Draws the pictures of the documents from the sample session, a minute after its last request: `npm run pictures`. The terminal's
// is the program's own output and the same bytes every time; the page's is what Chromium shows, and is left alone without one.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { drawTerminal } from "./draw-terminal.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const program = path.join(root, "dist/plimsoll.cjs");
const images = process.argv[2] ?? path.join(root, "docs/images");
const isTerminalOnly = process.argv.includes("--terminal");
const PROJECT = "/home/dev/shop";

/** A home in which the sample is the person's own session, and a clock that stands a minute after it. */
const home = mkdtempSync(path.join(tmpdir(), "plimsoll-pictures-"));
const sessions = path.join(home, ".claude/projects", PROJECT.replaceAll("/", "-"));
mkdirSync(sessions, { recursive: true });
cpSync(path.join(root, "samples/demo-session.jsonl"), path.join(sessions, "demo-session.jsonl"));
const times = [...readFileSync(path.join(sessions, "demo-session.jsonl"), "utf8").matchAll(/"timestamp":"([^"]+)"/g)];
const nowMs = Math.max(...times.map(([, time]) => Date.parse(time))) + 60_000;
const clock = path.join(home, "clock.cjs");
writeFileSync(clock, `Date.now = () => ${nowMs};`);
const environment = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", PLIMSOLL_BACKGROUND: "0" };

try {
  drawCommands(path.join(images, "terminal.svg"));
  if (!isTerminalOnly) await drawPage(path.join(images, "page.png"));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function drawCommands(file) {
  const run = (words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", clock, program, ...words], {
      cwd: home,
      env: { ...environment, FORCE_COLOR: "1", COLUMNS: "80" },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`plimsoll ${words.join(" ")} failed: ${stderr}`);
    return stdout;
  };
  const commands = [
    { typed: "plimsoll", output: run([]) },
    { typed: "plimsoll inspect --session 1", output: run(["inspect", "--session", "1"]) },
  ];
  writeFileSync(file, drawTerminal(commands));
}

async function drawPage(file) {
  const places = [
    process.env.CHROMIUM ?? "",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  const executablePath = places.find((place) => place !== "" && existsSync(place));
  if (executablePath === undefined)
    return console.error("No Chromium was found: the picture of the page stays as it is.");
  const { chromium } = await import("playwright-core");
  const server = spawn(process.execPath, ["--require", clock, program, "dashboard", "--json"], {
    cwd: home,
    env: environment,
  });
  const url = await new Promise((resolve, reject) => {
    let heard = "";
    server.stdout.on("data", (bytes) => {
      heard += bytes;
      const found = /"url": "([^"]+)"/.exec(heard)?.[1];
      if (found) resolve(found);
    });
    server.once("close", () => reject(new Error("the page is not served")));
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1040 }, colorScheme: "light" });
    await page.clock.setFixedTime(nowMs);
    await page.goto(url);
    await page.getByText("Refunds off by a cent").first().waitFor();
    // However busy the machine is, the picture shows the finished page.
    await page.locator(".reading").waitFor({ state: "hidden" });
    await page.getByText("Finding out what to do…").waitFor({ state: "hidden" });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
    server.kill("SIGTERM");
  }
}
