import type { Message } from "../api/messages-body.ts";
import { type Reading, readMessage } from "./read-message.ts";
import { countShared } from "./same-message.ts";
import type { ConversationLog } from "./split-conversations.ts";

/** From one request of a conversation to the next. */
export interface Step {
  /** Of the request, in the whole run. */
  readonly index: number;
  readonly kind: StepKind;
  /** Messages of the request before that are no longer there, and those that are new. */
  readonly dropped: readonly Reading[];
  readonly fresh: readonly Reading[];
}

export type StepKind =
  | "begun"
  /** The request before, and more behind it. */
  | "grown"
  /** A record or a ledger of ours came in the place of something. */
  | "replaced"
  /** The client's own summary did. */
  | "summarised"
  /** A person went back to an earlier place and on from there. */
  | "rewound"
  /** The same, to a place before the last compaction. */
  | "returned"
  /** Anything else: nothing may go in it. */
  | "changed";

/** Reads every message once: what a request shares with the one before was read then. */
export function listSteps({ requests }: ConversationLog, mayRewind: boolean): readonly Step[] {
  const steps: Step[] = [];
  const windows: (readonly Message[])[] = [];
  let before: readonly Message[] | undefined;
  let readings: readonly Reading[] = [];
  for (const { index, request } of requests) {
    const { messages } = request.body;
    const shared = before === undefined ? 0 : countShared(before, messages);
    const dropped = readings.slice(shared);
    const now = [...readings.slice(0, shared)];
    for (const message of messages.slice(shared)) now.push(readMessage(message, now.at(-1)?.openLedger));
    const fresh = now.slice(shared);
    const kind = before === undefined ? "begun" : decideKind({ dropped, fresh, mayRewind, shared, messages, windows });
    if (kind === "replaced" || kind === "summarised") windows.push(before ?? []);
    steps.push({ index, kind, dropped, fresh });
    before = messages;
    readings = now;
  }
  return steps;
}

interface Change {
  readonly dropped: readonly Reading[];
  readonly fresh: readonly Reading[];
  readonly mayRewind: boolean;
  readonly shared: number;
  readonly messages: readonly Message[];
  readonly windows: readonly (readonly Message[])[];
}

function decideKind({ dropped, fresh, mayRewind, shared, messages, windows }: Change): StepKind {
  if (dropped.length === 0) return "grown";
  const isReturn = windows.some((window) => countShared(window, messages) > shared);
  if (mayRewind && isReturn) return "returned";
  if (hasNew("plimsoll", dropped, fresh)) return "replaced";
  if (hasNew("client", dropped, fresh)) return "summarised";
  if (!mayRewind || !isRewind(dropped, fresh)) return "changed";
  // Back to before the first answer: with a record went all that lay behind it.
  const isBegunAnew = shared === 0 && fresh.every(({ role }) => role !== "assistant");
  return isBegunAnew && dropped.some(({ replaces }) => replaces !== undefined) ? "returned" : "rewound";
}

function hasNew(by: Reading["replaces"], dropped: readonly Reading[], fresh: readonly Reading[]): boolean {
  if (!fresh.some(({ replaces }) => replaces === by)) return false;
  const render = (readings: readonly Reading[]): string =>
    JSON.stringify(readings.filter(({ replaces }) => replaces === by).map(({ quoted, handles }) => [quoted, handles]));
  return by === "client" ? render(dropped) === "[]" : render(dropped) !== render(fresh);
}

/** What comes instead is new: of all that stood there nothing stands behind the place that was gone back to. */
function isRewind(dropped: readonly Reading[], fresh: readonly Reading[]): boolean {
  if (fresh.length === 0 || fresh[0]?.role === "assistant") return false;
  const gone = new Set(dropped.flatMap(namesOf));
  return !fresh.flatMap(namesOf).some((name) => gone.has(name));
}

function namesOf({ things }: Reading): readonly string[] {
  return things.map(({ what, key, callId }) => (callId === undefined ? key : `${what} ${callId}`));
}
