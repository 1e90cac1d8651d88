import { existsSync } from "node:fs";
import { type JsonObject, textField } from "../../../core/json.ts";
import { renderCount } from "../../../core/render-count.ts";
import type { Row } from "../../../hosts/claude-code/row-reader.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import { assessHealth } from "../../../measure/health.ts";
import { emptyMeter } from "../../../measure/meter.ts";
import { renderTokens } from "../../../measure/render-load.ts";
import { countRoom } from "../../../policy/collapse-due.ts";
import { RECALL_TOOL } from "../../module/names.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { listRestated } from "../conversation.ts";
import { type Live, readQuietMeter, styleOf } from "../live.ts";
import type { KnownConversation } from "../memory-file.ts";
import { createWatch } from "../watch.ts";
import { arrangeWindow } from "./answer-window.ts";
import { parseRows, weighMessage } from "./compaction-event.ts";
import { planAnswer, storeRemoved } from "./plan-answer.ts";
import { addCheckpoint, findCheckpoint, readEvents } from "./rewound.ts";
import { followExtras, keepPictures, NO_EXTRAS, recoverExtras } from "./row-extras.ts";

const NOTHING_KNOWN: KnownConversation = {
  beside: NO_EXTRAS,
  keptAnswers: [],
  hasAnswered: false,
  checkpoints: [],
};
/** More do not work at the same time; one that is forgotten is compacted by what the client says of it. */
const MAX_AGENTS = 50;

/** A row of a subagent's window, as the window has it: what the client leaves out at its compaction is remembered. */
export function followAgent({ agents, store }: Live, agentId: string, row: Row): void {
  const known = agents.get(agentId) ?? NOTHING_KNOWN;
  const own = { ...row, agentId: undefined };
  remember(agents, agentId, { ...known, beside: followExtras(known.beside, own, keepPictures(store, own)) });
}

function remember(agents: Live["agents"], agentId: string, known: KnownConversation): void {
  agents.delete(agentId);
  agents.set(agentId, known);
  const [oldest] = agents.keys();
  if (agents.size > MAX_AGENTS && oldest !== undefined) agents.delete(oldest);
}

/** Compacts a subagent's window by the plan of the session's own, where the client asks for it. What was said of the session is not told here. */
export async function compactAgent($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const startMs = performance.now();
  const agentId = textField(e, "agentId");
  const rows = parseRows(e.messages);
  const transcript = locateAgent(live, agentId);
  // The client reports the size of the session's own window alone, so a subagent's is read where the client writes it down.
  const meter = readQuietMeter(transcript) ?? emptyMeter;
  const { usedTokens, compactionPointTokens, model } = assessHealth(meter, live.health);
  const baseTokens = meter.baseTokens ?? 0;
  const tokensBefore = usedTokens ?? Math.round(rows.reduce((sum, row) => sum + weighMessage(row), baseTokens));
  if (live.line.isLowered && e.trigger === "auto" && tokensBefore < compactionPointTokens / 2)
    return { skip: "only the session's own window is to be compacted now" };

  const sent = await $.session.messages({ as: "api", agentId }).catch(() => []);
  const known = live.agents.get(agentId) ?? NOTHING_KNOWN;
  const extras = recoverExtras(known.beside, live.store, { reported: rows, sent });
  const { conversation } = arrangeWindow(rows, sent, { ...known, beside: extras, transcript });
  const style = styleOf(live.root, live.settings);
  const watch = createWatch(findCheckpoint(known.checkpoints, conversation), style, { ...live.health, model });
  watch.events(readEvents(conversation));
  const answer = planAnswer(watch.happened(), conversation, {
    policy: live.settings.policy,
    vocabulary: claudeCodeVocabulary,
    model,
    transcript: existsSync(transcript) ? transcript : "",
    root: live.root,
    known: watch.lines(),
    recallTool: RECALL_TOOL,
    instructions: textField(e, "instructions"),
    roomTokens: countRoom({ lineTokens: compactionPointTokens, baseTokens }),
  });
  if (!storeRemoved(live.store, answer)) return next(e);
  remember(live.agents, agentId, {
    beside: { ...extras, retold: listRestated(answer.tail) },
    keptAnswers: answer.keptAnswers,
    hasAnswered: true,
    checkpoints: addCheckpoint(known.checkpoints, answer.record, watch.save()),
  });
  live.journal.note("session.compact", {
    kind: "compacted",
    by: "plimsoll",
    agentId,
    trigger: textField(e, "trigger"),
    tokensBefore,
    tokensAfter: Math.round(baseTokens + answer.recordTokens + answer.tailTokens),
    isEstimated: true,
    recordTokens: answer.recordTokens,
    ms: Math.round(performance.now() - startMs),
    why: "the client compacts the window of this subagent",
  });
  return { messages: answer.messages };
}

function locateAgent({ transcript }: Live, agentId: string): string {
  return `${transcript.slice(0, -".jsonl".length)}/subagents/agent-${agentId}.jsonl`;
}

/** How full the windows of this process's subagents got; empty without any. */
export function describeAgents(live: Live): string {
  const meters = [...live.agents.keys()].map((agentId) => readQuietMeter(locateAgent(live, agentId)) ?? emptyMeter);
  if (meters.length === 0) return "";
  const [peak, compactions] = [
    Math.max(...meters.map(({ largestContextTokens }) => largestContextTokens)),
    meters.reduce((sum, meter) => sum + meter.compactions, 0),
  ];
  return `${renderCount(meters.length, "subagent")}: largest request ${renderTokens(peak)} tokens, ${renderCount(compactions, "compaction")}`;
}
