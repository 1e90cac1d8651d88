/** If red: a client started through the gateway reaches another upstream, or its exit status is lost. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { CliError } from "../../command.ts";
import { addressClient, runChild } from "./run.ts";

const URL = "http://127.0.0.1:1";

describe("a client that is run through a gateway", () => {
  it("reads a variable, and what stood in it is the upstream", () => {
    const client = addressClient("claude", ["-p", "x"], { ANTHROPIC_BASE_URL: "http://up" });
    expect([client.upstream, client.words(URL), client.environment(URL)]).toEqual([
      "http://up",
      ["-p", "x"],
      { ANTHROPIC_BASE_URL: URL },
    ]);
    expect(addressClient("claude", [], {}).upstream).toBeUndefined();
  });

  it.each(["codex", "/usr/local/bin/codex", "codex.exe"])("is told in its own words where it is %s", (program) => {
    const client = addressClient(program, ["exec", "x"], {});
    expect([client.upstream, client.words(URL), client.environment(URL)]).toEqual([
      "https://api.openai.com/v1",
      ["-c", `openai_base_url="${URL}"`, "exec", "x"],
      {},
    ]);
  });
});

const { folder } = createTemporaryFolder();
const at = (name: string): string => path.join(folder, name);

/** What a search path holds. Not a folder of the program's name: bash looks no further behind the first one. */
const PLACES = ["programs", "plain", "closed", "file", "missing", ""] as const;

for (const name of ["programs", "plain", "closed", "folders/tool", "here"]) mkdirSync(at(name), { recursive: true });
writeFileSync(at("programs/tool"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
writeFileSync(at("plain/tool"), "#!/bin/sh\nexit 7\n", { mode: 0o644 });
writeFileSync(at("file"), "in the way");
chmodSync(at("closed"), 0);
afterAll(() => chmodSync(at("closed"), 0o700));

const pathOf = (places: readonly string[]): string => places.map((name) => (name === "" ? "" : at(name))).join(":");

async function runTool(program: string, PATH: string | undefined): Promise<number> {
  try {
    return await runChild(program, [], { environment: { PATH }, directory: at("here") });
  } catch (error) {
    if (error instanceof CliError) return error.exitCode;
    throw error;
  }
}

describe("a program's exit status", () => {
  it.each([
    ["that is found", ["missing", "programs"], 7],
    ["that is found behind one that may not be run", ["plain", "programs"], 7],
    ["that is found behind a folder that may not be searched", ["closed", "programs"], 7],
    ["that is found and may not be run", ["missing", "plain"], 126],
    ["that is nowhere", ["missing", "programs/none"], 127],
    ["that is nowhere, with a folder that may not be searched", ["closed", "missing"], 127],
    ["that is nowhere, with a file among the folders", ["file"], 127],
    ["that is nowhere, with a folder of its name", ["folders"], 127],
  ])("is a shell's for one %s", async (_, places, status) => {
    expect(await runTool("tool", pathOf(places))).toBe(status);
  });

  it.each([
    ["programs/tool", 7],
    ["plain/tool", 126],
    ["missing/tool", 127],
  ])("is a shell's for the path %s, which is searched for nowhere", async (name, status) => {
    expect(await runTool(at(name), pathOf(["closed"]))).toBe(status);
  });

  it("is a shell's where there is no search path at all", async () => {
    expect(await runTool("no-such-program", undefined)).toBe(127);
    expect(await runTool("true", undefined)).toBe(0);
  });

  const hasBash = spawnSync("/bin/bash", ["-c", "true"]).status === 0;
  needs(hasBash, "no bash on this machine").it("is what bash says, whatever the search path holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PLACES), { minLength: 1, maxLength: 4 }), async (places) => {
        const env = { PATH: pathOf(places) };
        const reported = spawnSync("/bin/bash", ["-c", "tool"], { env, cwd: at("here"), stdio: "ignore" });
        expect(await runTool("tool", env.PATH)).toBe(reported.status);
      }),
      { numRuns: 60 },
    );
  });
});
