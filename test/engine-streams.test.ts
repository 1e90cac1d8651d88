/** If red: the engine answers the real client otherwise than it did (where it is meant to: `npm run record -- --streams`). */

import { mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildPlugin } from "./client/play.ts";
import { replayStream } from "./support/engine-stream.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const FIXTURES = path.join(import.meta.dirname, "fixtures/engine");
const streams = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));

const temporary = createTemporaryFolder();
const plugin = temporary.name("-plugin");
beforeAll(() => buildPlugin(plugin, []));

describe("the engine, given what the real client's module sent", () => {
  it.each(streams)("asks for and answers the same as then: %s", async (name) => {
    const root = realpathSync(mkdtempSync(path.join(temporary.folder, "root-")));
    const { recorded, replayed } = await replayStream(plugin, readFileSync(path.join(FIXTURES, name), "utf8"), root);
    expect(recorded.length).toBeGreaterThan(10);
    expect(replayed).toEqual(recorded);
  });
});
