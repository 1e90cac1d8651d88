import { existsSync } from "node:fs";
import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { renderSummaries } from "../../../survive/cold-tasks/plan-cold-tasks.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { RECALL_TOOL } from "../../module/names.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { collectColdTasks } from "../cold-session.ts";
import { type EngineConversation, listRestated } from "../conversation.ts";
import { raise } from "../line.ts";
import { type Live, readContextTokens, roomOf, styleOf } from "../live.ts";
import { renderCheckpoints } from "../memory-file.ts";
import { modelOf, saveProject } from "../perform.ts";
import { sayAfterCompaction } from "../say.ts";
import { showIdle, showStatus } from "../status.ts";
import { createWatch } from "../watch.ts";
import { compactAgent } from "./agent-window.ts";
import { answerWindow, arrangeWindow } from "./answer-window.ts";
import { countCompaction, isTight, shareRoom } from "./breaker.ts";
import { type EngineMessage, listKeys, parseRows } from "./compaction-event.ts";
import { answerGiven } from "./life.ts";
import { type Answer, storeRemoved } from "./plan-answer.ts";
import { repairNative } from "./repair-native.ts";
import { addCheckpoint, findCheckpoint, hasRewound, readEvents, toHanded } from "./rewound.ts";
import { recoverExtras } from "./row-extras.ts";
import { restSteering } from "./steer.ts";
import { describeNote, endNotes, forgetNotes, joinNote, writeNote } from "./take-note.ts";

/** A compaction as the person sees it: their own hooks first, then the answer; `settle-compaction.ts` reports the result. */
export async function overseeCompaction($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const isOurs = live.settings.compaction !== "native";
  // A subagent's compaction and a precomputed one are not shown.
  const ofAgent = textField(e, "agentId") !== "";
  if (ofAgent && !isOurs) return next(e);
  if (e.trigger === "precompute") return handleCompaction($, live, e, next);
  const veto = isOurs ? await runOwnHooks(live, e, next) : undefined;
  if (ofAgent) return veto ?? (await tryAnswer(live, () => compactAgent($, live, e, next))) ?? next(e);
  if (veto !== undefined) {
    // If it stayed on, it would be started and refused before every request, and shown each time.
    if (e.trigger !== "manual") live.steering.isOn = false;
    live.journal.note("session.compact", { kind: "declined", what: "compaction", why: veto.skip });
    raise($, live);
    return veto;
  }
  const startMs = live.nowMs();
  // A failure handler would get what the client said when it ran the person's hooks, so the client is asked here.
  const answered = isOurs
    ? await tryAnswer(live, () => handleCompaction($, live, e, next))
    : await handleCompaction($, live, e, next);
  if (answered === undefined) return next(e);
  if (!isObject(answered) || !Array.isArray(answered.messages)) return answered;
  live.watch.compacted(startMs);
  restSteering(live);
  showStatus($, live);
  return { ...answered, messages: toHanded(answered.messages) };
}

/** Our answer; `undefined` if that failed. */
async function tryAnswer(live: Live, answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    live.journal.note("session.compact", { kind: "failed", why });
    return undefined;
  }
}

/**
 * Runs the person's own PreCompact hooks, which the client starts only on its own way to a summary. Asked to compact one message, it runs them,
 * finds too little to summarise and says so without a request (2.1.325, `/compact` and automatic). A hook that blocks the compaction blocks ours.
 */
async function runOwnHooks(live: Live, e: JsonObject, next: CarryOn): Promise<{ skip: string } | undefined> {
  const messages = listField(e, "messages").slice(0, 1);
  if (!live.runsOwnHooks || messages.length === 0) return undefined;
  const answered = await next({ ...e, messages }).catch(() => undefined);
  if (!isObject(answered)) return undefined;
  const skip = textField(answered, "skip");
  if (skip !== "") return { skip };
  // A client that summarises even this is asked only once.
  live.runsOwnHooks = false;
  live.journal.note("session.compact", {
    kind: "declined",
    what: "PreCompact hooks",
    why: "this client wrote a summary when it was asked to run the PreCompact hooks, so Plimsoll no longer has them run when it compacts",
  });
  return undefined;
}

/** Answers a compaction at once, or steers and repairs the client's own, as the person has set it. */
export async function handleCompaction($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  if (live.settings.compaction === "native") return repairNative($, live, e, next);
  if (e.trigger === "precompute") return { skip: "Plimsoll compacts at once and needs no summary in advance" };
  const startMs = performance.now();
  const rows = parseRows(e.messages);
  const trigger = textField(e, "trigger");
  const instructions = textField(e, "instructions");
  const contextTokens = await readContextTokens($, live, rows);
  const { window, happened } = await readWindow($, live, rows);
  const { conversation } = window;
  if (trigger === "auto") live.breaker = countCompaction(live.breaker);
  const answer = answerWindow(
    {
      window,
      happened,
      vocabulary: claudeCodeVocabulary,
      policy: live.settings.policy,
      model: modelOf(live),
      transcript: existsSync(live.transcript) ? live.transcript : "",
      root: live.root,
      recallTool: RECALL_TOOL,
      known: live.watch.lines(),
      store: live.store,
      marked: live.policy.told,
      room: roomOf(live),
    },
    {
      instructions,
      finished: renderSummaries(await collectColdTasks(live)),
      standing: await sayAfterCompaction($, live, conversation.opening.length > 0),
      note: live.settings.compaction === "assisted" ? await writeNote($, live, instructions) : joinNote(live),
      isMidLoop: trigger === "auto" && live.steering.by === "loop",
      maxResultCharacters: isTight(live.breaker) ? shareRoom(roomOf(live), 8) : undefined,
    },
  );
  // Saved before anything leaves the window. If the project cannot be written, the session's own folder still has it.
  if (!storeRemoved(live.store, answer)) return decline($, live, e, next);
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
  const extras = recoverExtras(live.conversation.beside, live.store, { reported: rows, sent });
  live.conversation = { ...live.conversation, beside: extras };
  const window = arrangeWindow(rows, sent, { ...live.conversation, transcript: live.transcript });
  return { window, happened: followRewind(live, rows, window.conversation) };
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

/** If nothing can be stored, an early compaction is called off, and any other is left to the client. */
async function decline($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const why = "Plimsoll cannot save originals in the project or in the data folder";
  const isOurs = live.line.isLowered;
  raise($, live);
  showIdle($, live, true);
  live.journal.note("session.compact", { kind: "declined", what: "compaction", why });
  return isOurs ? { skip: why } : next(e);
}
