import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { SetupCompaction, SetupContext, SetupExecuted, SetupRequest } from "./setup.ts";
import { setUp } from "./setup.ts";

const { folder } = createTemporaryFolder();
const WORDS = "the hull is sound and the planks are dry and the mast stands. ";

interface Asked {
  readonly context: (event: SetupRequest) => void;
  readonly compaction: (event: SetupCompaction) => void;
  readonly executed: (event: SetupExecuted) => void;
  readonly recall: (input: unknown) => Promise<{ readonly content: string }>;
}

/** What the plugin registers, as OpenCode 2 would call it. */
async function register(): Promise<Asked> {
  const asked: Record<string, unknown> = {};
  const context: SetupContext = {
    session: {
      hook: async (name: string, callback: unknown) => {
        asked[name] = callback;
      },
    },
    tool: {
      hook: async (_, callback) => {
        asked.executed = callback;
      },
      transform: async (edit) =>
        edit({
          add: ({ execute }) => {
            asked.recall = (input: unknown) => execute(input, { sessionID: "ses_1" });
          },
        }),
    },
  };
  mkdirSync(path.join(folder, "project"), { recursive: true });
  await setUp(context, { project: path.join(folder, "project"), configFolder: path.join(folder, "config") });
  return asked as never;
}

function exchange(step: number): readonly object[] {
  const call = { type: "tool-call", id: `c${step}`, name: "bash", input: { command: `measure ${step}` } };
  const result = {
    type: "tool-result",
    id: `c${step}`,
    name: "bash",
    result: { type: "text", value: WORDS.repeat(30) },
  };
  return [
    { role: "assistant", content: [{ type: "text", text: `Row ${step}. ${WORDS.repeat(20)}` }, call] },
    { role: "tool", content: [result] },
  ];
}

const messages = (): unknown[] => [
  { role: "user", content: [{ type: "text", text: "Paint it. Never touch the anchor chain." }] },
  ...Array.from({ length: 60 }, (_, step) => exchange(step)).flat(),
];

describe("the plugin of OpenCode 2, by its sources", () => {
  it("does nothing in a version that has no such hooks", async () => {
    const place = { project: path.join(folder, "project"), configFolder: path.join(folder, "config") };
    await expect(setUp({ options: {} }, place)).resolves.toBeUndefined();
  });

  it("answers a compaction with record and ledger, whose lines the tool gives back", async () => {
    const { compaction, recall } = await register();
    const event: SetupCompaction = { sessionID: "ses_1", model: { id: "claude-sonnet-4-6" }, messages: messages() };
    compaction(event);
    const summary = event.result?.summary ?? "";
    expect(summary).toContain("Never touch the anchor chain.");
    const [handle = "none"] = summary.match(/plimsoll:[0-9a-f]{12}/) ?? [];
    expect((await recall({ handle: `${handle}#1` })).content).toContain(WORDS.trim());
  });

  it("folds a large result as it arrives", async () => {
    const { executed, recall } = await register();
    const lines = Array.from({ length: 900 }, (_, line) => `line ${line} of the log: all quiet`).join("\n");
    const event: SetupExecuted = {
      tool: "bash",
      sessionID: "ses_1",
      id: "c1",
      input: { command: "cat log" },
      status: "completed",
      result: { content: lines },
    };
    executed(event);
    expect(event.result?.content).toMatch(/^\[FOLDED: /);
    const [handle = "none"] = String(event.result?.content).match(/plimsoll:[0-9a-f]{12}/) ?? [];
    expect((await recall({ handle, lines: [441, 441] })).content).toContain("line 440 of the log: all quiet");
  });

  it("leaves a short conversation as it is", async () => {
    const { context } = await register();
    const short = messages().slice(0, 5);
    const event: SetupRequest = { sessionID: "ses_2", model: { id: "claude-sonnet-4-6" }, messages: [...short] };
    context(event);
    expect(event.messages).toEqual(short);
  });
});
