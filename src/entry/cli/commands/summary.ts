import { weighText } from "../../../models/tokens.ts";
import { findContinuation } from "../../../survive/record/continuation.ts";
import { ANCHOR_TOKENS, renderSummary } from "../../../survive/record/summary.ts";
import { previewAnswer } from "../../person/plan-compaction.ts";
import { chooseTranscript, SESSION_OPTIONS } from "../choose-transcript.ts";
import { type Command, defineCommand } from "../command.ts";
import { renderPage } from "../print/style.ts";
import { followHappened, requireRecorded } from "../require-session.ts";

export const summaryCommand: Command = defineCommand({
  name: "summary",
  isVerbatim: true,
  summary: "Shows what a compaction would keep: the next action, decisions and open threads",
  options: {
    ...SESSION_OPTIONS,
    full: { help: `print all that a compaction would keep, not only the summary of at most ${ANCHOR_TOKENS} tokens` },
  },
  examples: {
    "plimsoll summary": "shows topics, decisions, open threads, priorities and the next action",
    "plimsoll summary --full --json": "prints what would replace the old messages, and its size in tokens, as JSON",
  },
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const session = requireRecorded(file);
    const happened = followHappened(session);
    const anchor = renderSummary(happened, { root: happened.cwd });
    const answered = invocation.flags.has("full")
      ? previewAnswer(session, { ...terminal, transcript: file })
      : undefined;
    return {
      json: {
        transcript: file,
        sessionId: happened.sessionId,
        toolCalls: happened.trail.calls.length,
        continuation: findContinuation(happened).next,
        anchor: weigh(anchor),
        record: answered ? { ...weigh(answered.text), keptExchanges: answered.keptExchanges } : null,
      },
      text: () => renderPage(answered ? `${answered.text}\n\n${PREVIEW}` : anchor, terminal),
    };
  },
});

/** Its tokens are the upper bound over all tokenizers. */
function weigh(text: string) {
  return { text, tokens: Math.ceil(weighText(text)) };
}

const PREVIEW =
  "(A preview: nothing was compacted. A handle above, plimsoll:..., works only after a compaction has stored its original.)";
