import { existsSync } from "node:fs";
import { type JsonObject, textField } from "../../../core/json.ts";
import { LEDGER_TOOL } from "../../../files/artifacts/create-session-store.ts";
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
import { showIdle } from "../status.ts";
import { createWatch } from "../watch.ts";
import { answerWindow, arrangeWindow } from "./answer-window.ts";
import { countCompaction, isTight, shareRoom } from "./breaker.ts";
import { type EngineMessage, listKeys, parseRows } from "./compaction-event.ts";
import { answerGiven } from "./life.ts";
import type { Answer } from "./plan-answer.ts";
import { repairNative } from "./repair-native.ts";
import { addCheckpoint, findCheckpoint, hasRewound, readEvents } from "./rewound.ts";
import { recoverExtras } from "./row-extras.ts";
import { describeNote, endNotes, forgetNotes, joinNote, writeNote } from "./take-note.ts";

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
