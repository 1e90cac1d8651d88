import type { JsonObject } from "../core/json.ts";
import { readApiMessages } from "../hosts/claude-code/api-messages.ts";
import { isObject, objectField, textField } from "../hosts/claude-code/json-fields.ts";
import type { Original } from "../layers/history/originals.ts";
import { renderPreservation } from "../session/compaction/preservation.ts";
import { planStateSave } from "../session/project-state/plan-state-save.ts";
import { toStateSave } from "../session/project-state/to-state-save.ts";
import { checkLanded, type Landing } from "../session/receipt/check-landed.ts";
import { diffSummary } from "../session/receipt/diff-summary.ts";
import { listFacts } from "../session/receipt/list-facts.ts";
import { planRepair } from "../session/receipt/plan-repair.ts";
import { createReceipt } from "../session/receipt/receipt.ts";
import { MAX_CHARACTERS, writeArchive } from "./archive.ts";
import { listKeys, parseCompactionEvent, parseMessages } from "./compaction-event.ts";
import type { Engine, Next } from "./engine.ts";
import { raise } from "./line.ts";
import type { Live } from "./live.ts";
import { type Answer, planAnswer } from "./plan-answer.ts";
import { readStateFiles, writeStateFiles } from "./project-files.ts";
import { nameRecallTool } from "./recall.ts";
import { tellAfterCompaction } from "./tell.ts";

type CompactNext = Next<JsonObject, unknown>;

const PROSE_PROMPT =
  "Do not use tools and do not think it over. In at most 300 words, for whoever continues this work: what is being done and why, what was found out, what the next step is. No list of files.";

/** Answers a compaction at once, or steers and repairs the client's own, as the person has set it. */
export async function answerCompaction($: Engine, live: Live, e: JsonObject, next: CompactNext): Promise<unknown> {
  const { settings } = live;
  // A subagent's own conversation is not followed: it is the client's to summarise.
  if (textField(e, "agentId") !== "") return next(e);
  if (settings.compaction === "native") return repairNative($, live, e, next);
  if (e.trigger === "precompute") return { skip: "Plimsoll answers at once when the time comes" };
  return answerAtOnce($, live, e);
}

async function answerAtOnce($: Engine, live: Live, e: JsonObject): Promise<unknown> {
  const startMs = performance.now();
  const { watch, totals } = live;
  const event = parseCompactionEvent(e);
  const weighed = event.messages.reduce((sum, { tokens }) => sum + tokens, watch.baseTokens());
  const contextTokens = Math.round(watch.contextTokens() ?? weighed);
  const answer = planAnswer(watch.happened(), event, {
    policy: live.settings.policy,
    model: watch.health().model,
    transcript: (await $.fs.exists(live.transcript).catch(() => false)) ? live.transcript : "",
    root: live.root,
    recallTool: nameRecallTool($),
    standing: await tellAfterCompaction($, live),
    prose: live.settings.compaction === "assisted" ? await askProse($, event.instructions) : undefined,
  });
  // Saved before anything leaves the window; what cannot be saved in the project is still in the session's own folder.
  await putAway($, live, answer);
  await saveProject($, live).catch((error) => noteFailure(live, error));
  await raise($, live);
  totals.compactions++;
  live.isAnswering = true;
  watch.expect(listKeys(answer.tail));
  watch.collapsed(answer.keptExchanges, answer.ledgerTokens);
  live.journal.note("session.compact", {
    kind: "compacted",
    by: "plimsoll",
    trigger: event.trigger,
    tokensBefore: contextTokens,
    tokensAfter: Math.round(watch.baseTokens() + answer.recordTokens + answer.tailTokens),
    ms: Math.round(performance.now() - startMs),
    why: live.lastWhy,
  });
  await live.journal.flush();
  return { messages: answer.messages };
}

/** A stretch of ledger without its originals would be a way out without a way back: then the client summarises itself. */
async function putAway($: Engine, { shelf, folder }: Live, { dropped, originals }: Answer): Promise<void> {
  const isLong = ({ text }: Original): boolean => text.length > MAX_CHARACTERS;
  const inPieces = originals.filter(isLong).map(({ handle, text }) => ({ callId: handle, text }));
  await writeArchive($, folder, Date.now(), [...dropped, ...inPieces]);
  for (const { text } of originals.filter((original) => !isLong(original))) {
    const kept = await shelf.keep({ output: text, tool: "ledger", command: "" });
    if (kept === undefined) throw new Error("the project's artifacts cannot be written");
  }
}

