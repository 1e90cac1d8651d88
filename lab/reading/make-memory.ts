import type { JsonObject } from "../../src/core/json.ts";
import type { Message } from "../../src/core/message.ts";
import { parseRows } from "../../src/entry/engine/compaction/compaction-event.ts";
import { toMessages } from "../../src/entry/engine/conversation.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import type { Original } from "../../src/layers/history/originals.ts";
import { CLOSING, isStanding, renderSegments, toSegments } from "../../src/layers/ledger/render-chunk.ts";
import { DEFAULT_POLICY, type PolicyName } from "../../src/layers/options/policy-settings.ts";
import type { Policy } from "../../src/replay/policy.ts";
import { REFERENCE } from "../../src/replay/policy-names.ts";
import { renderTranscript } from "../../src/wire/run-layers.ts";
import { listClientView } from "./client-view.ts";
import { walkUntil } from "./quiz/walk-until.ts";
import type { RecordedPast } from "./recorded-past.ts";
import { rideAlong } from "./ride-along.ts";

/** What a model has in view at the cut under one policy, and what it can fetch back. */
export interface Memory {
  readonly text: string;
  readonly originals: readonly Original[];
}

export interface MemoryPlan {
  readonly policy: Policy;
  /** The ledger without the record in front of it. */
  readonly isWithoutRecord: boolean;
}

/** The memory that a policy leaves, or why nobody can know it. */
export function makeMemory(past: RecordedPast, { policy, isWithoutRecord }: MemoryPlan): Memory | { why: string } {
  const { session, cut } = past;
  if (policy.name === REFERENCE) {
    const view = listClientView(past);
    if (view.length === 0) return { why: "the client recorded no compaction in this session" };
    return { text: renderTranscript(view), originals: [] };
  }
  const views = walkUntil(session, cut.step, policy);
  const last = views.at(-1);
  if (!last) return { why: "nothing was sent" };
  if (last.messages.some(({ id }) => /^summary:\d+$/.test(id)))
    return { why: "its summary was never recorded, and nobody knows its words" };
  // The module is of one client; elsewhere an entry point sends the policy's own view.
  const ours = past.recorded.host.vocabulary === claudeCodeVocabulary ? findPolicy(policy.name) : undefined;
  if (ours === undefined) {
    const originals = views.flatMap(({ decision }) => decision.originals ?? []);
    // What replay says next to a ledger is a text of the same weight, and tells nothing.
    return { text: renderTranscript(last.messages.filter((message) => !isStanding(message))), originals };
  }
  const { rows, record, originals } = rideAlong(past, views, ours);
  const shown = isWithoutRecord ? rows.map((row) => (row.text === record ? dropRecord(row, record) : row)) : rows;
  return { text: renderTranscript(toNeutral(shown)), originals };
}

const SETTINGS: readonly PolicyName[] = ["thrifty", "balanced", "cautious"];

/** The setting of the module that a policy of the replay stands for; `undefined` for everybody else's. */
function findPolicy(name: string): PolicyName | undefined {
  const [own, setting = ""] = name.split(":");
  if (own !== "plimsoll") return undefined;
  return SETTINGS.find((known) => known === setting) ?? DEFAULT_POLICY;
}

function dropRecord(row: JsonObject, record: string): JsonObject {
  return { ...row, text: [renderSegments(toSegments(record)), CLOSING].join("\n\n") };
}

/** Rows of the engine in neutral terms, as the module itself reads them. */
function toNeutral(rows: readonly JsonObject[]): readonly Message[] {
  const entries = parseRows(rows).map(
    (row, order) => ({ kind: "row", id: `row:${order}`, row, said: [], isRestated: false }) as const,
  );
  return toMessages({ opening: [], record: undefined, entries });
}
