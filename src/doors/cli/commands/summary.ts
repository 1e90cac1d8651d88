import { locateHome } from "../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import { isLedger } from "../../../layers/ledger/render-chunk.ts";
import { compactionAsked, renderCompactionRecord } from "../../../policy/compaction-asked.ts";
import { findContinuation } from "../../../survive/record/continuation.ts";
import { listWindow } from "../../../survive/record/preview-compaction.ts";
import { ANCHOR_TOKENS, renderSummary } from "../../../survive/record/summary.ts";
import { weighText } from "../../../survive/record/weigh.ts";
import { chooseTranscript, SESSION_OPTIONS } from "../choose-transcript.ts";
import { type Command, defineCommand, type Terminal } from "../command.ts";
import { readOwnSettings } from "../doctor/read-installed.ts";
import { renderPage } from "../print/style.ts";
import { followHappened, type ReadHappened, requireRecorded } from "../require-session.ts";

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
      ? previewAnswer(session, { happened, transcript: file }, terminal)
      : undefined;
    return {
      json: {
        transcript: file,
        sessionId: happened.sessionId,
        toolCalls: happened.trail.calls.length,
        continuation: findContinuation(happened).next,
        anchor: { text: anchor, tokens: Math.ceil(weighText(anchor)) },
        record: answered ?? null,
      },
      text: () => renderPage(answered ? `${answered.text}\n\n${PREVIEW}` : anchor, terminal),
    };
  },
});

const PREVIEW =
  "(A preview: nothing was compacted. A handle above, plimsoll:..., works only after a compaction has stored its original.)";

/**
 * The same answer every entry point gives, with the person's own settings: the record, then the ledger. Nothing is stored; the entry
 * points store the originals first. Its tokens are the upper bound over all tokenizers.
 */
function previewAnswer(
  { host, recording }: RecordedSession,
  { happened, transcript }: { readonly happened: ReadHappened; readonly transcript: string },
  { environment, directory }: Terminal,
) {
  const { cwd: root } = happened;
  const { messages, ledger, keptExchanges } = compactionAsked({
    messages: listWindow(recording).conversation,
    policy: readOwnSettings(locateHome(environment), root || directory).settings.policy,
    vocabulary: host.vocabulary,
    model: recording.steps.at(-1)?.model ?? "",
    root,
  });
  const tail = messages.slice(messages.findLastIndex(isLedger) + 1);
  const words = tail.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
  const text = renderCompactionRecord(happened, {
    ledger,
    tail: words.join("\n"),
    hasTail: tail.length > 0,
    root,
    recallTool: "",
    transcript,
  });
  return { text, tokens: Math.ceil(weighText(text)), keptExchanges };
}
