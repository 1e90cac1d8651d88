import { statSync } from "node:fs";
import {
  isObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  parseObject,
  textField,
  timeField,
} from "../../../../core/json.ts";
import type { Block } from "../../../../core/message.ts";
import { sumContextTokens, type Usage } from "../../../../core/usage.ts";
import type { ToolOutput } from "../../../../hosts/claude-code/tool-output.ts";
import { rollouts } from "../../../../hosts/codex/disk/rollouts.ts";
import { codex } from "../../../../hosts/codex/host.ts";
import { parseItem, parseUsage } from "../../../../hosts/codex/parse-item.ts";
import { codexVocabulary } from "../../../../hosts/codex/vocabulary.ts";
import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../../../hosts/happening.ts";
import type { Instrument } from "../../../../survive/restore/name-dropped.ts";
import type { HookContext } from "../../hook.ts";
import {
  type Aftermath,
  NOTHING_YET,
  type RecordedAnswer,
  readBehind,
  type TailLoad,
  type WayBack,
} from "../contract.ts";

/** What the hooks know of Codex: its build uses this instead of `../claude-code/client.ts`. */

export { readCompactionSettings } from "../../../../hosts/codex/disk/compaction-settings.ts";
export { decidePromptAuthor } from "../../../../hosts/codex/prompt-author.ts";

/** Codex shows what a hook prints before a compaction to no one. */
export function informsSummariser(): boolean {
  return false;
}

export function holdsResult(line: string, callId: string): boolean {
  return line.includes(`"call_id":${JSON.stringify(callId)}`) && line.includes('"function_call_output"');
}

/** The model's name for the tool: server namespace, then tool. */
const RECALL_TOOL = "mcp__plimsoll.recall";

export function locateTranscripts({ env }: Pick<HookContext, "configFolder" | "env">): string {
  return rollouts.locateTranscripts(env);
}

/** The plugin includes a server, and the client puts its tools under the server's name. */
export function nameWayBack(): WayBack {
  return { recallTool: RECALL_TOOL, readTool: codexVocabulary.readTool };
}

/** Codex does not record it. */
export function countToolsAtStart(): number {
  return 0;
}

/** What Codex keeps is recorded next to the summary, and read then. */
export function readKept(): string {
  return "";
}

/** Codex reloads its instructions by itself. */
export function searchInstruments(): readonly Instrument[] {
  return [];
}

/** A record of a rollout; `kind` is the event's own type for events. */
interface RolloutLine {
  readonly kind: string;
  readonly atMs: number;
  readonly payload: JsonObject;
}

function parseRolloutLine(text: string): RolloutLine | undefined {
  // Not JSON if it is cut off, or still being written.
  const line = parseObject(text);
  const payload = objectField(line, "payload");
  if (payload === undefined) return undefined;
  const type = textField(line, "type");
  const kind = type === "event_msg" || type === "response_item" ? textField(payload, "type") : type;
  return { kind, atMs: timeField(line, "timestamp") ?? 0, payload };
}

/** The output of a completed command, as `codex-main.ts` passes it. Only command outputs can be stored: only they have an exit code. */
export function parseToolOutput(_tool: string, response: Json | undefined): ToolOutput | undefined {
  const exitCode = isObject(response) ? numberField(response, "exitCode") : undefined;
  if (!isObject(response) || exitCode === undefined) return undefined;
  return {
    text: textField(response, "stdout"),
    calledAs: "exec_command",
    persistedPath: "",
    // With the exit code after the marker's line, in the client's words: the model would not know it otherwise.
    replace: (text) => {
      const [first = "", ...others] = text.split("\n");
      return [first, `Process exited with code ${exitCode}`, ...others].join("\n");
    },
  };
}

/** As for the other client, how far it was read. Reading does not resume there, because an answer may be waiting for its usage. */
export interface FollowedState extends HappeningState {
  readonly cursor: { readonly offset: number };
  readonly reader: Readonly<Record<string, never>>;
}

