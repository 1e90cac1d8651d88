/** If red: npm run lab -- replay prints figures that the recorded usage does not confirm. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { recordCompactedSession } from "../../test/support/compacted-session.ts";
import { createFakeTerminal } from "../../test/support/fake-terminal.ts";
import { buildLab } from "../../test/support/lab-program.ts";
import { listElements, parseXml } from "../../test/support/parse-xml.ts";
import { recordReadingSession } from "../../test/support/reading-session.ts";
import { createRunner } from "../../test/support/run-program.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { runLab } from "../lab.ts";

const temporary = createTemporaryFolder();
const run = createRunner(buildLab(temporary.name("")));

function write(name: string, text: string): string {
  const file = path.join(temporary.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  // Long ago: what was written just now is not remembered.
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  return file;
}

const all = path.join(temporary.folder, "all");
write("all/one/a.jsonl", recordReadingSession(5));
write("all/one/b.jsonl", recordReadingSession(4));
write("all/two/one-request.jsonl", recordReadingSession(1));

async function replay(words: readonly string[], home = temporary.name("")) {
  mkdirSync(home, { recursive: true });
  const { exitCode, output, remarks } = await run(["replay", ...words], { environment: { HOME: home } });
  expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
  return output;
}

const NEWEST = ["opus-5-5", "sonnet-5-5", "fable-5-1"];
const MODULE = ["door:module", "door:module+base", "door:module@1h+5m", "door:module+base@1h+5m"];
const THREE = ["--min-steps", "3"];

describe("npm run lab -- replay", () => {
  it("knows the product's policies, their rivals and variants", async () => {
    const report = JSON.parse(await replay([all, ...THREE, "--json"]));
    const names = report.policies.map(({ name }: { name: string }) => name);
    expect([...names].sort()).toEqual(
      [
        ...["native@200k", "native@100k", "native+split", "native+idle"],
        ...["plimsoll+base", "plimsoll+both"],
        ...["none", "native", "fifo", "clear_tool_uses", "mask_10", "opencode_prune", "gemini_mask", "dedupe_purge"],
        ...["plimsoll", "plimsoll+split", "plimsoll:tokens", "plimsoll:thrifty", "plimsoll:any-moment"],
        ...["plimsoll:at-boundaries", "plimsoll:at-turns", "plimsoll:cautious", "only:fold", "only:clear"],
        ...NEWEST.flatMap((model) => ["native", "plimsoll", "plimsoll+both"].map((row) => `${row}+${model}`)),
        ...["native@200k", "native@100k", "native+idle"].map((row) => `${row}+opus-5-5`),
        ...["only:collapse", "clairvoyant", "clairvoyant+recover"],
      ].sort(),
    );
  });

  it("drives each entry point through its own code where that is asked for, and shows them in a table of their own", async () => {
    const home = temporary.name("");
    const words = [all, ...THREE, "--policies", "native", "--doors"];
    const report = JSON.parse(await replay([...words, "--json"], home));
    const names = report.policies.map(({ name }: { name: string }) => name);
    const entryPoints = [
      ...MODULE,
      "door:hooks",
      "door:gateway",
      "door:gateway+base",
      "door:gateway+split",
      "door:gateway+both",
      "door:gateway-bound",
      "door:gateway-off",
      "door:library",
    ];
    const priced = MODULE.flatMap((row) => NEWEST.map((model) => `${row}+${model}`));
    const extras = ["native", ...NEWEST.map((model) => `native+${model}`)];
    expect([...names].sort()).toEqual([...entryPoints, ...priced, "door:gateway+opus-5-5", ...extras].sort());
    for (const { name, steps, left } of report.policies) expect([name, steps, left]).toEqual([name, undefined, []]);
    const shown = await replay(words, home);
    const from = shown.indexOf("Doors, each through its own code");
    const [, head, ...rows] = shown.slice(from).split("\n");
    expect(head).toMatch(/^door +\/native +90 % +worst +cost more +recalls +summaries$/);
    expect(rows.slice(0, entryPoints.length).map((row) => row.split(" ")[0])).toEqual(entryPoints);
    expect(await replay([all, ...THREE, "--policies", "door:hooks"], home)).not.toContain("door:module");
  });

  it("holds the simulator to the recorded usage", async () => {
    const { check } = JSON.parse(await replay([all, ...THREE, "--policies", "native", "--check", "--json"]));
    expect(check.sessions.map(({ name }: { name: string }) => name)).toEqual(["one/a.jsonl", "one/b.jsonl"]);
    expect(check.requests).toBe(7);
    expect(check.dollars.asTimeStampsExplain.totalRatio).toBeGreaterThan(0);
    const shown = await replay([all, ...THREE, "--policies", "native", "--check"]);
    expect(shown).toMatch(/^policy +all +90 % +200k +1M +short +median +worst +cost more$/m);
    expect(shown).toMatch(/^policy +requests +tokens +not cached/m);
    expect(shown).toContain("The simulator against what was recorded");
    expect(shown).toMatch(/as time stamps explain it +\d\.\d{3} +\d\.\d{3}/);
    expect(shown).toMatch(/^ +sessions +recorded +ratio +counted +recorded +ratio\nClaude Code +2 +\$/m);
  });

  it("holds a session with loaded tools, papers and a compaction to its usage, compaction included", async () => {
    const file = write("odd/compacted.jsonl", recordCompactedSession());
    const words = [file, "--min-steps", "20", "--check", "--policies", "native@100k"];
    const { check, policies, leftOut } = JSON.parse(await replay([...words, "--json"]));
    expect(leftOut).toEqual([]);
    expect(check).toMatchObject({ recordedCompactions: 1, simulatedCompactions: 1, unexplainedMisses: 0 });
    expect(check.clients).toMatchObject([{ client: "Claude Code", counted: { sessions: 1 }, leftOut: [] }]);
    expect(Math.abs(check.dollars.asTimeStampsExplain.totalRatio - 1)).toBeLessThan(0.03);
    expect(check.largestView.share).toBeGreaterThan(0.7);
    expect(check.largestView.share).toBeLessThanOrEqual(1);
    const find = (policy: string) => policies.find(({ name }: { name: string }) => name === policy);
    expect(find("native").peakTokens).toBeLessThan(167_000);
    expect(find("native@100k").peakTokens).toBeLessThan(67_000);
    expect(find("native").sendUsd).toBeCloseTo(check.sessions[0].simulatedUsd, 9);
    const shown = await replay(words);
    expect(shown).toMatch(/1 simulated and 1 recorded, each with the request that wrote its summary/);
    expect(shown).toMatch(/The largest simulated request: 0\.\d{3} of its window \(compacted\.jsonl\)/);
  });

  it("draws the frontier as SVG", async () => {
    const file = temporary.name(".svg");
    expect(await replay([all, ...THREE, "--plot", file])).toContain("Plot written");
    expect(listElements(parseXml(readFileSync(file, "utf8")), "circle").length).toBeGreaterThan(10);
  });

  it("walks anew where the marks are elsewhere", async () => {
    const home = temporary.name("");
    const words = [all, ...THREE, "--policies", "native", "--json"];
    const priced = ({ marks, policies }: { marks: string; policies: { netUsd: number }[] }) => [
      marks,
      policies[0]?.netUsd,
    ];
    const [, usd] = priced(JSON.parse(await replay(words, home)));
    expect(priced(JSON.parse(await replay([...words, "--marks", "atEdit"], home)))).toEqual(["atEdit", usd]);
  });
});

describe("a module of policies", () => {
  const quiet = '{ name: "quiet", about: "does nothing", create: () => ({ plan: () => ({ edits: [] }) }) }';
  const fails =
    '{ name: "fails", about: "throws", create: ({ session }) => { if (session.steps.length === 4) throw new Error("no idea"); return { plan: () => ({ edits: [] }) }; } }';

  it("brings further policies into every thread", async () => {
    const module = write("peers.mjs", `export const policies = [${quiet}];`);
    const { policies } = JSON.parse(
      await replay([all, ...THREE, "--with", module, "--policies", "quiet,none", "--json"]),
    );
    const net = Object.fromEntries(
      policies.map(({ name, netUsd }: { name: string; netUsd: number }) => [name, netUsd]),
    );
    expect(Object.keys(net).sort()).toEqual(["native", "none", "quiet"]);
    expect(net.quiet).toBe(net.none);
  });

  it("costs the totals every session that one of its policies cannot walk through", async () => {
    const module = write("failing.mjs", `export const policies = [${fails}];`);
    const { sessions, leftOut } = JSON.parse(
      await replay([path.join(all, "one"), ...THREE, "--with", module, "--json"]),
    );
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(["a.jsonl"]);
    expect(leftOut).toEqual([{ name: "b.jsonl", why: "fails failed: no idea" }]);
  });
});

describe("a wrong call", () => {
  const notPolicies = write("not-policies.mjs", "export const policies = [{ name: 1 }];");
  const twice = write("twice.mjs", 'export const policies = [{ name: "native", about: "", create: () => ({}) }];');
  const throwing = write("throwing.mjs", 'throw new Error("no luck");');

  it.each([
    [["--marks", "nowhere"], '--marks takes client, atEdit, not "nowhere"'],
    [["--plot", "out.png"], '--plot writes SVG: name a file that ends in .svg, not "out.png"'],
    [["--plot", "nowhere/out.svg"], "there is no folder nowhere to write the plot into: make it first"],
    [["--with", "nothing.mjs"], "there is no module nothing.mjs: pass a .mjs file that exports policies"],
    [["--with", notPolicies], "exports no policies: it needs"],
    [["--with", twice], 'twice.mjs brings a policy "native", and there is one: give it another name'],
    [["--with", throwing], "throwing.mjs: no luck"],
  ])("is answered with the way out: %j", async (words, message) => {
    const terminal = createFakeTerminal({ directory: temporary.folder });
    expect(await runLab(["replay", all, ...words], terminal)).toBe(2);
    expect(terminal.output()).toBe("");
    expect(terminal.remarks()).toContain(message);
  });
});
