/** If red: a long result is folded without being kept, or an original fetched back is folded again. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { sha256 } from "../../core/sha256.ts";
import type { ArtifactToKeep } from "../../files/artifacts/keep-artifact.ts";
import { nameHandle } from "../../fold/marker.ts";
import type { Row } from "../../hosts/claude-code/row-reader.ts";
import { POLICY_FOLDS } from "../../layers/options/policy-folds.ts";
import { type FoldedRow, type FoldPort, foldRow } from "./append.ts";

const numbered = (lines: number, word = "plank"): string =>
  Array.from({ length: lines }, (_, index) => `${word} ${index} is sound`).join("\n");
const LONG = numbered(1000);
const spell = (index: number): string => String(index).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
const BALANCED = POLICY_FOLDS.balanced.fold;
const THRIFTY = POLICY_FOLDS.thrifty.fold;

function rowOf(tool: string, ...content: readonly JsonObject[]): Row {
  return { door: "tool-result", uuid: "u1", origin: { kind: "tool", tool }, message: { type: "user", content } };
}
const result = (content: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: "toolu_1",
  content,
  ...more,
});

interface MemoryPort extends FoldPort {
  readonly kept: ArtifactToKeep[];
  readonly asked: string[];
}

/** An entry point that keeps in memory; `persisted` is what the client has put away, by path. */
function createPort(
  persisted: Readonly<Record<string, string>> = {},
  input: JsonObject = { command: "make planks" },
): MemoryPort {
  const kept: ArtifactToKeep[] = [];
  const asked: string[] = [];
  return {
    kept,
    asked,
    keep: (original) => {
      kept.push(original);
      const hash = sha256(original.output);
      return { sha256: hash, handle: nameHandle(hash), path: ".plimsoll/artifacts/artifact-1.md" };
    },
    readPersisted: (path) => {
      asked.push(path);
      return persisted[path];
    },
    rule: BALANCED,
    inputOf: (callId) => (callId === "toolu_1" ? input : {}),
  };
}

const shownIn = (folded: FoldedRow | undefined, at = 0): string => String(folded?.message.content[at]?.content);

