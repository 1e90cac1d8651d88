/** If red: the hooks measure a wrong load from the transcript, or read all of a long file each time. */
import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary } from "../../../../test/support/transcript-lines.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import type { HookContext } from "../hook.ts";
import { type HookLoad, MAX_TAIL_BYTES, readLoad } from "./read-load.ts";

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));

async function read(stage: HookStage): Promise<HookLoad> {
  let load: HookLoad | undefined;
  await stage.fire((context: HookContext) => {
    load = readLoad(stage.transcript, context);
    return {};
  }, "PostToolUse");
  if (load === undefined) throw new Error("nothing was read");
  return load;
}

const tokensOf = ({ usage }: HookLoad): number | undefined => usage && sumContextTokens(usage);
const heavy = (id: string, tokens: number, more = {}) => ({
  ...answer(id, ["Working."], { cache_read_input_tokens: tokens }),
  ...more,
});

describe("readLoad", () => {
  it("takes the last usage of the main conversation", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000), heavy("m2", 50_000), heavy("m3", 90_000, { isSidechain: true }));
    expect(tokensOf(await read(stage))).toBe(50_003);
    stage.write(heavy("m4", 60_000), prompt("more"));
    expect(tokensOf(await read(stage))).toBe(60_003);
    expect(tokensOf(await read(stage))).toBe(60_003);
  });

  it("passes over notices of errors, which carry a usage of zeros", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000), heavy("m2", 0, { isApiErrorMessage: true }));
    expect(tokensOf(await read(stage))).toBe(40_003);
  });

  it("forgets the usage at a compaction, counts it, and learns where the client compacts", async () => {
    const stage = open();
    stage.write(heavy("m1", 160_000));
    await read(stage);
    stage.write(boundary("l1", { preTokens: 161_000 }), summary("so far"));
    expect(await read(stage)).toMatchObject({ usage: undefined, compactions: 1, autoPreTokens: [161_000] });
    stage.write(heavy("m2", 30_000));
    expect(await read(stage)).toMatchObject({ compactions: 1, largestContextTokens: 160_003 });
    expect(tokensOf(await read(stage))).toBe(30_003);
  });

  it("is not taken in by a result that quotes a transcript", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000), prompt(JSON.stringify([boundary("l1"), heavy("m9", 900_000)])));
    expect(await read(stage)).toMatchObject({ compactions: 0, largestContextTokens: 40_003 });
  });

  it("reads no more than a bounded end, whatever was written since", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000));
    await read(stage);
    for (let line = 0; line < 8; line++) stage.write(prompt("x".repeat(MAX_TAIL_BYTES / 4)));
    expect(tokensOf(await read(stage))).toBe(40_003);
    stage.write(heavy("m2", 70_000));
    expect(tokensOf(await read(stage))).toBe(70_003);
  });

  it("leaves a line that is still being written for the next look", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000));
    const line = JSON.stringify(heavy("m2", 50_000));
    appendFileSync(stage.transcript, line.slice(0, 60));
    expect(tokensOf(await read(stage))).toBe(40_003);
    appendFileSync(stage.transcript, `${line.slice(60)}\n`);
    expect(tokensOf(await read(stage))).toBe(50_003);
  });

  it("starts over where the transcript became shorter", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000), heavy("m2", 50_000));
    await read(stage);
    truncateSync(stage.transcript, 0);
    stage.write(heavy("m3", 10_000));
    expect(tokensOf(await read(stage))).toBe(10_003);
  });

  it("goes on from nothing where its own file is damaged", async () => {
    const stage = open();
    stage.write(heavy("m1", 40_000));
    await read(stage);
    const file = path.join(stage.folder, "load.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: 1 });
    truncateSync(file, 10);
    expect(tokensOf(await read(stage))).toBe(40_003);
  });
});
