import { isObject, listField, objectField, textField } from "../../../core/json-fields.ts";
import { readAppendedLines } from "../../../hosts/claude-code/disk/file-cursor.ts";
import type { TranscriptFile } from "../../../hosts/claude-code/disk/projects.ts";

/** How often the recorded sessions called something by name. */
export interface ToolUse {
  /** Sessions that were looked at. */
  readonly sessions: number;
  /** By the tool's whole name. */
  readonly tools: ReadonlyMap<string, Uses>;
  /** By the agent's type. */
  readonly agents: ReadonlyMap<string, Uses>;
}

export interface Uses {
  readonly calls: number;
  readonly sessions: ReadonlySet<string>;
}

const NEEDLES = [Buffer.from('"name":"mcp__'), Buffer.from('"subagent_type":"')];

/** Only lines that can hold such a call are decoded: inside a string the needles' quotes would be escaped. */
export function countToolUse(files: readonly TranscriptFile[]): ToolUse {
  const tools = new Map<string, Uses>();
  const agents = new Map<string, Uses>();
  const seen = new Set<string>();
  for (const file of files) {
    const onCall = (name: string, agent: string): void => {
      if (name.startsWith("mcp__")) add(tools, name, file.path);
      if (agent !== "") add(agents, agent, file.path);
    };
    try {
      readAppendedLines(file.path, {
        onBytes: (bytes, from, to) => {
          const line = bytes.subarray(from, to);
          if (NEEDLES.some((needle) => line.includes(needle))) readCalls(line.toString("utf8"), seen, onCall);
        },
        onLine: () => undefined,
        onOverlongLine: () => undefined,
      });
    } catch {
      // Gone since it was listed.
    }
  }
  return { sessions: files.length, tools, agents };
}

function readCalls(text: string, seen: Set<string>, onCall: (name: string, agent: string) => void): void {
  try {
    const line: unknown = JSON.parse(text);
    const message = isObject(line) ? objectField(line, "message") : undefined;
    if (message?.role !== "assistant") return;
    for (const block of listField(message, "content").filter(isObject)) {
      const id = textField(block, "id");
      if (block.type !== "tool_use" || seen.has(id)) continue;
      // A resumed session repeats the calls of the one before it.
      seen.add(id);
      onCall(textField(block, "name"), textField(objectField(block, "input") ?? {}, "subagent_type"));
    }
  } catch {
    // A torn line: the client's next ones are whole.
  }
}

function add(uses: Map<string, Uses>, name: string, session: string): void {
  const known = uses.get(name);
  uses.set(name, { calls: (known?.calls ?? 0) + 1, sessions: new Set([...(known?.sessions ?? []), session]) });
}

/** The calls of every tool whose name begins so. */
export function sumUses(uses: ReadonlyMap<string, Uses>, prefix: string): Uses {
  const own = [...uses].filter(([name]) => name.startsWith(prefix)).map(([, use]) => use);
  return {
    calls: own.reduce((sum, { calls }) => sum + calls, 0),
    sessions: new Set(own.flatMap(({ sessions }) => [...sessions])),
  };
}
