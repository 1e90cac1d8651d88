import type { SessionEvent } from "../../../core/event.ts";
import { textField } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { HOSTS, hostOf, listProject, nameSession, readSession } from "../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import type { Host, TranscriptFile } from "../../../hosts/host.ts";
import { decideModelWindow, type ModelWindow } from "../../../models/find-model.ts";
import { type Tokenizer, tokenizerOf } from "../../../models/tokens.ts";
import {
  findRepeatedInjections,
  mergeRepeated,
  type RepeatedInjection,
} from "../../../recorded/audit/find-repeated-injections.ts";
import { type ListedItem, type Offers, parseListing } from "../../../recorded/audit/find-unused.ts";
import { type Month, selectMonth } from "../../../recorded/audit/price-carry.ts";
import { type FirstRequest, findFirstRequest } from "../../../recorded/audit/startup-context.ts";
import { collectUsage } from "../collect-usage.ts";
import type { Terminal } from "../command.ts";
import { collectInjections, type InjectionReport } from "../injections.ts";

/** What the records of a project show: how its sessions start, what they call, and what is injected repeatedly. */
export interface Recorded {
  /** Of the newest sessions, newest first. */
  readonly firsts: readonly (FirstRequest & { readonly session: string })[];
  /** Empty where nothing is recorded. */
  readonly model: string;
  readonly tokenizer: Tokenizer;
  readonly window: ModelWindow;
  readonly month: Month;
  readonly use: ToolUse;
  /** The inputs of all tool calls of each of the newest sessions as one text, with the session's end. */
  readonly calls: readonly { readonly endedMs: number; readonly inputs: string }[];
  readonly repeated: readonly RepeatedInjection[];
  /** What Plimsoll itself added. */
  readonly injections: InjectionReport;
}

export async function readRecorded(project: string, terminal: Terminal): Promise<Recorded> {
  const files = listProject(terminal.environment, project, terminal.hosts);
  const read = readSessions(files);
  const firsts = read.flatMap(({ id, session }) => {
    const first = findFirstRequest(session.recording);
    return first ? [{ session: id, ...first }] : [];
  });
  const scanned = files.length === 0 ? [] : (await collectUsage(files, terminal)).scanned;
  const steps = scanned.flatMap(({ ownSteps }) => ownSteps.filter(({ isSidechain }) => !isSidechain));
  const model = firsts[0]?.model ?? steps[0]?.model ?? "";
  const largest = steps.reduce((most, { usage }) => Math.max(most, sumContextTokens(usage)), 0);
  return {
    firsts,
    model,
    // Without a record assume a newer tokenizer: it makes more tokens of the same text.
    tokenizer: model === "" ? "dense" : tokenizerOf(model),
    window: decideModelWindow(model, { largestContextTokens: largest }),
    month: selectMonth(steps),
    use: countToolUse(files, listDelegated(project, terminal)),
    calls: read.map(({ file, session }) => ({ endedMs: file.modifiedMs, inputs: joinInputs(session) })),
    repeated: mergeRepeated(read.map(({ session }) => findRepeatedInjections(session.recording))),
    injections: collectInjections(files, terminal),
  };
}

export interface ToolUse extends Offers {
  readonly sessions: number;
  /** The session of each call, by full tool name. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
}

/** Decodes only lines that can hold a call or a listing. Calls of a subagent count for its session, too. */
function countToolUse(files: readonly TranscriptFile[], delegated: readonly TranscriptFile[]): ToolUse {
  const tools = new Map<string, string[]>();
  const used = new Set<string>();
  const listed = new Map<string, ListedItem & { sessions: number }>();
  const current = new Set<string>();
  const kinds = new Set<string>();
  const seen = new Set<string>();
  for (const file of [...files, ...delegated]) {
    const host = hostOf(file.path);
    const offered = new Map<string, ListedItem>();
    try {
      host.openTranscript(file.path, { about: "foreignCalls" }).read({
        onEntry: ({ events }) => {
          for (const { callId, tool, names } of listCalls(events, host)) {
            // A resumed session repeats the calls of the one before it.
            if (seen.size === seen.add(callId).size) continue;
            if (tool.startsWith("mcp__") && !tools.get(tool)?.push(file.path)) tools.set(tool, [file.path]);
            for (const name of names) used.add(name);
          }
          for (const item of file.isSubagent ? [] : events.flatMap(listOffered))
            offered.set(`${item.kind} ${item.name}`, item);
        },
      });
    } catch {
      // Deleted since it was listed.
    }
    const isNewest = new Set([...offered.values()].map(({ kind }) => kind).filter((kind) => !kinds.has(kind)));
    for (const [key, item] of offered) {
      listed.set(key, { ...(listed.get(key) ?? item), sessions: (listed.get(key)?.sessions ?? 0) + 1 });
      if (isNewest.has(item.kind)) current.add(key);
      kinds.add(item.kind);
    }
  }
  return { sessions: files.length, tools, used, listed, current };
}

function listOffered(event: SessionEvent): readonly ListedItem[] {
  if (event.kind !== "arrival" || event.source !== "attachment" || event.block.kind !== "text") return [];
  return parseListing(event.label, event.block.text);
}

function listCalls(events: readonly SessionEvent[], { vocabulary }: Host) {
  return events
    .flatMap((event) => (event.kind === "output" ? event.blocks : []))
    .filter((block) => block.kind === "toolCall")
    .map(({ callId, tool, input }) => {
      const action = vocabulary.interpretCall(tool, input);
      const agent = action.kind === "delegate" ? (action.agent ?? "") : "";
      return { callId, tool, names: [`tool ${tool}`, `agent ${agent}`, `skill ${textField(input, "skill")}`] };
    });
}

function joinInputs({ recording }: RecordedSession): string {
  const blocks = recording.steps.flatMap(({ outputs }) => outputs);
  return blocks.map((block) => (block.kind === "toolCall" ? JSON.stringify(block.input) : "")).join("\n");
}

interface ReadSession {
  readonly id: string;
  readonly file: TranscriptFile;
  readonly session: RecordedSession;
}

/** Enough sessions to describe a project, without making a person wait. */
const MOST_SESSIONS = 10;
const MOST_BYTES = 64e6;

function listDelegated(project: string, { environment, hosts = HOSTS }: Terminal): readonly TranscriptFile[] {
  return hosts
    .filter(({ baseline }) => baseline)
    .flatMap((host) => host.listTranscripts(host.locateTranscripts(environment, project)))
    .filter(({ isSubagent }) => isSubagent);
}

/** Reads the newest sessions in full. A file that cannot be read is skipped; the number of sessions shows it. */
export function readSessions(files: readonly TranscriptFile[]): readonly ReadSession[] {
  const read: ReadSession[] = [];
  let bytes = 0;
  for (const file of files) {
    if (read.length >= MOST_SESSIONS) break;
    if (bytes + file.bytes > MOST_BYTES) continue;
    bytes += file.bytes;
    try {
      read.push({ id: nameSession(file.path), file, session: readSession(file.path) });
    } catch {
      // Deleted or made unreadable since it was listed.
    }
  }
  return read;
}