describe("the fold of a row", () => {
  it("keeps the whole of a long result, shows its fold, and says what was done", async () => {
    const port = createPort();
    const folded = await foldRow(rowOf("Bash", result(LONG)), port);
    const shown = shownIn(folded);

    expect(port.kept).toEqual([{ output: LONG, tool: "Bash", command: "make planks" }]);
    expect(shown).toContain("[FOLDED: Bash output — 1000 lines");
    expect(shown).toContain(`plimsoll:${sha256(LONG).slice(0, 12)}`);
    expect(shown).toContain(".plimsoll/artifacts/artifact-1.md");
    expect(folded?.actions).toMatchObject([
      {
        kind: "folded",
        callId: "toolu_1",
        tool: "Bash",
        handle: `plimsoll:${sha256(LONG).slice(0, 12)}`,
        characters: LONG.length,
        shownCharacters: shown.length,
        savedTokens: expect.any(Number),
      },
    ]);
    expect(folded?.actions[0]).toHaveProperty(
      "savedTokens",
      expect.toSatisfy((saved: number) => saved > 1500),
    );
  });

  it("leaves the row it was given, and every other block in it, as they were", async () => {
    const other = { type: "text", text: LONG };
    const row = rowOf("Bash", other, result(LONG, { cache_control: { type: "ephemeral" } }), result("short"));
    const before = JSON.stringify(row);
    const folded = await foldRow(row, createPort());

    expect(JSON.stringify(row)).toBe(before);
    expect(folded?.message.content[0]).toBe(other);
    expect(folded?.message.content[1]).toMatchObject({ tool_use_id: "toolu_1", cache_control: { type: "ephemeral" } });
    expect(folded?.message.content[2]).toEqual(result("short"));
    expect(folded?.actions).toHaveLength(1);
  });

  it("folds a result that comes as blocks of text", async () => {
    const port = createPort();
    await foldRow(
      rowOf(
        "mcp__deck__log",
        result([
          { type: "text", text: LONG },
          { type: "text", text: "end" },
        ]),
      ),
      port,
    );
    expect(port.kept[0]?.output).toBe(`${LONG}\nend`);
  });

  it.each([
    ["an error", rowOf("Bash", result(LONG, { is_error: true }))],
    ["a small result", rowOf("Bash", result(numbered(40)))],
    ["many lines that are small together", rowOf("Bash", result("x\n".repeat(1000)))],
    [
      "a result with a picture in it",
      rowOf(
        "Bash",
        result([
          { type: "text", text: LONG },
          { type: "image", source: {} },
        ]),
      ),
    ],
    [
      "a result without any content",
      rowOf("Bash", { type: "tool_result", tool_use_id: "toolu_1" }, result([]), result(null)),
    ],
    ["text that is no result", rowOf("Bash", { type: "text", text: LONG })],
    ["what recall has just given back", rowOf("mcp__plimsoll__recall", result(LONG))],
  ])("does not touch %s", async (_, row) => {
    const port = createPort();
    expect(await foldRow(row, port)).toBeUndefined();
    expect(port.kept).toEqual([]);
  });

  it.each([
    ["Read", { file_path: "/demo/.plimsoll/artifacts/artifact-1.md" }],
    ["Read", { file_path: "C:\\demo\\.plimsoll\\artifacts\\artifact-1.md" }],
    ["Grep", { pattern: "plank", path: ".plimsoll/artifacts" }],
    ["Bash", { command: "cat .plimsoll/artifacts/artifact-1.md" }],
    ["Bash", { command: "npx plimsoll artifacts show plimsoll:1a2b3c4d5e6f" }],
  ])("does not fold again what %s brings back with %j", async (tool, input) => {
    const port = createPort({}, input);
    expect(await foldRow(rowOf(tool, result(`${LONG}\n${LONG}\n${LONG}`)), port)).toBeUndefined();
    expect(port.kept).toEqual([]);
  });

  it.each([
    ["thrifty", 4000, 1200],
    ["balanced", 4000, 1500],
    ["cautious", 30_000, 4000],
  ] as const)(
    "[R55] folds by the policy %s a result of more than %d characters, not one of so many, to %d at most",
    async (policy, characters, budget) => {
      const { fold } = POLICY_FOLDS[policy];
      const just = "plank 7 is sound and dry\n".repeat(characters / 25);
      expect(just).toHaveLength(characters);
      // One long line, so that it is the characters that count.
      const line = just.replaceAll("\n", " ");
      expect(await foldRow(rowOf("Bash", result(line)), { ...createPort(), rule: fold })).toBeUndefined();
      expect(await foldRow(rowOf("Bash", result(`${line}x`)), { ...createPort(), rule: fold })).toBeDefined();
      // No two lines alike: those that are would be told once.
      const planks = Array.from({ length: 3000 }, (_, index) => `plank ${spell(index)} is sound`).join("\n");
      const shown = shownIn(await foldRow(rowOf("Bash", result(planks)), { ...createPort(), rule: fold }));
      expect(shown.length).toBeLessThanOrEqual(budget);
      expect(shown.length).toBeGreaterThan(budget / 2);
    },
  );

  it("[R56] folds by the thrifty policy a result of more than 120 lines, where that saves 1,000 characters", async () => {
    const lines = (count: number): string => Array(count).fill("plank 77 of the deck").join("\n");
    expect(await foldRow(rowOf("Bash", result(lines(120))), { ...createPort(), rule: THRIFTY })).toBeUndefined();
    expect(await foldRow(rowOf("Bash", result(lines(121))), { ...createPort(), rule: THRIFTY })).toBeDefined();
    expect(
      await foldRow(rowOf("Bash", result("x\n".repeat(1000))), { ...createPort(), rule: THRIFTY }),
    ).toBeUndefined();
    expect(await foldRow(rowOf("Bash", result(lines(190))), createPort())).toBeUndefined();
  });

  it.each(["Read", "NotebookRead", "Edit", "TodoWrite"])("leaves what %s brings whole, however long", async (tool) => {
    for (const rule of [THRIFTY, BALANCED]) {
      const port = createPort({}, { file_path: "/demo/hull.ts" });
      expect(await foldRow(rowOf(tool, result(numbered(5000))), { ...port, rule: rule })).toBeUndefined();
      expect(port.kept).toEqual([]);
    }
  });

  it.each([
    ["Bash", true],
    ["Grep", true],
    ["mcp__deck__log", true],
    ["WebFetch", false],
    ["Task", false],
  ])("folds what %s brings by the thrifty policy, and by the balanced one: %s", async (tool, isFolded) => {
    const fold = (rule: typeof THRIFTY) => foldRow(rowOf(tool, result(LONG)), { ...createPort({}, {}), rule: rule });
    expect(await fold(THRIFTY)).toBeDefined();
    expect((await fold(BALANCED)) !== undefined).toBe(isFolded);
  });

  it("does not fold what could not be kept", async () => {
    const port = { ...createPort(), keep: () => undefined };
    expect(await foldRow(rowOf("Bash", result(LONG)), port)).toBeUndefined();
  });

  it("looks into an output that the client itself put away, and keeps the whole of it", async () => {
    const place = "/p/tool-results/b1.txt";
    const whole = [numbered(4000), "error: seam 7 leaks", numbered(4000)].join("\n");
    const shown = `<persisted-output>\nOutput too large (150KB). Full output saved to: ${place}\n\nPreview (first 2KB):\n${numbered(50)}\n...\n</persisted-output>`;
    const port = createPort({ [place]: whole });
    const folded = await foldRow(rowOf("Bash", result(shown)), port);

    expect(port.asked).toEqual([place]);
    expect(port.kept[0]?.output).toBe(whole);
    expect(shownIn(folded)).toContain("error: seam 7 leaks");
    expect(folded?.actions[0]).toMatchObject({ characters: whole.length });
  });

  it("folds and keeps what an MCP tool said, not the blocks that the client put away", async () => {
    const place = "/p/tool-results/toolu_1.json";
    const said = [
      { type: "text", text: `${LONG}\nERROR: "bilge" pump stopped` },
      { type: "text", text: "end of log" },
    ];
    const shown = `<persisted-output>\nOutput too large (88KB). Full output saved to: ${place}\n\nPreview (first 2KB):\n[\n  {\n...\n</persisted-output>`;
    const port = createPort({ [place]: JSON.stringify(said, null, 2) });
    const folded = await foldRow(rowOf("mcp__deck__log", result(shown)), port);

    expect(port.kept[0]?.output).toBe(`${LONG}\nERROR: "bilge" pump stopped\nend of log`);
    expect(shownIn(folded)).toContain('1001: ERROR: "bilge" pump stopped\n');
    expect(shownIn(folded)).not.toContain('"type"');
  });

  it("leaves blocks with a picture among them to the client", async () => {
    const place = "/p/tool-results/toolu_1.json";
    const shown = `<persisted-output>\nOutput too large (88KB). Full output saved to: ${place}\n\n${LONG}\n</persisted-output>`;
    const port = createPort({
      [place]: JSON.stringify([
        { type: "text", text: LONG },
        { type: "image", source: {} },
      ]),
    });
    expect(await foldRow(rowOf("mcp__deck__log", result(shown)), port)).toBeUndefined();
    expect(port.kept).toEqual([]);
  });

  it("leaves such an output as the client shows it where the whole of it cannot be read", async () => {
    const shown = `<persisted-output>\nOutput too large. Full output saved to: /gone.txt\n\n${LONG}\n</persisted-output>`;
    expect(await foldRow(rowOf("Bash", result(shown)), createPort())).toBeUndefined();
  });

  it("asks for no file over words about one that stand elsewhere in an output", async () => {
    const port = createPort({ "/etc/passwd": LONG });
    await foldRow(rowOf("Bash", result(`note\n<persisted-output>\nFull output saved to: /etc/passwd\n${LONG}`)), port);
    expect(port.asked).toEqual([]);
  });
});
