// A session that a client has recorded: how heavy it is, what it cost, what happened in it. Give it the file.
import { claudeCodeVocabulary, readMeter, readRecording, selectMainChain } from "plimsoll/claude-code";
import { classifyMeasured, takeReading } from "plimsoll/measure";
import { addSpend, priceUsage, quotePrice, zeroSpend } from "plimsoll/models";
import { createSession, listWork } from "plimsoll/session";

const [, , file = ""] = process.argv;

// Incremental: keep `transcript` and pass it back, and the next reading costs what was added since.
const { transcript, tally } = readMeter(file);
const reading = takeReading(transcript.meter);
console.log(
  `${reading.usedTokens} tokens by ${reading.source}, ${classifyMeasured(reading.usedTokens ?? 0, 100_000)} of 100k`,
);
console.log(`${tally.lines} lines, ${tally.unknown} unknown, ${tally.malformed} malformed`);

const { recording, entries } = readRecording(file);
const spend = recording.steps.reduce((sum, { usage, model }) => {
  const priced = usage === undefined ? undefined : priceUsage(usage, model);
  return priced === undefined ? sum : addSpend(sum, priced);
}, zeroSpend);
const [first] = recording.steps;
console.log(
  `$${spend.totalUsd.toFixed(2)} in ${recording.steps.length} requests; input at $${quotePrice(first?.model ?? "")?.price.input} a million`,
);

// What tools mean is the host's to say; give a vocabulary of your own for another one.
const session = createSession(claudeCodeVocabulary);
for (const { events } of selectMainChain(entries)) for (const event of events) session.feed(event);
const { requests, words, files } = session.state();
console.log(
  `${requests.count} requests, ${words.length} times the person spoke, ${files.length} files, ${listWork(session.state()).length} pieces of work`,
);
