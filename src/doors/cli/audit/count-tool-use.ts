import type { SessionEvent } from "../../../core/event.ts";
import { hostOf } from "../../../hosts/catalogue.ts";
import type { Host, TranscriptFile } from "../../../hosts/host.ts";

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

/** Only what can hold such a call is decoded. */
export function countToolUse(files: readonly TranscriptFile[]): ToolUse {
  const tools = new Map<string, Uses>();
  const agents = new Map<string, Uses>();
  const seen = new Set<string>();
  for (const file of files) {
    const host = hostOf(file.path);
    try {
      host.openTranscript(file.path, { about: "foreignCalls" }).read({
        onEntry: ({ events }) => {
          for (const { callId, tool, agent } of listCalls(events, host)) {
            // A resumed session repeats the calls of the one before it.
            if (seen.size === seen.add(callId).size) continue;
            if (tool.startsWith("mcp__")) add(tools, tool, file.path);
            if (agent !== "") add(agents, agent, file.path);
          }
        },
      });
    } catch {
      // Gone since it was listed.
    }
  }
  return { sessions: files.length, tools, agents };
}

function listCalls(events: readonly SessionEvent[], { vocabulary }: Host) {
  return events
    .flatMap((event) => (event.kind === "output" ? event.blocks : []))
    .filter((block) => block.kind === "toolCall")
    .map(({ callId, tool, input }) => {
      const action = vocabulary.interpretCall(tool, input);
      return { callId, tool, agent: action.kind === "delegate" ? (action.agent ?? "") : "" };
    });
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
