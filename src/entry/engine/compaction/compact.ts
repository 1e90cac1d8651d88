import { existsSync } from "node:fs";
import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { LEDGER_TOOL } from "../../../files/artifacts/create-session-store.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { countRoom } from "../../../policy/collapse-due.ts";
import { renderSummaries } from "../../../survive/cold-tasks/plan-cold-tasks.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { RECALL_TOOL } from "../../module/names.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { collectColdTasks } from "../cold-session.ts";
import { type EngineConversation, listRestated, readConversation } from "../conversation.ts";
import { raise } from "../line.ts";
import { type Live, readContextTokens, roomOf, styleOf } from "../live.ts";
import { renderCheckpoints } from "../memory-file.ts";
import { saveProject } from "../perform.ts";
import { sayAfterCompaction } from "../say.ts";
import { showIdle } from "../status.ts";
import { createWatch } from "../watch.ts";
import { countCompaction, isTight, shareRoom } from "./breaker.ts";
import { listKeptResults } from "./choose-window.ts";
import { type EngineMessage, listKeys, parseRows } from "./compaction-event.ts";
import { answerGiven } from "./life.ts";
import { type Answer, planAnswer } from "./plan-answer.ts";
import { repairNative } from "./repair-native.ts";
import { addCheckpoint, findCheckpoint, hasRewound, readEvents } from "./rewound.ts";
import { recoverExtras } from "./row-extras.ts";
import { describeNote, endNotes, forgetNotes, joinNote, writeNote } from "./take-note.ts";

/** Answers a compaction at once, or steers and repairs the client's own, as the person has set it. */
export async function handleCompaction($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const { settings } = live;
  if (settings.compaction === "native") return repairNative($, live, e, next);
  if (e.trigger === "precompute") return { skip: "Plimsoll compacts at once and needs no summary in advance" };
  return answerAtOnce($, live, e, next);
}

async function answerAtOnce($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const startMs = performance.now();
  const rows = parseRows(e.messages);
  const trigger = textField(e, "trigger");
  const instructions = textField(e, "instructions");
  const contextTokens = await readContextTokens($, live, rows);
  const { conversation, happened } = await readWindow($, live, rows);
  if (trigger === "auto") live.breaker = countCompaction(live.breaker);
  const answer = planAnswer(happened, conversation, {
    policy: live.settings.policy,
    model: live.watch.health().model,
    transcript: existsSync(live.transcript) ? live.transcript : "",
    artifacts: live.store.paths(),
    root: live.root,
    recallTool: RECALL_TOOL,
    instructions,
    finished: renderSummaries(await collectColdTasks(live)),
    standing: [live.conversation.beside.planMode, await sayAfterCompaction($, live, conversation.opening.length > 0)]
      .filter((text) => text !== "")
      .join("\n\n"),
    keptResults: listKeptResults(live, rows),
    forgotten: new Set(live.policy.told.forgottenCalls),
    isMidLoop: trigger === "auto" && live.steering.by === "loop",
    roomTokens: countRoom(roomOf(live)),
    maxResultCharacters: isTight(live.breaker) ? shareRoom(roomOf(live), 8) : undefined,
    note: live.settings.compaction === "assisted" ? await writeNote($, live, instructions) : joinNote(live),
  });
  // Saved before anything leaves the window. If the project cannot be written, the session's own folder still has it.
  if (!storeRemoved(live, answer)) return decline($, live, e, next);
  await saveProject(live);
  raise($, live);
  const note = describeNote(live);
  endNotes(live);
  live.life = answerGiven(live.life, {
    by: "plimsoll",
    trigger,
    tokensBefore: contextTokens,
    expectedTokens: Math.round(live.watch.baseTokens() + answer.recordTokens + answer.tailTokens),
    recordTokens: answer.recordTokens,
    ...(note && { note }),
    ms: Math.round(performance.now() - startMs),
    // A manual compaction needs no reason of ours.
    why: trigger === "manual" ? "" : live.steering.why,
    steeredBy: live.steering.by,
    landmark: answer.record,
    before: { ...live.conversation, load: live.watch.save().load },
  });
  await expectWindow(live, conversation, answer);
  return { messages: answer.messages };
}

