/** If red: in pi a compaction happens although nothing could be stored, or loses the last messages. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { piVocabulary } from "../../hosts/pi/vocabulary.ts";
import { piFormat } from "../../wire/pi/messages.ts";
import { openAgentSession } from "../in-agent/agent-session.ts";
import { answerCompaction } from "./answer-compaction.ts";
import type { PiContext, PiEntry } from "./extension-api.ts";

const temporary = createTemporaryFolder();
const WORDS = "the hull is sound and the planks are dry and the mast stands. ";

/** The entries of a session of so many steps. */
function listEntries(steps: number): readonly (PiEntry & { readonly message: object })[] {
  const entry = (id: string, message: object) => ({ type: "message", id, message });
  const work = Array.from({ length: steps }, (_, step) => [
    entry(`a${step}`, {
      role: "assistant",
      content: [
        { type: "text", text: `Row ${step}.` },
        { type: "toolCall", id: `c${step}`, name: "bash", arguments: { command: `measure ${step}` } },
      ],
    }),
    entry(`r${step}`, {
      role: "toolResult",
      toolCallId: `c${step}`,
      toolName: "bash",
      content: [{ type: "text", text: WORDS.repeat(60) }],
    }),
  ]);
  return [entry("u", { role: "user", content: "Paint it. Never touch the anchor chain." }), ...work.flat()];
}

function compact(configFolder: string, project: string): unknown {
  const entries = listEntries(12);
  const context: PiContext = {
    cwd: project,
    hasUI: false,
    ui: { notify: () => undefined, setStatus: () => undefined },
    model: { id: "claude-sonnet-4-6" },
    sessionManager: {
      getSessionId: () => "s",
      getSessionFile: () => undefined,
      getBranch: () => entries,
      buildSessionProjection: () => ({
        entries: entries.map((sourceEntry) => ({ sourceEntry, messages: [sourceEntry.message] })),
      }),
    },
    getContextUsage: () => undefined,
  };
  const speech = { format: piFormat, vocabulary: piVocabulary, recallTool: "plimsoll_recall" };
  const agentSession = openAgentSession({ speech, project, sessionId: "s", configFolder });
  return answerCompaction(agentSession, { preparation: { tokensBefore: 30_000 } }, context);
}

function makeProject(): string {
  const project = temporary.name("-project");
  mkdirSync(project);
  return project;
}

describe("a compaction of pi", () => {
  it("is answered with the record and the ledger, in front of the first message that stays", () => {
    expect(compact(temporary.name("-config"), makeProject())).toEqual({
      compaction: {
        summary: expect.stringMatching(/Never touch the anchor chain\.[\s\S]*\[LEDGER: /),
        firstKeptEntryId: expect.stringMatching(/^[ar]\d+$/),
        tokensBefore: 30_000,
      },
    });
  });

  it("is left to pi where nothing can be stored", () => {
    const [inTheWay, project] = [temporary.name("-config"), makeProject()];
    for (const file of [inTheWay, path.join(project, ".plimsoll")]) writeFileSync(file, "not a folder");
    expect(compact(inTheWay, project)).toBeUndefined();
  });
});
