/** If red: sessions of other clients are not found in their homes. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findPlace, findTranscript } from "../src/entry/mcp/place.ts";
import { HOSTS, hostOf } from "../src/hosts/catalogue.ts";
import { hasDatabases } from "../src/hosts/opencode/disk/sessions.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { writeHomes } from "./support/host-homes.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { name } = createTemporaryFolder();

function createHome() {
  const home = name("");
  mkdirSync(home);
  return { home, files: writeHomes(home), environment: { HOME: home } };
}

const { home, files, environment } = createHome();

async function run(...words: readonly string[]): Promise<string> {
  const ran = await runPlimsoll(words, { environment, directory: "/ship/work" });
  expect([words, ran.exitCode, ran.remarks]).toEqual([words, 0, ""]);
  return ran.output;
}

describe("the homes of other clients", () => {
  it("are found by themselves, whatever else lies next to them", async () => {
    const { totals } = JSON.parse(await run("stats", "--json"));
    // A Node that cannot read OpenCode's database does without it.
    const [requests, input, read] = hasDatabases() ? [2, 200, 1600] : [0, 0, 0];
    expect([totals.requests, totals.inputTokens, totals.cacheReadTokens]).toEqual([
      6 + requests,
      900 + 304 + 903 + 400 + input,
      896 + 1800 + 600 + read,
    ]);
    const { rows } = JSON.parse(await run("stats", "--by", "host", "--json"));
    expect(rows.map(({ key }: { key: string }) => key).sort()).toEqual([
      "Codex",
      "Gemini CLI",
      ...(hasDatabases() ? ["OpenCode"] : []),
      "pi",
    ]);
  });

  it.each(Object.entries(files))("hold sessions of %s that every command reads", async (host, file) => {
    expect(hostOf(file).name).toBe(host);
    for (const command of ["health", "inspect", "state", "summary", "explain"])
      expect(await run(command, "--transcript", file)).not.toBe("");
    expect(await run("state", "--transcript", file)).toContain("sail to the harbour");
  });

  it("are told of by plimsoll now, the newest first", async () => {
    expect(await run("now")).toMatch(/sail to the harbour[\s\S]*\((?:Codex|pi|Gemini CLI)\)/);
  });

  it("are served to a client that does not say who it is: the newest session of the project", () => {
    const place = findPlace(environment, "/ship/work");
    expect(Object.values(files)).toContain(findTranscript(place));
  });

  it("say which client records no usage", async () => {
    expect(await run("health", "--transcript", files.copilot)).toContain("Copilot CLI records no usage");
    const { exitCode, remarks } = await runPlimsoll(["stats", files.copilot], { environment, directory: "/ship/work" });
    expect([exitCode, remarks]).toEqual([
      3,
      expect.stringContaining("Copilot CLI does not record what a request cost"),
    ]);
  });

  it("leave every other file to the first client", () => {
    for (const [file, text] of [
      ["a.jsonl", "not a record\n"],
      ["b.json", "{}"],
      ["c.jsonl", ""],
    ] as const) {
      const full = path.join(home, file);
      writeFileSync(full, text);
      expect(hostOf(full)).toBe(HOSTS[0]);
    }
  });
});