/** The conversation in the order in which it is sent, and what has happened in it. */
async function readWindow($: ClientPort, live: Live, rows: readonly EngineMessage[]) {
  const sent = await $.session.messages({ as: "api" }).catch(() => []);
  const messages = groupByAnswer(rows, sent);
  const extras = recoverExtras(live.conversation.beside, live.store, { reported: messages, sent });
  live.conversation = { ...live.conversation, beside: extras };
  const { hasAnswered, keptAnswers } = live.conversation;
  const conversation = readConversation(messages, extras, {
    // A process without memory of an earlier one recognises the record by this session's transcript path in it.
    hasRecord: hasAnswered || messages.some(({ text }) => text.includes(`in ${live.transcript}.`)),
    repeated: new Set(keptAnswers),
  });
  return { conversation, happened: followRewind(live, messages, conversation) };
}

/** From here on the session is what the answer leaves of it; the client reports its rows once more. */
async function expectWindow(live: Live, { opening }: EngineConversation, answer: Answer): Promise<void> {
  const { watch, folder, files, conversation } = live;
  const checkpoints = addCheckpoint(conversation.checkpoints, answer.record, watch.save());
  const extras = { ...conversation.beside, retold: listRestated(answer.tail) };
  live.conversation = { beside: extras, keptAnswers: answer.keptAnswers, hasAnswered: true, checkpoints };
  await files.write(`${folder}/${SESSION_FILES.checkpoints}`, renderCheckpoints(checkpoints)).catch(() => undefined);
  watch.expect(listKeys([...opening, ...answer.tail.flatMap((entry) => (entry.kind === "row" ? [entry.row] : []))]));
  watch.collapsed(answer.keptExchanges, answer);
}

/** What had happened according to the conversation, without what the person has rewound. */
function followRewind(live: Live, reported: readonly EngineMessage[], conversation: EngineConversation): Happened {
  if (hasRewound(live.conversation.beside, reported)) {
    forgetNotes(live);
    const { meter, baseTokens, baseErrorTokens } = live.watch.save();
    const known = findCheckpoint(live.conversation.checkpoints, conversation);
    const saved = { ...known, meter, baseTokens, baseErrorTokens };
    live.watch = createWatch(saved, styleOf(live.root, live.settings), live.health);
    live.watch.events(readEvents(conversation));
  }
  return live.watch.happened();
}

/** A segment of ledger must not be written without its originals: false if they cannot be stored. */
export function storeRemoved({ store }: Live, { dropped, originals, folded }: Answer): boolean {
  const kept = [...originals.map(({ text }) => ({ output: text, tool: LEDGER_TOOL })), ...folded];
  return store.archive(dropped) && kept.every((original) => store.keep(original) !== undefined);
}

/** If nothing can be stored, an early compaction is called off, and any other is left to the client. */
async function decline($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const why = "Plimsoll cannot save originals in the project or in the data folder";
  const isOurs = live.line.isLowered;
  raise($, live);
  showIdle($, live, true);
  live.journal.note("session.compact", { kind: "declined", what: "compaction", why });
  return isOurs ? { skip: why } : next(e);
}

/**
 * Rows in the order in which they are sent: each answer of the model with all its calls, then the results of these calls, then
 * whatever came in meanwhile. The client runs calls while the answer still streams, so it keeps `call 1, call 2, result 2, call
 * 3, result 3, result 1`. Rows do not say which answer they belong to. `sent` does: the same conversation in the form of the API.
 */
