// pi as installed; of its compaction module the package exports all but the preparation, so it is loaded by its path.
import {
  DEFAULT_COMPACTION_SETTINGS,
  prepareCompaction,
  shouldCompact,
} from "./node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/compaction.js";
import {
  computeFileLists,
  formatFileOperations,
} from "./node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/utils.js";
import { createToolNames, splitTurns } from "./split-turns.mjs";

/** pi follows files through its own tools. */
const TOOL_NAMES = {
  Read: "read",
  Write: "write",
  Edit: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Bash: "bash",
};

/** A session as pi keeps it: entries that are only ever added, a compaction being one of them. */
export function create({ windowTokens, baseTokens }) {
  const tools = createToolNames();
  const entries = [];
  const blocksOf = new Map();
  const gone = new Set();
  const add = (entry, blocks) => {
    const id = `e${entries.length}`;
    entries.push({ id, parentId: entries.at(-1)?.id ?? null, timestamp: "2026-01-01T00:00:00Z", ...entry });
    blocksOf.set(
      id,
      blocks.map((block) => block.id),
    );
  };
  const addTurn = (turn) => {
    if (turn.role === "tool") {
      for (const [index, result] of turn.results.entries()) {
        const riders = index === turn.results.length - 1 ? turn.riders : [];
        add({ type: "message", message: renderResult(result, { riders, tool: tools.of(result.callId) }) }, [
          result,
          ...riders,
        ]);
      }
      return;
    }
    tools.learn(turn.blocks);
    add(
      { type: "message", message: { role: turn.role, content: turn.blocks.map(renderPart), timestamp: 0 } },
      turn.blocks,
    );
  };
  return {
    plan({ joined, tokens }) {
      for (const turn of splitTurns(joined)) addTurn(turn);
      if (!shouldCompact(baseTokens + tokens, windowTokens, DEFAULT_COMPACTION_SETTINGS)) return {};
      const prepared = prepareCompaction(entries, DEFAULT_COMPACTION_SETTINGS);
      if (!prepared) return {};
      const cut = entries.findIndex(({ id }) => id === prepared.firstKeptEntryId);
      const dropped = entries
        .slice(0, cut)
        .flatMap(({ id }) => blocksOf.get(id) ?? [])
        .filter((id) => !gone.has(id));
      if (dropped.length === 0) return {};
      for (const id of dropped) gone.add(id);
      const files = computeFileLists(prepared.fileOps);
      add(
        {
          type: "compaction",
          summary: "",
          firstKeptEntryId: prepared.firstKeptEntryId,
          tokensBefore: prepared.tokensBefore,
          details: files,
        },
        [],
      );
      return { dropped, summary: { appendix: formatFileOperations(files.readFiles, files.modifiedFiles) } };
    },
  };
}

function renderPart({ kind, text, callId, tool, input }) {
  if (kind === "thinking") return { type: "thinking", thinking: text };
  if (kind !== "toolCall") return { type: "text", text };
  return {
    type: "toolCall",
    id: callId,
    name: TOOL_NAMES[tool] ?? tool,
    arguments: { path: input.file_path, ...input },
  };
}

function renderResult({ callId, text, isError }, { riders, tool }) {
  const content = [text, ...riders.map((rider) => rider.text)].map((part) => ({ type: "text", text: part }));
  return { role: "toolResult", toolCallId: callId, toolName: TOOL_NAMES[tool] ?? tool, content, isError, timestamp: 0 };
}
