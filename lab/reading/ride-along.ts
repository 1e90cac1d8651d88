import { hashText } from "../../src/core/hash.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Message, renderResultText } from "../../src/core/message.ts";
import { parseRows } from "../../src/entry/engine/compaction/compaction-event.ts";
import { planAnswer } from "../../src/entry/engine/compaction/plan-answer.ts";
import { NO_EXTRAS } from "../../src/entry/engine/compaction/row-extras.ts";
import { readConversation } from "../../src/entry/engine/conversation.ts";
import type { Original } from "../../src/layers/history/originals.ts";
import type { PolicyName } from "../../src/layers/options/policy-settings.ts";
import { followUntil } from "./quiz/follow-until.ts";
import type { SentView } from "./quiz/walk-until.ts";
import type { RecordedPast } from "./recorded-past.ts";

/** What the module would have handed the client, row by row, and everything that left the window on the way. */
export interface Ride {
  readonly rows: readonly JsonObject[];
  /** The text of the last record with its ledger; empty where nothing was ever compacted. */
  readonly record: string;
  readonly originals: readonly Original[];
}

const RECALL_TOOL = "mcp__plimsoll__recall";

/**
 * A session with the module in its client: compactions are made where replay says that the policy makes them, and answered by the
 * module's own code, record and all.
 */
export function rideAlong(past: RecordedPast, views: readonly SentView[], policy: PolicyName): Ride {
  const { session, recorded } = past;
  const originals: Original[] = [];
  const restated: string[] = [];
  let rows: readonly JsonObject[] = [];
  let record = "";
  for (const { step, messages, decision } of views) {
    const sent = new Map(messages.map((message) => [message.id, message]));
    const joined = session.steps[step]?.joined ?? [];
    // A result that was folded at its birth stands folded in what was sent.
    rows = [...rows, ...joined.flatMap((message) => toRows(sent.get(message.id) ?? message))];
    restated.push(...joined.flatMap(listHostWords));
    originals.push(...(decision.originals ?? []));
    if (!decision.collapse) continue;
    const extras = { ...NO_EXTRAS, retold: restated };
    const reported = readConversation(parseRows(rows), extras, { hasRecord: record !== "", repeated: new Set() });
    const happened = followUntil(recorded.events, recorded.recording.steps[step]?.id ?? "", recorded.host.vocabulary);
    const model = session.steps[step]?.model ?? "";
    const { root } = session;
    const { vocabulary } = recorded.host;
    const answer = planAnswer(happened, reported, {
      policy,
      vocabulary,
      model,
      transcript: "",
      root,
      recallTool: RECALL_TOOL,
    });
    originals.push(...answer.originals);
    ({ record } = answer);
    rows = answer.messages;
  }
  return { rows, record, originals };
}

/** What the client said itself is a row like any other here: skills, templates of commands, reminders. */
function listHostWords({ blocks }: Message): readonly string[] {
  return blocks.flatMap((block) => (block.kind === "text" && block.author === "host" ? [hashText(block.text)] : []));
}

/** The engine has a row for every text that arrived, and one for all results of an answer. It tells no thoughts and no system rows. */
function toRows({ id, role, blocks }: Message): readonly JsonObject[] {
  if (role === "system") return [];
  const texts = blocks.flatMap((block) =>
    block.kind === "text" ? [block.text] : block.kind === "image" ? ["(a picture)"] : [],
  );
  const toolUses = blocks.flatMap((block) =>
    block.kind === "toolCall" ? [{ tool_use_id: block.callId, tool: block.tool, input: block.input }] : [],
  );
  const toolResults = blocks.flatMap((block) =>
    block.kind === "toolResult"
      ? [{ tool_use_id: block.callId, text: renderResultText(block), isError: block.isError }]
      : [],
  );
  const said = texts.map((text, order) => ({ role, text, toolUses: [], handle: `${id}:${order}` }));
  if (role === "assistant") return toolUses.length === 0 ? said : [...said, { role, text: "", toolUses, handle: id }];
  return toolResults.length === 0 ? said : [{ role, text: "", toolUses: [], toolResults, handle: id }, ...said];
}
