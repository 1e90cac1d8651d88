import {
  consolidateMemory,
  loadMemory,
  type MemoryPlace,
  readMemoryTopic,
  saveMemories,
} from "../../../../files/memory.ts";
import {
  fitIndex,
  MAX_INDEX_LINES,
  nameTopicFile,
  parseIndex,
} from "../../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens } from "../../../../models/tokens.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { CliError, type Command, type CommandAnswer, defineCommand, hintAt } from "../../command.ts";
import { joinLines, renderSafely } from "../../print/style.ts";
import { explainProblem } from "../../require-session.ts";

const ACTIONS = ["list", "show", "add", "consolidate"] as const;

export const memoryCommand: Command = defineCommand({
  name: "memory",
  isVerbatim: true,
  summary:
    "Shows and edits what this project's sessions remember: an index that every session loads, and topics that load on demand",
  positional: { name: "ACTION", help: "list (the default), show TOPIC, add TOPIC LESSON or consolidate" },
  options: {},
  examples: {
    "plimsoll memory": "shows the index as sessions load it, and its size in tokens",
    'plimsoll memory add Release "Tag before publishing."': "adds a dated line to the topic",
    "plimsoll memory show release": "shows one topic in full",
    "plimsoll memory consolidate": "keeps one index line per topic and removes repeated lessons",
  },
  run({ positionals: [action = "list", topic, ...words] }, { directory, environment, nowMs }) {
    const place = { directory, dataFolder: locateOwnData(environment) };
    if (action === "add" && topic !== undefined && words.length > 0)
      return explainProblem(() => add(place, topic, words.join(" "), nowMs()));
    if (action === "add") throw new CliError("plimsoll memory add takes two arguments: a topic and a lesson");
    if (action === "show" && topic !== undefined && words.length === 0) return show(place, topic);
    if (action === "show")
      throw new CliError("plimsoll memory show takes one topic; to list the topics, run: plimsoll memory");
    if (action !== "list" && action !== "consolidate")
      throw new CliError(`plimsoll memory has no action "${action}": ${hintAt(action, ACTIONS)}`);
    if (topic !== undefined) throw new CliError(`plimsoll memory ${action}: unexpected argument "${topic}"`);
    return action === "list" ? list(place) : explainProblem(() => consolidate(place));
  },
});

function list(place: MemoryPlace): CommandAnswer {
  const { index, skipped } = loadMemory(place, "");
  const { text, isTruncated } = fitIndex(index);
  const lines = index.trimEnd() === "" ? 0 : index.trimEnd().split("\n").length;
  const estimatedTokens = Math.round(estimateTextTokens(text, "dense"));
  const weight = `${lines} of at most ${MAX_INDEX_LINES} lines, about ${estimatedTokens} tokens`;
  return {
    json: { topics: parseIndex(index), lines, maxLines: MAX_INDEX_LINES, isTruncated, estimatedTokens, skipped },
    text: () =>
      joinLines(
        lines === 0 ? "No lessons are saved. Run: plimsoll memory add TOPIC LESSON" : [safe(text), "", weight],
        skipped.map(({ file, why }) => `not read: ${safe(file)} ${safe(why)}`),
      ),
  };
}

function show(place: MemoryPlace, topic: string): CommandAnswer {
  const file = nameTopicFile(topic);
  const text = readMemoryTopic(place, file);
  if (text === undefined) throw CliError.failed(`there is no topic ${file}; to list the topics, run: plimsoll memory`);
  return { json: { file, text }, text: () => safe(text.trimEnd()) };
}

function add(place: MemoryPlace, topic: string, text: string, nowMs: number): CommandAnswer {
  const report = saveMemories(place, [{ topic, text }], nowMs);
  const [refused] = report.skipped;
  if (refused) throw CliError.failed(`the lesson was not saved: ${refused.file} ${refused.why}`);
  const [added] = report.added;
  const known = report.duplicates[0]?.file ?? nameTopicFile(topic);
  return { json: report, text: () => (added ? `Saved in ${added.file}.` : `${known} already contains this lesson.`) };
}

function consolidate(place: MemoryPlace): CommandAnswer {
  const { index: _, changed, ...report } = consolidateMemory(place);
  const { repeated, unlisted, listed, skipped } = report;
  const done = [
    ...listed.map((file) => `added to the index: ${file}`),
    ...unlisted.map((line) => `removed from the index: ${line}`),
    ...repeated.map(({ file, line }) => `removed a repeated lesson from ${file}: ${line}`),
    ...skipped.map(({ file, why }) => `not changed: ${file} ${why}`),
  ];
  return {
    json: { ...report, changedFiles: Object.keys(changed) },
    text: () => (done.length === 0 ? "Nothing to consolidate." : done.map(safe).join("\n")),
  };
}

/** Escaped line by line, because the content of a project's files is not trusted. */
function safe(text: string): string {
  return text.split("\n").map(renderSafely).join("\n");
}
