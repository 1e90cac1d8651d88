import { estimateTextTokens, type Tokenizer } from "../../src/models/tokens.ts";
import { putFilesBack } from "../../src/replay/policies/native.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import type { ApiRequest } from "../api/api-request.ts";
import type { MessagesBody } from "../api/messages-body.ts";
import { createPromptCache, type ReportedUsage } from "../api/prompt-cache.ts";
import { answer, summary } from "../api/replies.ts";
import type { Answer, Reply, Scenario } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import type { SessionScript } from "./script-session.ts";
import { createRequestWeigher } from "./weigh-request.ts";

/** One request that was played: what it weighed, and which step of the recording answered it. */
export interface PlayedRequest {
  readonly request: ApiRequest;
  readonly usage: ReportedUsage;
  readonly outputTokens: number;
  readonly step: number;
  readonly model: string;
}

/** The API's side of a play. */
export interface RecordedApi {
  readonly scenario: Scenario;
  /** How many steps of the recording have been answered. */
  answered(): number;
  /** What was asked and counted, in order. */
  list(requests: readonly ApiRequest[]): readonly PlayedRequest[];
}

/** For compactions that the recording has no summary for: the middle of recorded ones. */
const SUMMARY_TOKENS = 3_900;
const THE_END = "The recording ends here.";

/**
 * Answers each request of the main conversation with the next recorded answer, whatever it carries, and the client's own
 * summaries with the recorded ones and the files that the client puts back after it: they stand in the summary, because nothing was read
 * from disk, and are not paid as output. The prompt cache lives by the recorded times. `onStep` is told before a step is answered.
 */
export function createRecordedApi(
  { session, script }: { readonly session: ReplaySession; readonly script: SessionScript },
  onStep: (step: number) => void,
): RecordedApi {
  const { steps } = script;
  const counted: Omit<PlayedRequest, "request">[] = [];
  let answered = 0;
  let summarised = 0;
  let compactedAt = 0;
  let taken = { isMain: true, outputTokens: 0 };

  const listReadSince = (step: number) => session.steps.slice(step, answered + 1).flatMap(({ joined }) => joined);
  const here = () => steps[Math.min(answered, steps.length - 1)];
  const cache = createPromptCache({
    scale: 1,
    nowMs: () => here()?.atMs ?? 0,
    weigher: createRequestWeigher(session, script),
    expiresWhole: true,
  });
  /** A reply is taken, then counted: only then does the recording go on. */
  const count = (body: MessagesBody): ReportedUsage => {
    const model = here()?.model ?? body.model;
    const usage = cache.count({ ...body, model });
    counted.push({ usage, outputTokens: taken.outputTokens, step: answered, model });
    if (taken.isMain) answered++;
    return usage;
  };
  const reply = (words: Answer, outputTokens: number, isMain: boolean): Reply => {
    taken = { isMain, outputTokens };
    return { ...words, usage: { output_tokens: Math.round(outputTokens) } };
  };

  return {
    scenario: {
      cache: { count },
      // Results come from a plugin at once, so a short pause is enough for them to come before the next call.
      pace: BRISK,
      main() {
        const step = steps[answered];
        if (step === undefined) return reply(answer(THE_END), 0, true);
        onStep(answered);
        return reply({ kind: "answer", content: step.answer }, session.steps[answered]?.outputTokens ?? 0, true);
      },
      compaction() {
        const words = script.summaries[summarised++] ?? renderFiller(session.tokenizer);
        const files = putFilesBack({ messages: listReadSince(compactedAt), model: here()?.model ?? "" }, session);
        compactedAt = answered;
        return reply(summary([words, ...files].join("\n\n")), estimateTextTokens(words, session.tokenizer), false);
      },
      // No tool runs, so nobody starts one; were it otherwise, it would be seen in the requests.
      subagents: [() => reply(answer("As recorded."), 0, false)],
    },
    answered: () => answered,
    list: (requests) =>
      counted.flatMap((played, index) => {
        const request = requests[index];
        return request ? [{ request, ...played }] : [];
      }),
  };
}

function renderFiller(tokenizer: Tokenizer): string {
  const word = "progress ";
  return word.repeat(SUMMARY_TOKENS / estimateTextTokens(word, tokenizer));
}
