/** If red: the ledger of a real session calls a success failed, or misses what a subagent found. */
import { expect, it } from "vitest";
import { listCorpus, readCorpus } from "../../lab/bench/corpus.ts";
import { toOneLine } from "../../src/core/clip-text.ts";
import { type Block, type Message, renderResultText } from "../../src/core/message.ts";
import { RULES_HEADING } from "../../src/core/standing-rules.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { splitExchanges } from "../../src/layers/history/exchanges.ts";
import { isMarker } from "../../src/layers/history/markers.ts";
import type { LedgerStyle } from "../../src/layers/ledger/describe-call.ts";
import { stripMarkup } from "../../src/layers/ledger/describe-call.ts";
import { renderChunk } from "../../src/layers/ledger/render-chunk.ts";
import { renderExchange } from "../../src/layers/ledger/render-exchange.ts";
import { dropNarration } from "../../src/layers/ledger/render-result.ts";
import { type ThinLevel, thinSegment } from "../../src/layers/ledger/thin-segment.ts";
import { POLICY_SETTINGS } from "../../src/layers/options/policy-settings.ts";
import { renderStandingRecord } from "../../src/survive/record/standing-record.ts";
import { createRecordedHistory } from "../layers/recorded-history.ts";
import { withCorpus } from "../support/needs.ts";
import { findBoundaries } from "./find-boundaries.ts";

const style: LedgerStyle = { ...POLICY_SETTINGS.balanced, vocabulary: claudeCodeVocabulary };

/** An exchange as a segment of the ledger, while it is young, old and very old. */
function renderAges(span: readonly Message[]): readonly string[] {
  const hash = (): string => "0".repeat(64);
  const chunk = renderChunk(span, renderExchange(span, style), { exchanges: 1, by: "test", hash });
  const messages = chunk?.messages ?? [];
  const thin = (level: ThinLevel) =>
    messages.map((message) => thinSegment(message, { ...style, isReplaced: true, level }));
  return [messages, thin(1), thin(2)].map((aged) => aged.flatMap(({ blocks }) => blocks.map(textOf)).join("\n"));
}

function textOf(block: Block): string {
  return block.kind === "text" ? block.text : "";
}

async function* listExchanges(): AsyncGenerator<{ readonly file: string; readonly span: readonly Message[] }> {
  for await (const { file, recording } of readCorpus()) {
    const { messages } = createRecordedHistory(recording, "start");
    for (const { first, last } of splitExchanges(messages)) yield { file, span: messages.slice(first, last + 1) };
  }
}

/** Whether a ledger has the beginning of a report: as it was written, or without its words in passing. */
function hasBeginning(ledger: string, report: string, length: number): boolean {
  const forms = [report, dropNarration(report)].map((text) => toOneLine(stripMarkup(text)).slice(0, length));
  return forms.some((form) => ledger.includes(form));
}

/** What subagents found in an exchange: by a call, or by a notification. */
function listReports(span: readonly Message[]): readonly string[] {
  const blocks = span.flatMap(({ blocks: each }) => each);
  const orders = new Set(
    blocks.flatMap((block) =>
      block.kind === "toolCall" && claudeCodeVocabulary.interpretCall(block.tool, block.input).kind === "delegate"
        ? [block.callId]
        : [],
    ),
  );
  return blocks.flatMap((block) => {
    if (block.kind === "toolResult" && orders.has(block.callId) && !block.isError) {
      const text = renderResultText(block);
      return [claudeCodeVocabulary.interpretNote?.(text)?.text || text].filter((said) => !/^launched as /.test(said));
    }
    if (block.kind !== "text" || block.author !== "host" || !block.text.startsWith("<task-notification>")) return [];
    return [...block.text.matchAll(/<result>([\s\S]*?)<\/result>/g)].map(([, result = ""]) => result.trim());
  });
}

withCorpus.describe("the ledger of every recorded session", () => {
  it("says failed of no result that was no error", async () => {
    let [failures, untrue] = [0, 0];
    for await (const { span } of listExchanges()) {
      const hasError = span.some(({ blocks }) => blocks.some((block) => block.kind === "toolResult" && block.isError));
      const lines = renderExchange(span, style).flatMap((piece) => (piece.kind === "line" ? [piece.text] : []));
      const failed = lines.filter((line) => line.includes(" → failed: "));
      failures += failed.length;
      if (failed.length > 0 && !hasError) untrue++;
      untrue += failed.filter((line) =>
        / → failed: .*\b(?:fail(?:ed|ures?)?|errors?)\s?[:=]?\s?0\s*$/.test(line),
      ).length;
    }
    expect(failures).toBeGreaterThan(100);
    expect(untrue).toBe(0);
  });

  it("keeps what a subagent found: its beginning while the segment is young, its first few words when it is old", async () => {
    const lost = { young: 0, old: 0, veryOld: 0 };
    let reports = 0;
    for await (const { span } of listExchanges()) {
      // A short report is quoted whole, and a folded one is behind its own handle.
      const found = listReports(span).filter((report) => report.length > 120 && !isMarker(report));
      if (found.length === 0) continue;
      const [young = "", old = "", veryOld = ""] = renderAges(span);
      reports += found.length;
      for (const report of found) {
        if (!hasBeginning(young, report, 200)) lost.young++;
        if (!hasBeginning(old, report, 160)) lost.old++;
        if (!hasBeginning(veryOld, report, 25)) lost.veryOld++;
      }
    }
    expect(reports).toBeGreaterThan(100);
    expect(lost).toEqual({ young: 0, old: 0, veryOld: 0 });
  });

  it("ends in no line of bare numbers", async () => {
    let [segments, bare] = [0, 0];
    for await (const { span } of listExchanges()) {
      const [young = ""] = renderAges(span);
      segments++;
      if (/^\((?:#[\d-]+#?\d*(?:; )?)+\)$/.test(young.split("\n").at(-1) ?? "")) bare++;
    }
    expect(segments).toBeGreaterThan(1_000);
    expect(bare).toBe(0);
  });

  it("comes behind a record that names or counts every open task", () => {
    let [lists, missing] = [0, 0];
    for (const file of listCorpus())
      for (const { happened, root } of findBoundaries(file)) {
        const open = happened.state.work.filter(({ status }) => status === "active" || status === "open");
        if (open.length === 0) continue;
        lists++;
        const [text = ""] = renderStandingRecord(happened, { root }).split(`\n${RULES_HEADING}`);
        const named = text.split("\n").filter((line) => line.startsWith("- ") && !/^- \d+ more: /.test(line)).length;
        const counted = Number(/^(?:- )?(\d+) (?:more: |open tasks? (?:is|are) older )/m.exec(text)?.[1] ?? 0);
        if (named + counted !== open.length) missing++;
      }
    expect(lists).toBeGreaterThan(10);
    expect(missing).toBe(0);
  });
});
