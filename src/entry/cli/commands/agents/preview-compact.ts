import { zeroUsage } from "../../../../core/usage.ts";
import { explain } from "../../../../models/economics/explain.ts";
import { priceUsage } from "../../../../models/economics/spend.ts";
import { EXPECTED_REQUESTS, planCompaction } from "../../../person/plan-compaction.ts";
import { previewWhole } from "../../../person/preview-answer.ts";
import { CliError, type Command, defineCommand, type Invocation, parseWhole, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely, renderTokens, renderUsd } from "../../print/style.ts";
import { chooseTranscript, requireRecorded, SESSION_OPTIONS } from "../../require-session.ts";

/** The median of recorded summaries, from plimsoll stats summaries. */
const SUMMARY_TOKENS = 3300;
const SHOWN = 8;

export const previewCompactCommand: Command = defineCommand({
  name: "preview-compact",
  summary: "Shows what a compaction would keep, drop and cost if it happened now",
  options: {
    ...SESSION_OPTIONS,
    requests: { value: "N", help: `how many more requests to expect (${EXPECTED_REQUESTS} by default)` },
  },
  examples: {
    "plimsoll preview-compact":
      "shows the tokens before and after a compaction, what it would keep and drop, and when it would pay off",
    "plimsoll preview-compact --requests 5 --json": "assumes 5 more requests instead of 20, and prints JSON",
  },
  async run(invocation, terminal) {
    const plan = await planPreview(invocation, terminal);
    return { json: plan, text: () => renderPreview(plan, terminal) };
  },
});

async function planPreview(invocation: Invocation, terminal: Terminal) {
  const file = chooseTranscript(invocation, terminal);
  const requests = parseWhole(invocation.values, "requests", 1);
  const place = { ...terminal, transcript: file };
  const session = requireRecorded(file, terminal.hosts);
  const planned = planCompaction(session, place, requests, await previewWhole(session, place));
  if (planned === undefined) throw CliError.foundNothing(`${file} records no request yet: there is nothing to compact`);
  const { preview, model, settings } = planned;
  const usage = { ...zeroUsage, cacheReadTokens: preview.contextTokens, outputTokens: SUMMARY_TOKENS };
  return {
    transcript: file,
    policy: settings.policy,
    ...preview,
    // This is a preview, so the sentence must not say that something was made.
    explained: explain(preview.verdict).replace(/^Made: t/, "T"),
    clientSummaryUsd: priceUsage(usage, model)?.totalUsd,
  };
}

function renderPreview(plan: Awaited<ReturnType<typeof planPreview>>, terminal: Terminal): string {
  const { policy, contextTokens, afterTokens, record, ledger, tail, dropped, clientSummaryUsd } = plan;
  const heading = (text: string): string => paint(terminal, "bold", text);
  // Exact to the token, so that the reader can check the sum.
  const exact = (tokens: number): string => tokens.toLocaleString("en-US");
  return joinLines(
    heading(
      `${renderTokens(contextTokens)} tokens now, ${renderTokens(afterTokens)} after compacting (policy ${policy})`,
    ),
    `${exact(contextTokens)} - ${exact(dropped.tokens)} dropped + ${exact(record.tokens)} for the record + ${exact(ledger.tokens)} for the ledger = ${exact(afterTokens)}`,
    "",
    heading(
      `Keeps: a record (${renderTokens(record.tokens)} tokens), a ledger that lists old exchanges (${renderTokens(ledger.tokens)}), and the last ${tail.messages} messages word for word (${renderTokens(tail.tokens)})`,
    ),
    "",
    heading(
      `Drops: ${dropped.messages} messages (${renderTokens(dropped.tokens)} tokens), including ${dropped.results.length} tool results`,
    ),
    dropped.summaryTokens > 0 && `  ${renderTokens(dropped.summaryTokens)} from an earlier summary`,
    dropped.results
      .slice(0, SHOWN)
      .map(({ handle, tool, subject, tokens }) => `${renderTokens(tokens)} ${tool} ${subject.slice(0, 60)} (${handle})`)
      .map((line) => `  ${renderSafely(line)}`),
    dropped.results.length > SHOWN && `  … ${dropped.results.length - SHOWN} more: --json lists all`,
    "You can fetch each result back by its handle, and the transcript keeps every line.",
    "",
    heading("Costs"),
    plan.explained,
    clientSummaryUsd !== undefined &&
      `The agent's own compaction would cost ${renderUsd(clientSummaryUsd)} more and take longer.`,
  );
}
