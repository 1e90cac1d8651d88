import { type JsonObject, listField, objectField, textField } from "../../core/json.ts";
import type { SessionStore } from "../../files/artifacts/create-session-store.ts";
import type { ArtifactToKeep } from "../../files/artifacts/keep-artifact.ts";
import { readPlainText } from "../../files/private-files.ts";
import { type GroupMember, planLast } from "../../fold/fold-group.ts";
import { foldOutput } from "../../fold/fold-output.ts";
import { decidePromptAuthor } from "../../hosts/claude-code/prompt-author.ts";
import { parseRow, type Row, type RowMessage } from "../../hosts/claude-code/row-reader.ts";
import { findPersisted, joinTexts, parsePersisted } from "../../hosts/claude-code/tool-output.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { isRecall } from "../../layers/history/is-recall.ts";
import type { BirthFold } from "../../layers/options/policy-folds.ts";
import { estimateTextTokens } from "../../models/tokens.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import { type GroupedOutput, groupArrived } from "../../policy/group-outputs.ts";
import { chooseBirthFold, resultArrived, tightenFold } from "../../policy/result-arrived.ts";
import type { Happened } from "../../survive/record/happened.ts";
import type { CarryOn, ClientPort } from "./client-port.ts";
import { lookForColdTasks } from "./cold-session.ts";
import { followAgent } from "./compaction/agent-window.ts";
import { CALM, countRequest, isTight, shareRoom } from "./compaction/breaker.ts";
import { checkRepair, putBack } from "./compaction/repair-native.ts";
import { clearExtras, followExtras, keepPictures, listPictures } from "./compaction/row-extras.ts";
import { settleCompaction } from "./compaction/settle-compaction.ts";
import { steer } from "./compaction/steer.ts";
import { considerNote } from "./compaction/take-note.ts";
import { lower, raise } from "./line.ts";
import { type Live, readUsage, roomOf } from "./live.ts";
import { forgetSaid, sayAtLevel, sayAtPrompt, sayBeforePrompt, sayInLoop } from "./say.ts";
import { showIdle, showStatus } from "./status.ts";

const MAX_INPUTS = 200;
/** Reading and folding so much takes a second. */
const MAX_PERSISTED_BYTES = 16 << 20;

/** A row on its way into the conversation: folds a large result, follows the session, and sets the line by its size. */
export async function followRow($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const row = parseRow(e);
  if (row === undefined) return next(e);
  const isMain = row.agentId === undefined;
  if (isMain && row.door === "tool-result") await measure($, live);
  if (isMain) noticeSilentBoundary(live, row);
  const step = live.watch.step();
  const rule = row.door === "tool-result" && live.settings.isFolding ? chooseFold(live) : undefined;
  const folded = rule && foldRow(row, portOf($, live, rule));
  const stored = folded ? { ...e, message: { ...objectField(e, "message"), content: folded.message.content } } : e;
  const isPrompt = isMain && row.door === "prompt" && row.message.isMeta !== true;
  if (isPrompt && readPrompt(row) !== "") await sayBeforePrompt($, live);
  const result = await next(stored);
  for (const action of folded?.actions ?? []) {
    live.journal.note("session.append", action);
    if (action.kind !== "folded") continue;
    live.totals.folds++;
    live.totals.savedTokens += action.savedTokens;
  }
  const shown = folded ? { ...row, message: folded.message } : row;
  if (row.agentId !== undefined) {
    followAgent(live, row.agentId, shown);
    return result;
  }
  const pictured = keepPictures(live.store, shown);
  live.conversation = { ...live.conversation, beside: followExtras(live.conversation.beside, shown, pictured) };
  if (row.message.name === "compact_boundary") forgetSaid(live);
  // The whole result says what happened, not what is left of it in the window.
  const before = isPrompt ? live.watch.happened() : undefined;
  const isNew = live.watch.row(row, live.nowMs(), folded?.message);
  if (isNew && row.door === "prompt") live.breaker = CALM;
  if (isNew && live.watch.step() !== step) live.breaker = countRequest(live.breaker);
  const isNewWord = isNew && (row.door === "prompt" || row.door === "tool-result");
  // The first place that separates neither the kept rows nor a call from its result.
  if (isNewWord || live.watch.isRestated()) await putBack($, live);
  if (!isNew) return result;
  await react($, live, row, before);
  return result;
}

