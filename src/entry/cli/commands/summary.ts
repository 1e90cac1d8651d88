import { isObject, textField } from "../../../core/json.ts";
import { weighText } from "../../../models/tokens.ts";
import { followHappened } from "../../../recorded/follow-happened.ts";
import { findContinuation } from "../../../survive/record/continuation.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { ANCHOR_TOKENS, renderSummary } from "../../../survive/record/summary.ts";
import { previewWhole } from "../../person/preview-answer.ts";
import { type Command, defineCommand } from "../command.ts";
import { renderPage } from "../print/style.ts";
import { chooseTranscript, requireRecorded, SESSION_OPTIONS } from "../require-session.ts";

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
  async run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const session = requireRecorded(file);
    const happened = followHappened(session);
    const anchor = renderSummary(happened, { root: happened.cwd });
    const answered = invocation.flags.has("full")
      ? await previewWhole(session, { ...terminal, transcript: file })
      : undefined;
    return {
      json: {
        transcript: file,
        sessionId: happened.sessionId,
        toolCalls: happened.trail.calls.length,
        continuation: findContinuation(happened).next,
        anchor: weigh(anchor),
        record: answered
          ? { ...weigh(answered.text), keptExchanges: answered.keptExchanges, messages: answered.messages }
          : null,
      },
      text: () => renderPage(answered ? `${renderOpening(answered.messages)}\n\n${PREVIEW}` : anchor, terminal),
    };
  },
});

/** What the next request begins with: the first prompt, or the agent's own summary, and the record with its ledger. */
function renderOpening(messages: readonly unknown[]): string {
  const texts = messages.filter(isObject).map((message) => textField(message, "text"));
  return texts.slice(0, texts.findIndex((text) => text.startsWith(RECORD_OPENING)) + 1).join("\n\n");
}

/** Its tokens are the upper bound over all tokenizers. */
function weigh(text: string) {
  return { text, tokens: Math.ceil(weighText(text)) };
}

const PREVIEW =
  "(A preview: nothing was compacted. A handle above, plimsoll:..., works only after a compaction has stored its original. --json has the last messages, too.)";
