import { findContinuation } from "../../../survive/record/continuation.ts";
import {
  type CompactionRecord,
  MIN_RECORD_TOKENS,
  RECORD_TOKENS,
  renderRecord,
} from "../../../survive/record/record.ts";
import { ANCHOR_TOKENS, renderSummary } from "../../../survive/record/summary.ts";
import { weighText } from "../../../survive/record/weigh.ts";
import { chooseTranscript, JSON_OPTION, SESSION_OPTIONS } from "../choose-transcript.ts";
import { CliError, type Command, type Invocation } from "../command.ts";
import { type ReadHappened, readHappened } from "../read-happened.ts";
import { renderJson } from "../render-json.ts";
import { renderPage } from "../render-page.ts";

export const summaryCommand: Command = {
  name: "summary",
  isVerbatim: true,
  summary: "What a compaction would leave: where to resume, what was decided, what is open",
  options: [
    ...SESSION_OPTIONS,
    { name: "full", help: `the whole record, not only the anchor of at most ${ANCHOR_TOKENS} tokens` },
    { name: "budget", value: "N", help: `with --full: the most tokens it may take; ${RECORD_TOKENS} without it` },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll summary", shows: "topics, decisions, active threads, priorities and the exact next action" },
    {
      command: "plimsoll summary --full --budget 6000 --json",
      shows: "the record of 6000 tokens at most, and what each of its sections could show",
    },
  ],
  run(invocation, terminal) {
    const budgetTokens = readBudget(invocation);
    const file = chooseTranscript(invocation, terminal);
    const happened = readHappened(file);
    const anchor = renderSummary(happened, { root: happened.cwd });
    const record = invocation.flags.has("full")
      ? renderRecord(happened, { budgetTokens, transcript: file, root: happened.cwd })
      : undefined;
    terminal.print(
      invocation.flags.has("json")
        ? renderJson(describeSummary(file, happened, anchor, record))
        : renderPage(record?.text ?? anchor, terminal),
    );
  },
};

function readBudget({ values, flags }: Invocation): number {
  const given = values.get("budget");
  if (given === undefined) return RECORD_TOKENS;
  if (!flags.has("full")) throw new CliError("--budget is for the whole record: plimsoll summary --full --budget N");
  const tokens = Number(given);
  if (!/^\d+$/.test(given) || tokens < MIN_RECORD_TOKENS)
    throw new CliError(`--budget takes a whole number from ${MIN_RECORD_TOKENS}, not "${given}"`);
  return tokens;
}

function describeSummary(file: string, happened: ReadHappened, anchor: string, record: CompactionRecord | undefined) {
  return {
    transcript: file,
    sessionId: happened.sessionId,
    toolCalls: happened.trail.calls.length,
    continuation: findContinuation(happened).next,
    anchor: { text: anchor, tokens: Math.ceil(weighText(anchor)) },
    record: record ?? null,
  };
}