/** A `/compact` in the terminal reports neither its boundary nor the rows that stay (seen in 2.1.325): the next message shows that it is done. */
function noticeSilentBoundary(live: Live, { door, message }: Row): void {
  const isWord = door === "prompt" || door === "response" || door === "tool-result";
  if (live.life.kind !== "answering" || !isWord || message.name === "compact_boundary") return;
  live.watch.expect([]);
  live.conversation = { ...live.conversation, beside: clearExtras(live.conversation.beside) };
  forgetSaid(live);
}

/** If the client is about to give up over a window that refills, no single result may take much of it. */
function chooseFold(live: Live): BirthFold {
  const fold = { ...chooseBirthFold(live.settings.policy, "collapsing"), style: live.settings.preview };
  return isTight(live.breaker) ? tightenFold(fold, shareRoom(roomOf(live), 4)) : fold;
}

async function react($: ClientPort, live: Live, row: Row, before: Happened | undefined): Promise<void> {
  const isPrompt = row.door === "prompt" && row.message.isMeta !== true;
  if (!isPrompt && row.door !== "tool-result") return;
  const prompt = isPrompt ? readPrompt(row) : "";
  if (prompt !== "") await sayAtPrompt($, live, prompt, before);
  live.steering.why = await draw($, live, row, prompt !== "");
  considerNote($, live);
  showStatus($, live);
  if (isPrompt) return;
  // A compaction that is about to be made needs no advice to make one.
  if (live.steering.why === "") await sayAtLevel($, live);
  const action = claudeCodeVocabulary.interpretCall(textField(row.origin, "tool"), {});
  await sayInLoop($, live, action);
  await lookForColdTasks(live, { action });
}

/** Starts a compaction if one is due; returns the reason. */
async function draw($: ClientPort, live: Live, row: Row, isPrompt: boolean): Promise<string> {
  if (live.steering.isTidyDue) {
    live.steering.isTidyDue = false;
    lower($, live);
    return "the session was resumed in the middle of a turn, which duplicates messages";
  }
  if (listPictures(row).length === 0) return steer($, live, { nowMs: live.nowMs(), isPrompt });
  // The model must see a picture that just came in before it can be folded.
  raise($, live);
  return "";
}

/** The person's own words; empty for a notice that comes as a prompt. */
function readPrompt({ message }: Row): string {
  const text = message.content.map((block) => textField(block, "text")).join("\n");
  return decidePromptAuthor(text) === "person" ? text : "";
}

/** Measures the request of the last response, once for each. */
export async function measure($: ClientPort, live: Live): Promise<void> {
  if (live.watch.isMeasured()) return;
  const [usage, model] = await Promise.all([$.session.usage(), $.session.model()]);
  const tokens = readUsage(usage);
  if (tokens === undefined) return;
  if (!live.watch.measured(tokens, model, live.nowMs())) return;
  await settleCompaction($, live, tokens);
  await checkRepair($, live);
}

/** Remembers a call for the fold of its result. */
export function noteCall(live: Live, callId: string, input: JsonObject): void {
  live.inputs.set(callId, input);
  const [oldest] = live.inputs.keys();
  if (live.inputs.size > MAX_INPUTS && oldest !== undefined) live.inputs.delete(oldest);
}

