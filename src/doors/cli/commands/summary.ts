import { readSession } from "../../../hosts/catalogue.ts";
import { findContinuation } from "../../../survive/record/continuation.ts";
import { ANCHOR_TOKENS, renderSummary } from "../../../survive/record/summary.ts";
import { weighText } from "../../../survive/record/weigh.ts";
import { type PreviewedAnswer, previewAnswer } from "../../person/preview-answer.ts";
import { chooseTranscript, JSON_OPTION, SESSION_OPTIONS } from "../choose-transcript.ts";
import type { Command } from "../command.ts";
import { renderJson } from "../print/render-json.ts";
import { renderPage } from "../print/render-page.ts";
import { followHappened, type ReadHappened } from "../read-happened.ts";
import { requireRecordedSession } from "../require-session.ts";

export const summaryCommand: Command = {
  name: "summary",
  isVerbatim: true,
  summary: "Shows what a compaction would keep: where to resume, what was decided, what is open",
  options: [
    ...SESSION_OPTIONS,
    {
      name: "full",
      help: `print all that a compaction would keep, not only the summary of at most ${ANCHOR_TOKENS} tokens`,
    },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll summary", shows: "shows topics, decisions, open threads, priorities and the next action" },
    {
      command: "plimsoll summary --full --json",
      shows: "prints what would replace the old messages, and its size in tokens, as JSON",
    },
  ],
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const session = readSession(file);
    requireRecordedSession(file, session.tally, session.unfinishedBytes);
    const happened = followHappened(session);
    const anchor = renderSummary(happened, { root: happened.cwd });
    const answered = invocation.flags.has("full")
      ? previewAnswer(session, { happened, transcript: file }, terminal)
      : undefined;
    terminal.print(
      invocation.flags.has("json")
        ? renderJson(describeSummary(file, happened, { anchor, answered }))
        : renderPage(answered ? `${answered.text}\n\n${PREVIEW}` : anchor, terminal),
    );
  },
};

const PREVIEW =
  "(A preview: nothing was compacted. A handle above, plimsoll:..., works only after a compaction has stored its original.)";

interface Summary {
  readonly anchor: string;
  readonly answered: PreviewedAnswer | undefined;
}

function describeSummary(file: string, happened: ReadHappened, { anchor, answered }: Summary) {
  return {
    transcript: file,
    sessionId: happened.sessionId,
    toolCalls: happened.trail.calls.length,
    continuation: findContinuation(happened).next,
    anchor: { text: anchor, tokens: Math.ceil(weighText(anchor)) },
    record: answered ?? null,
  };
}
