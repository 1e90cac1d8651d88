import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClient } from "../../../../test/support/fake-client.ts";
import { readArchived, writeArchive } from "./archive.ts";

const FOLDER = "/home/dev/.claude/data/plimsoll/sessions/s-1";
const FIRST = Date.UTC(2026, 0, 1);

describe("the archive of results", () => {
  it("gives back what was put into it, word for word, whatever it holds", async () => {
    const result = fc.record({
      callId: fc.string({ minLength: 1, unit: "grapheme" }),
      text: fc.string({ unit: "grapheme" }),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(result, { selector: ({ callId }) => callId, maxLength: 8 }), async (results) => {
        const { client } = createFakeClient();
        await writeArchive(client, FOLDER, FIRST, results);
        for (const { callId, text } of results) expect(await readArchived(client, FOLDER, callId)).toBe(text);
        expect(await readArchived(client, FOLDER, "never called")).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it.each(['c"1', 'c1","text":"forged', "c\\1", "c\n1", '{"callId":"c1"', "ü"])(
    "tells the call %j from others",
    async (callId) => {
      const { client } = createFakeClient();
      await writeArchive(client, FOLDER, FIRST, [
        { callId: "c1", text: "of c1" },
        { callId, text: `about {"callId":"c1","text":"forged"}\n{"callId":"c2","text":"forged"}` },
      ]);
      expect(await readArchived(client, FOLDER, callId)).toContain("about");
      expect(await readArchived(client, FOLDER, "c1")).toBe("of c1");
      expect(await readArchived(client, FOLDER, "c2")).toBeUndefined();
      expect(await readArchived(client, FOLDER, "c")).toBeUndefined();
    },
  );

  it("is split into files that the engine can read, and every result is found", async () => {
    const { client, files } = createFakeClient();
    // Three bytes a character: the most that a file of so many can weigh.
    const results = Array.from({ length: 30 }, (_, index) => ({
      callId: `c${index}`,
      text: "€".repeat(100_000) + index,
    }));
    await writeArchive(client, FOLDER, FIRST, results);

    expect(files.size).toBe(3);
    for (const { callId, text } of results) expect(await readArchived(client, FOLDER, callId)).toBe(text);
  });

  it.each([
    ["above what the engine reads", `${"plank ".repeat(800_000)}end`],
    ["of characters that take six as JSON", "\u0001".repeat(1_500_000)],
    ["of pairs that a piece may part", `a${"\u{1f6a2}".repeat(300_000)}`],
  ])("takes a result %s in pieces, and gives it back whole", async (_, text) => {
    const { client, files } = createFakeClient();
    await writeArchive(client, FOLDER, FIRST, [
      { callId: "c0", text: "before" },
      { callId: "c1", text },
      { callId: "c2", text: "after" },
    ]);
    expect(files.size).toBeGreaterThan(0);
    expect((await readArchived(client, FOLDER, "c1")) === text).toBe(true);
    expect(await readArchived(client, FOLDER, "c0")).toBe("before");
    expect(await readArchived(client, FOLDER, "c2")).toBe("after");
  });

  it("finds the pieces in their order from the tenth file on", async () => {
    const { client, files } = createFakeClient();
    const text = Array.from({ length: 80 }, (_, index) => `${index}`.padEnd(200_000, "p")).join("");
    await writeArchive(client, FOLDER, FIRST, [{ callId: "c1", text }]);
    expect(files.size).toBeGreaterThan(10);
    expect((await readArchived(client, FOLDER, "c1")) === text).toBe(true);
  });

  it("is not written where nothing leaves the window", async () => {
    const { client, writes } = createFakeClient();
    await writeArchive(client, FOLDER, FIRST, []);
    expect(writes).toEqual([]);
  });

  it("answers with the newest of what a call was archived with", async () => {
    const { client } = createFakeClient();
    await writeArchive(client, FOLDER, FIRST + 2000, [{ callId: "c1", text: "newest" }]);
    await writeArchive(client, FOLDER, FIRST, [{ callId: "c1", text: "oldest" }]);
    await writeArchive(client, FOLDER, FIRST + 1000, [{ callId: "c2", text: "other" }]);
    expect(await readArchived(client, FOLDER, "c1")).toBe("newest");
    expect(await readArchived(client, FOLDER, "c2")).toBe("other");
  });

  it("passes over torn lines, strangers' files and files that cannot be read", async () => {
    const { client, files } = createFakeClient();
    await writeArchive(client, FOLDER, FIRST, [{ callId: "c1", text: "whole" }]);
    files.set(`${FOLDER}/archive-${FIRST + 1}-1.jsonl`, '{"callId":"c1","text":"to');
    files.set(`${FOLDER}/archive-${FIRST + 2}-1.jsonl`, "x".repeat(5 * 1024 * 1024));
    files.set(`${FOLDER}/archive-${FIRST + 3}-1.jsonl`, '{"callId":"c1","text":7}\n');
    files.set(`${FOLDER}/archive-x-1.jsonl`, '{"callId":"c1","text":"forged"}\n');
    files.set(`${FOLDER}/archive-9-9.jsonl.bak`, '{"callId":"c1","text":"forged"}\n');
    expect(await readArchived(client, FOLDER, "c1")).toBe("whole");
  });

  it("holds nothing where there is none", async () => {
    expect(await readArchived(createFakeClient().client, FOLDER, "c1")).toBeUndefined();
  });

  it("says so where it could not be written: then nothing may leave the window", async () => {
    const { client, locked } = createFakeClient();
    locked.add(`${FOLDER}/archive-${FIRST}-1.jsonl`);
    const results = [{ callId: "c1", text: "x" }];
    expect(await writeArchive(client, FOLDER, FIRST, results)).toBe(false);
    expect(await writeArchive(client, FOLDER, FIRST + 1, results)).toBe(true);
    expect(await readArchived(client, FOLDER, "c1")).toBe("x");
  });
});
