import type { Playable } from "./choose-sessions.ts";
import { compareBytes, type Fidelity } from "./compare-bytes.ts";
import { type ArmName, type Playing, playSession } from "./play-session.ts";
import { predictPrice } from "./predict-price.ts";
import { type Bill, priceRequests } from "./price-run.ts";
import type { PlayedRequest } from "./recorded-api.ts";
import { verdictOf } from "./verdict-of.ts";

/** What one session came to in one arm, next to what replay says of it. */
export interface ArmFigures {
  readonly id: string;
  readonly repository: string;
  readonly arm: ArmName;
  readonly recordedRequests: number;
  readonly requests: number;
  readonly usd: number;
  readonly bill: Bill;
  readonly replay: {
    readonly sendUsd: number;
    readonly bill: Bill;
    readonly compactedAt: readonly number[];
    readonly peakTokens: number;
  };
  /** Summaries that the client asked the API for, and what was written for them. */
  readonly summaries: number;
  readonly summaryTokens: number;
  /** The steps before which the conversation was compacted, by whomever. */
  readonly compactedAt: readonly number[];
  readonly peakTokens: number;
  readonly urged: number;
  readonly isComplete: boolean;
  readonly fidelity: Fidelity;
  readonly verdict: string;
  readonly seconds: number;
}

export async function measureArm(
  playable: Playable,
  place: Pick<Playing, "arm" | "isLifeProposed" | "project">,
): Promise<ArmFigures> {
  const { session, script, id, repository } = playable;
  const { arm } = place;
  const run = await playSession({ session, script, ...place });
  const requests = run.requests.filter(({ step }) => step < script.steps.length);
  const asked = requests.filter(({ request }) => request.lane === "compaction");
  const bill = priceRequests(requests);
  const { outcome: predicted, compactedAt } = predictPrice(session, place);
  const figures: ArmFigures = {
    id,
    repository,
    arm,
    recordedRequests: script.steps.length,
    requests: requests.length,
    usd: bill.read + bill.write + bill.output + bill.asked,
    bill,
    replay: {
      sendUsd: predicted.sendUsd,
      bill: {
        read: predicted.readUsd,
        write: predicted.writeUsd,
        output: predicted.outputUsd,
        asked: predicted.askedUsd,
      },
      compactedAt,
      peakTokens: Math.round(predicted.peakTokens),
    },
    summaries: asked.length,
    summaryTokens: asked.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    compactedAt: findCompactions(requests),
    peakTokens: Math.max(...requests.map(contextOf)),
    urged: run.urged,
    isComplete: run.isComplete && !run.result.isTimedOut,
    fidelity: compareBytes(run.requests, script),
    verdict: await verdictOf(run),
    seconds: Math.round(run.result.durationMs / 1000),
  };
  await run.remove();
  return figures;
}

function contextOf({ usage }: Pick<PlayedRequest, "usage">): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

/** The steps before which the conversation became shorter: between compactions it only grows. */
function findCompactions(requests: readonly PlayedRequest[]): readonly number[] {
  const main = requests.filter(({ request }) => request.lane === "main");
  const lengths = main.map(({ request }) => request.body.messages.length);
  return main.flatMap(({ step }, index) => (Number(lengths[index - 1]) > Number(lengths[index]) ? [step] : []));
}