export function followSession(file: string): { readonly state: FollowedState; readonly size: number } {
  const { size } = statSync(file);
  let happening = createHappening(codex.vocabulary);
  codex.openTranscript(file, { maxFirstBytes: MAX_FIRST_BYTES }).read({
    onEntry: (entry) => happening.feed(entry),
    onRestart: () => {
      happening = createHappening(codex.vocabulary);
    },
  });
  return { state: { cursor: { offset: size }, reader: {}, ...happening.state() }, size };
}

/** Inside a string these would be escaped, so other lines cannot match. */
const SIGNS = [
  '"type":"token_usage_record"',
  '"type":"token_count"',
  '"type":"compacted"',
  '"type":"turn_context"',
  '"type":"session_meta"',
];

/** In the order of the lines: the last usage after the last compaction, its model, and the client's version. */
export function findLoad(text: string): TailLoad {
  const compactions: TailLoad["compactions"][number][] = [];
  let found: Pick<TailLoad, "usage" | "stepId"> = { usage: undefined, stepId: "" };
  let [model, version] = ["", ""];
  for (const line of text.split("\n")) {
    const record = SIGNS.some((sign) => line.includes(sign)) ? parseRolloutLine(line) : undefined;
    if (record === undefined) continue;
    const { kind, payload } = record;
    const usage = findUsage(record);
    if (usage) found = { usage, stepId: `${record.atMs}` };
    if (kind === "turn_context") model = textField(payload, "model") || model;
    if (kind === "session_meta") version = textField(payload, "cli_version") || version;
    if (kind !== "compacted") continue;
    // Its own request is recorded before it, and no longer describes the window.
    const preTokens = found.usage && sumContextTokens(found.usage);
    compactions.push({ trigger: "unknown", preTokens });
    found = { usage: undefined, stepId: "" };
  }
  const hasNews = found.usage !== undefined || compactions.length > 0 || model !== "" || version !== "";
  return { ...found, model, version, compactions, hasNews };
}

/** After a compaction the client records a last usage of zeros, which is skipped. */
function findUsage({ kind, payload }: RolloutLine): Usage | undefined {
  const isCount = kind === "token_count";
  if (!isCount && kind !== "token_usage_record") return undefined;
  const raw = isCount
    ? objectField(objectField(payload, "info") ?? {}, "last_token_usage")
    : objectField(payload, "usage");
  return raw && (numberField(raw, "input_tokens") ?? 0) > 0 ? parseUsage(raw) : undefined;
}

const BOUNDARY = '"type":"compacted"';

/** Codex reloads its instructions after a compaction, so none of them is missing. */
export function readAftermath(rollout: string, fromByte: number): Aftermath {
  const behind = readBehind(rollout, fromByte, BOUNDARY);
  if (behind === undefined) return NOTHING_YET;
  const contexts: string[] = [];
  const answers: RecordedAnswer[] = [];
  let replaced: ReturnType<typeof readReplaced> | undefined;
  for (const text of behind.split("\n")) {
    const line = parseRolloutLine(text);
    if (line?.kind === "compacted") replaced = readReplaced(line);
    if (line === undefined || replaced === undefined) continue;
    if (line.kind === "token_usage_record") answers.push({ id: String(line.atMs), atMs: line.atMs });
    if (line.kind === "message" && line.payload.role === "developer")
      contexts.push(
        ...listField(line.payload, "content")
          .filter(isObject)
          .map((part) => textField(part, "text")),
      );
  }
  if (replaced === undefined) return NOTHING_YET;
  return { hasBoundary: true, ...replaced, contexts: contexts.join("\n"), answers, instruments: [] };
}

/** The summary, and what the client keeps word for word next to it: both are in the next request. */
function readReplaced({ payload }: RolloutLine): Pick<Aftermath, "summary" | "isSealed"> {
  const items = listField(payload, "replacement_history").filter(isObject);
  const blocks = items.map(parseItem).flatMap((item): readonly Block[] => ("blocks" in item ? item.blocks : []));
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  return {
    summary: [...new Set([textField(payload, "message"), ...texts])].join("\n").trim() || "(nothing that can be read)",
    isSealed: blocks.some(({ kind }) => kind === "opaque"),
  };
}