function portOf($: ClientPort, live: Live, rule: BirthFold): FoldPort {
  return {
    rule,
    keep: (original) => {
      const kept = live.store.keep(original);
      const why = "the original cannot be written to the project or to the data folder";
      if (kept === undefined) live.journal.note("session.append", { kind: "declined", what: "fold", why });
      showIdle($, live, kept === undefined);
      return kept;
    },
    readPersisted: (path) => {
      // The path comes from a text that anyone may have written: only the client's folder for this session's outputs is allowed.
      if (!path.startsWith(live.toolResults) || path.includes("..")) return undefined;
      const text = readPlainText(path, MAX_PERSISTED_BYTES);
      const why = `the client saved the output to ${path}, which cannot be read: it is no file of text, or larger than ${MAX_PERSISTED_BYTES >> 20} MB`;
      if (text === undefined) live.journal.note("session.append", { kind: "declined", what: "fold", why });
      return text;
    },
    inputOf: (callId) => live.inputs.get(callId) ?? {},
    joinGroup: (output) => {
      if (!live.settings.combinesOutputs) return undefined;
      const { groups, due } = groupArrived(live.groups, output, rule);
      live.groups = groups;
      return due;
    },
  };
}

export interface FoldPort {
  readonly rule: BirthFold;
  /** Stores an original and returns its hash and path; `undefined` if it could not be stored: nothing is folded then. */
  keep(original: ArtifactToKeep): ReturnType<SessionStore["keep"]>;
  /** The whole of an output that the client itself has put into a file. */
  readPersisted(path: string): string | undefined;
  /** A call's input; empty if it was not seen. */
  inputOf(callId: string): JsonObject;
  /** The outputs that share an artifact with this one; absent if outputs are not combined. */
  joinGroup?(output: GroupedOutput): readonly GroupMember[] | undefined;
}

export interface FoldedRow {
  readonly message: RowMessage;
  readonly actions: readonly ActionDetail[];
}

/** Folds the results in a row before it is stored; `undefined` if there is nothing to fold. */
export function foldRow(row: Row, port: FoldPort): FoldedRow | undefined {
  const actions: ActionDetail[] = [];
  const content: JsonObject[] = [];
  for (const block of row.message.content) {
    const isResult = block.type === "tool_result" && block.is_error !== true;
    const folded = isResult ? foldResult(block, row, port) : undefined;
    if (folded) actions.push(folded.action);
    content.push(folded ? { ...block, content: folded.text } : block);
  }
  return actions.length === 0 ? undefined : { message: { ...row.message, content }, actions };
}

function foldResult(block: JsonObject, { origin, agentId }: Row, port: FoldPort) {
  const tool = textField(origin, "tool");
  // Only text is folded; a result with a picture stays as it is.
  const shown = typeof block.content === "string" ? block.content : joinTexts(listField(block, "content"));
  const callId = textField(block, "tool_use_id");
  const input = port.inputOf(callId);
  if (shown === undefined || isRecall(tool, input)) return undefined;
  const persisted = findPersisted(shown);
  const file = persisted === undefined ? undefined : port.readPersisted(persisted);
  const text = (persisted === undefined || file === undefined ? undefined : parsePersisted(persisted, file)) ?? shown;
  if (text === shown && persisted !== undefined) return undefined;
  const { kind } = claudeCodeVocabulary.interpretCall(tool, input);
  const command = textField(input, "command");
  const due = resultArrived({ text, kind }, port.rule);
  const output = { id: callId, tool, command: command || textField(input, "pattern"), text };
  const earlier = due ? undefined : port.joinGroup?.({ ...output, kind, window: agentId ?? "" });
  const last = earlier && planLast(earlier, output);
  if (due === undefined && last === undefined) return undefined;
  const kept = port.keep({ output: last?.artifact ?? text, tool, command });
  if (kept === undefined) return undefined;
  const { handle, path, sha256 } = kept;
  const startMs = performance.now();
  const folded = last?.render(kept) ?? foldOutput(text, { tool, command }, { path, sha256, ...due }).text;
  const ms = Math.round((performance.now() - startMs) * 100) / 100;
  const savedTokens = Math.round(estimateTextTokens(shown, "dense") - estimateTextTokens(folded, "dense"));
  const [characters, shownCharacters] = [text.length, folded.length];
  const action: ActionDetail = { kind: "folded", callId, tool, handle, characters, shownCharacters, ms, savedTokens };
  return { text: folded, action };
}