/** What the next session of this project must know, into its `.plimsoll/`. */
async function saveProject($: Engine, { root, watch }: Live): Promise<void> {
  const nowMs = Date.now();
  const { texts, unreadable } = await readStateFiles($, root);
  const plan = planStateSave(texts, toStateSave(watch.happened()), nowMs);
  await writeStateFiles($, root, { plan, unreadable }, nowMs);
}

function noteFailure({ journal }: Live, error: unknown): void {
  journal.note("session.compact", { kind: "failed", why: `the project's state could not be saved: ${String(error)}` });
}

/** The model's own words over its own cached conversation; the record stands without them. */
async function askProse($: Engine, instructions: string): Promise<string> {
  const wish = instructions === "" ? "" : ` Keep in mind: ${instructions}`;
  const answer = await $.model.fork({ prompt: PROSE_PROMPT + wish, effort: "low" }).catch(() => undefined);
  return isObject(answer) && answer.isAnswered === true ? textField(answer, "text").trim() : "";
}

/** The client summarises, told what must be kept; what its summary lost is put back before the next request. */
async function repairNative($: Engine, live: Live, e: JsonObject, next: CompactNext): Promise<unknown> {
  const happened = live.watch.happened();
  await saveProject($, live).catch((error) => noteFailure(live, error));
  const preservation = renderPreservation({
    state: happened.state,
    trigger: textField(e, "trigger"),
    diffStat: await readDiffStat($, live.root),
    summaries: [],
  });
  const instructions = [textField(e, "instructions"), preservation].filter((text) => text !== "").join("\n\n");
  const result = await next({ ...e, instructions });
  if (!isObject(result) || !Array.isArray(result.messages) || e.trigger === "precompute") return result;
  const [summary, ...kept] = parseMessages(result.messages);
  live.watch.expect(listKeys(kept));
  const diff = diffSummary(summary?.text ?? "", listFacts(happened, { root: live.root }));
  const repair = planRepair(diff);
  live.totals.compactions++;
  live.repairing = { compaction: happened.state.compactions + 1, diff, repair };
  noteReceipt(live, undefined);
  live.isAnswering = true;
  const added = [repair.text, await tellAfterCompaction($, live)].filter((text) => text !== "").join("\n\n");
  await live.journal.flush();
  if (added === "") return result;
  return { ...result, messages: [...result.messages, { role: "user", text: added, toolUses: [] }] };
}

/** Looks, once a request has been made since, whether what was put back is in the conversation as the engine sends it. */
export async function checkRepair($: Engine, live: Live): Promise<void> {
  const { repairing } = live;
  if (repairing === undefined) return;
  const sent = collectTexts(await $.session.messages({ as: "api" }).catch(() => []));
  const landing = checkLanded(repairing.repair, sent);
  noteReceipt(live, landing);
  live.repairing = undefined;
}

function collectTexts(messages: unknown): string {
  const texts = readApiMessages(messages).map((event) =>
    event.kind === "arrival" && event.block.kind === "text" ? event.block.text : "",
  );
  return texts.join("\n");
}

function noteReceipt({ journal, repairing }: Live, landing: Landing | undefined): void {
  if (repairing === undefined) return;
  const receipt = createReceipt(repairing.diff, repairing.repair, landing);
  journal.note("session.compact", {
    kind: "receipt",
    compaction: repairing.compaction,
    held: receipt.held,
    paraphrased: receipt.paraphrased,
    lost: receipt.lost.map(({ text, repair }) => ({ line: text, isInjected: repair !== "left out" })),
    landing: landing?.status ?? "unknown",
  });
}

async function readDiffStat($: Engine, root: string): Promise<string> {
  const run = await $.process.run(["git", "-C", root, "diff", "--stat", "HEAD"]).catch(() => undefined);
  return isObject(run) ? textField(run, "stdout").trim() : "";
}

export function readUsage(usage: unknown): number | undefined {
  const context = isObject(usage) ? objectField(usage, "context") : undefined;
  const tokens = context?.tokens;
  return typeof tokens === "number" && tokens > 0 ? tokens : undefined;
}
