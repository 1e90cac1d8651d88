import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { readApiMessages } from "../../../hosts/claude-code/api-messages.ts";
import { diffSummary } from "../../../survive/receipt/diff-summary.ts";
import { listFacts } from "../../../survive/receipt/list-facts.ts";
import { checkLanded, type Landing, planRepair } from "../../../survive/receipt/plan-repair.ts";
import { createReceipt } from "../../../survive/receipt/receipt.ts";
import {
  describeClientCompaction,
  hasAnythingToPreserve,
  renderPreservation,
} from "../../../survive/record/preservation.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { collectColdTasks } from "../cold-session.ts";
import { type Live, readContextTokens } from "../live.ts";
import { saveProject } from "../perform.ts";
import { sayAfterCompaction } from "../say.ts";
import { listKeys, parseRows, weighMessage } from "./compaction-event.ts";
import { answerGiven, type LostFacts, type PendingCompaction, repairChecked, repairWaits } from "./life.ts";

/** About a thousand tokens: more would cost more than asking for it. */
const MAX_BOUNDARY_CHARACTERS = 4_000;

/**
 * The client asks what a session begins with before it goes on from its own summary. This is the only place from which its very next
 * request can be reached without a change to its answer, and the summary is not known here yet: so the most important facts are told.
 */
export async function sayAtBoundary($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const answered = await next(e);
  if (live.boundary === undefined) return answered;
  const everything = diffSummary("", live.boundary.facts);
  const { text } = planRepair(everything, MAX_BOUNDARY_CHARACTERS, "the summary may leave this out");
  const said = [text, await sayAfterCompaction($, live, false)].filter((part) => part !== "").join("\n\n");
  if (said === "") return answered;
  live.boundary = { ...live.boundary, said };
  const others = isObject(answered) ? answered : {};
  return { ...others, additionalContext: [...listField(others, "additionalContext"), said] };
}

/**
 * The client summarises with instructions on what to keep, and what its summary lost is put back. If the client
 * keeps rows next to its summary, its answer is left unchanged and the repair waits: any change to the answer
 * would create all of its rows anew, and a resumed session would find the old and the new (seen in 2.1.325).
 */
export async function repairNative($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const happened = live.watch.happened();
  await saveProject(live);
  const startMs = performance.now();
  const trigger = textField(e, "trigger");
  const tokensBefore = await readContextTokens($, live, parseRows(e.messages));
  const summaries = await collectColdTasks(live);
  const preserved = { happened, root: live.root, trigger, summaries };
  const preservation = hasAnythingToPreserve(preserved) ? renderPreservation(preserved) : "";
  const instructions = [textField(e, "instructions"), preservation].filter((text) => text !== "").join("\n\n");
  const facts = listFacts(happened, { root: live.root });
  live.boundary = e.trigger === "precompute" ? undefined : { facts, said: "" };
  const result = await next({ ...e, instructions });
  const { said } = live.boundary ?? { said: "" };
  live.boundary = undefined;
  if (!isObject(result) || !Array.isArray(result.messages) || e.trigger === "precompute") return result;
  const answered = parseRows(result.messages);
  const [summary, ...kept] = answered;
  live.watch.expect(listKeys(kept));
  const diff = diffSummary(summary?.text ?? "", facts);
  const repair = planRepair(diffSummary(summary?.text ?? "", facts, said));
  const lost = { compaction: happened.state.compactions + 1, diff };
  noteReceipt(live, lost);
  const pending: PendingCompaction = {
    by: "client",
    trigger,
    tokensBefore,
    expectedTokens: Math.round(answered.reduce((sum, row) => sum + weighMessage(row), live.watch.baseTokens())),
    ms: Math.round(performance.now() - startMs),
    why: `${describeClientCompaction(summaries.length)}; facts lost in the summary: ${diff.lost.length} · plimsoll receipt lists them`,
    steeredBy: undefined,
    // The client made it, so no sign is needed that it has carried it out.
    landmark: "",
    before: { ...live.conversation, load: undefined },
  };
  live.life = answerGiven(live.life, pending, lost);
  const standing = said === "" ? await sayAfterCompaction($, live, false) : "";
  const added = [repair.text, standing].filter((text) => text !== "").join("\n\n");
  if (added === "") return result;
  if (kept.length === 0)
    return { ...result, messages: [...result.messages, { role: "user", text: added, toolUses: [] }] };
  live.life = repairWaits(live.life, added);
  return result;
}

/** Adds what the client's summary lost as a row at the end of the conversation, if it is still waiting. */
export async function putBack($: ClientPort, live: Live): Promise<void> {
  const text = live.life.repair?.due ?? "";
  if (text === "") return;
  live.life = repairWaits(live.life, "");
  await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

/** Checks, after the next request, that what was put back is in the conversation as the client sends it. */
export async function checkRepair($: ClientPort, live: Live): Promise<void> {
  const { due, lost } = live.life.repair ?? {};
  if (lost === undefined || due !== "") return;
  const sent = collectTexts(await $.session.messages({ as: "api" }).catch(() => []));
  const landing = checkLanded(planRepair(lost.diff), sent);
  noteReceipt(live, lost, landing);
  live.life = repairChecked(live.life);
}

function collectTexts(messages: unknown): string {
  const texts = readApiMessages(messages).map((event) =>
    event.kind === "arrival" && event.block.kind === "text" ? event.block.text : "",
  );
  return texts.join("\n");
}

function noteReceipt({ journal }: Live, { compaction, diff }: LostFacts, landing?: Landing): void {
  const receipt = createReceipt(diff, planRepair(diff), landing);
  journal.note("session.compact", {
    kind: "receipt",
    compaction,
    held: receipt.held,
    paraphrased: receipt.paraphrased,
    lost: receipt.lost.map(({ text, repair }) => ({ line: text, isInjected: repair !== "left out" })),
    landing: landing?.status ?? "unknown",
  });
}
