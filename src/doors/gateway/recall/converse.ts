import type { JsonObject } from "../../../core/json.ts";
import { PLAIN_STOP } from "../answer-compaction.ts";
import { describeRound, type RecallService, renderRound } from "./recall-service.ts";
import type { RecalledCall, RecalledRound } from "./recalled-answer.ts";
import { addUsage, type Ending, hasOwnCall, listAsked, listShown, type Round } from "./round.ts";

/** What comes of a round: one more request, or the end of the answer. */
export type Step =
  | {
      readonly kind: "goOn";
      /** Everything behind the client's own messages, as it is to be sent. */
      readonly messages: readonly Buffer[];
      /** The same where the results did not fit. */
      readonly shorter: readonly Buffer[];
    }
  | ({ readonly kind: "end" } & Ending);

/** One answer to the client, which may take several requests upstream. */
export interface Converse {
  step(round: Round): Promise<Step>;
  /** The results were sent in their shorter form. */
  shortened(): void;
  /** So far. */
  usage(): JsonObject;
  recalls(): number;
  /** What was fetched will stand in later requests. */
  isKept(): boolean;
}

/** A model that has asked so often in one answer goes on with what it has. */
const MAX_ROUNDS = 12;

const NO_ROOM =
  "There is no room for all of that in this conversation: ask for lines [from, to] or a pattern, or for fewer handles at once.";

/** Answers calls of `recall`, until the model has said what it has to say or the client has calls of its own to answer. */
export function createConverse(service: RecallService): Converse {
  const { tool } = service;
  const rounds: RecalledRound[] = [];
  let messages: readonly Buffer[] = [];
  let shorter: readonly Buffer[] = [];
  let usage: JsonObject = {};
  let count = 0;
  let recalls = 0;
  let isKept = true;

  const end = async (round: Round, calls: readonly RecalledCall[]): Promise<Step> => {
    const isCut = listShown(round, tool).length < round.blocks.length;
    const isHeldBack = isCut && round.stopReason === "tool_use" && !hasOwnCall(round, tool);
    rounds.push(describeRound(round, service, calls));
    if (rounds.some((each) => each.calls.length > 0)) isKept = await service.keep(rounds);
    return { kind: "end", ...(count > 1 ? { usage } : {}), ...(isHeldBack ? { stopReason: PLAIN_STOP } : {}) };
  };

  return {
    usage: () => usage,
    recalls: () => recalls,
    isKept: () => isKept,
    shortened() {
      messages = shorter;
      const last = rounds.at(-1);
      if (last) rounds[rounds.length - 1] = { ...last, calls: last.calls.map(shorten) };
    },
    async step(round) {
      usage = count === 0 ? round.usage : addUsage(usage, round.usage);
      count++;
      const asked = count > MAX_ROUNDS ? [] : listAsked(round, tool);
      if (asked.length === 0) return end(round, []);
      recalls += asked.length;
      const calls = await Promise.all(asked.map(service.answer));
      if (hasOwnCall(round, tool)) return end(round, calls);
      rounds.push(describeRound(round, service, calls));
      shorter = [...messages, ...renderRound(round, service, calls.map(shorten))];
      messages = [...messages, ...renderRound(round, service, calls)];
      return { kind: "goOn", messages, shorter };
    },
  };
}

function shorten(call: RecalledCall): RecalledCall {
  return { ...call, parts: [{ kind: "text", text: NO_ROOM }], isError: true };
}
