/** If red: the auditor trusts an original that only one of two ways gives back. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { renderSections } from "../../src/layers/ledger/sections.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { agreeRecalls } from "./agree-recalls.ts";
import type { Recall } from "./fetch-handles.ts";
import { createMcpRecall, type McpRecall } from "./mcp-recall.ts";
import { createStoreRecall, listStoreFolders } from "./store-recall.ts";

const temporary = createTemporaryFolder();
const opened: McpRecall[] = [];
afterEach(async () => {
  for (const recall of opened.splice(0)) await recall.close();
});

const LONG = Array.from({ length: 4000 }, (_, line) => `${line} ⚓ ${"x".repeat(line % 90)}`).join("\n");
const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

/** A project with originals of every kind, and a session with an archive. */
function createPlace(): { readonly home: string; readonly cwd: string; keep(text: string): string } {
  const [home, cwd] = [join(temporary.folder, "home"), join(temporary.folder, "project")];
  const session = join(home, ".claude/data/plimsoll/sessions/s1");
  for (const folder of [home, cwd, session]) mkdirSync(folder, { recursive: true });
  const lines = [
    { callId: "toolu_abc123", text: "first half, " },
    { callId: "toolu_abc123", text: "second half" },
  ];
  writeFileSync(join(session, "archive-7-1.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const store = createArtifactStore(cwd, Date.now, join(home, ".claude/data/plimsoll"));
  const keep = (output: string): string => {
    const kept = store.keep({ output, tool: "test" });
    return kept.ok ? kept.value.handle : "";
  };
  return { home, cwd, keep };
}

describe("the two ways to an original", () => {
  it("give back the same, all pages of it, and nothing for what is not there", async () => {
    const place = createPlace();
    const long = place.keep(LONG);
    const lines = place.keep(
      renderSections([
        ["1", "one\n"],
        ["1i", "{}"],
        ["2i", '{"a":1}'],
      ]),
    );
    const program = await createMcpRecall(place);
    opened.push(program);
    const both = agreeRecalls(program.recall, createStoreRecall({ folders: listStoreFolders(place) }));
    expect((await both(long))?.texts).toEqual([LONG]);
    expect((await both(`${lines}#1`))?.texts).toEqual(["one\n"]);
    // A line that has no result gives what it was called with.
    expect((await both(`${lines}#2`))?.texts).toEqual(['{"a":1}']);
    expect(await both(`${lines}#3`)).toBeUndefined();
    expect(await both("plimsoll:000000000000")).toBeUndefined();
  });

  it("are compared: what only one of them gives, or gives otherwise, is not relied on", async () => {
    const give =
      (texts: readonly string[]): Recall =>
      async () => ({ texts, pictures: [] });
    const shown: Recall = async () => ({ texts: [], pictures: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }] });
    expect(await agreeRecalls(give(["a"]), give(["b"]))("h")).toBeUndefined();
    expect(await agreeRecalls(give(["a"]), async () => undefined)("h")).toBeUndefined();
    expect(await agreeRecalls(give([PICTURE]), shown)("h")).toEqual(await shown("h"));
  });
});

describe("the stores, read by their layout alone", () => {
  it("give pictures as such, pieces of an archive as one, and nothing whose bytes have changed", async () => {
    const place = createPlace();
    const [picture, text] = [place.keep(PICTURE), place.keep("a text")];
    const folders = listStoreFolders(place);
    expect(await createStoreRecall({ folders })(picture)).toEqual({
      texts: [],
      pictures: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }],
    });
    expect((await createStoreRecall({ folders })("call:abc123"))?.texts).toEqual(["first half, second half"]);
    const digits = text.slice("plimsoll:".length);
    const store = join(place.cwd, ".plimsoll/artifacts/objects", digits.slice(0, 2));
    const [name = ""] = readdirSync(store).filter((hash) => hash.startsWith(digits));
    writeFileSync(join(store, name), "another text");
    expect(await createStoreRecall({ folders })(text)).toBeUndefined();
  });
});