export function groupByAnswer(rows: readonly EngineMessage[], sent: unknown): readonly EngineMessage[] {
  const answers = findAnswers(rows, readSentAnswers(sent));
  const madeIn = new Map(rows.flatMap((row, at) => row.calls.map((callId) => [callId, answers[at]] as const)));
  const groups: Group[] = [];
  const opened = new Map<number, Group>();
  for (const [at, row] of rows.entries()) {
    const answer =
      row.role === "assistant"
        ? answers[at]
        : row.results.map((id) => madeIn.get(id)).find((number) => number !== undefined);
    const known = answer === undefined ? groups.at(-1) : opened.get(answer);
    const group = known ?? { said: [], results: [], others: [] };
    if (known === undefined) groups.push(group);
    if (answer !== undefined) opened.set(answer, group);
    if (row.role === "assistant") group.said.push(row);
    else if (answer !== undefined) group.results.push(row);
    else group.others.push(row);
  }
  return groups.flatMap(({ said, results, others }) => [...said, ...inOrderOfCalls(said, results), ...others]);
}

interface Group {
  readonly said: EngineMessage[];
  readonly results: EngineMessage[];
  readonly others: EngineMessage[];
}

interface SentAnswer {
  readonly calls: readonly string[];
  /** Texts that no row was found for yet. */
  readonly texts: string[];
}

function readSentAnswers(sent: unknown): readonly SentAnswer[] {
  const messages: readonly JsonObject[] = Array.isArray(sent) ? sent.filter(isObject) : [];
  return messages
    .filter(({ role }) => role === "assistant")
    .map((message) => {
      const blocks = listField(message, "content").filter(isObject);
      return {
        calls: blocks.filter(({ type }) => type === "tool_use").map((block) => textField(block, "id")),
        texts: blocks.filter(({ type }) => type === "text").map((block) => textField(block, "text")),
      };
    });
}

/** The number of the answer that each row of the model belongs to; `undefined` for other rows. */
function findAnswers(rows: readonly EngineMessage[], sent: readonly SentAnswer[]): readonly (number | undefined)[] {
  const numbers = new Map(sent.flatMap(({ calls }, number) => calls.map((callId) => [callId, number] as const)));
  const waiting = new Set<string>();
  let previous = -1;
  // Answers that only their own rows identify are numbered after those that the API was sent.
  let unnumbered = sent.length;
  return rows.map(({ role, calls, results, text }, at) => {
    for (const callId of results) waiting.delete(callId);
    if (role !== "assistant") {
      if (results.length > 0) return undefined;
      // A message of the person ends every answer.
      waiting.clear();
      previous = -1;
      return undefined;
    }
    // The text of an answer may come after its last result, right before the next answer.
    const isRest = text !== "" && sent[previous]?.texts.includes(text) === true;
    const goesOn = rows[at - 1]?.role === "assistant" || waiting.size > 0;
    const known = isRest ? previous : (findCalled(rows, at, numbers) ?? (goesOn ? previous : -1));
    const number = known >= 0 ? known : unnumbered++;
    takeText(sent[number], text);
    for (const callId of calls) waiting.add(callId);
    previous = number;
    return number;
  });
}

function findCalled(rows: readonly EngineMessage[], from: number, numbers: ReadonlyMap<string, number>) {
  for (let at = from; rows[at]?.role === "assistant"; at++) {
    const number = rows[at]?.calls.map((callId) => numbers.get(callId)).find((number) => number !== undefined);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Each text of an answer belongs to one row. */
function takeText(answer: SentAnswer | undefined, text: string): void {
  const at = answer?.texts.indexOf(text) ?? -1;
  if (at >= 0) answer?.texts.splice(at, 1);
}

function inOrderOfCalls(said: readonly EngineMessage[], results: readonly EngineMessage[]): readonly EngineMessage[] {
  const order = new Map(said.flatMap(({ calls }) => calls).map((callId, at) => [callId, at]));
  const placeOf = (row: EngineMessage): number => Math.min(...row.results.map((callId) => order.get(callId) ?? 0));
  return results.toSorted((left, right) => placeOf(left) - placeOf(right));
}
