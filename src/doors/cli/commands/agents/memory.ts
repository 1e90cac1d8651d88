import {
  consolidateMemory,
  loadMemory,
  type MemoryPlace,
  readMemoryTopic,
  saveMemories,
} from "../../../../files/memory.ts";
import { StoreError } from "../../../../files/private-files.ts";
import {
  fitIndex,
  MAX_INDEX_LINES,
  nameTopicFile,
  parseIndex,
} from "../../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens } from "../../../../models/tokens.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import {
  CliError,
  type Command,
  type CommandAnswer,
  defineCommand,
  EXIT_FAILURE,
  hintAt,
  type Terminal,
} from "../../command.ts";
import { renderSafely } from "../../print/style.ts";

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
  run({ positionals: [action = "list", ...rest] }, terminal) {
    return ask(action, rest, terminal);
  },
});

function ask(action: string, rest: readonly string[], terminal: Terminal): CommandAnswer {
  const [topic, ...words] = rest;
  if (action === "add" && topic !== undefined && words.length > 0) return add(topic, words.join(" "), terminal);
  if (action === "add") throw new CliError("plimsoll memory add takes two arguments: a topic and a lesson");
  if (action === "show" && topic !== undefined && words.length === 0) return show(topic, terminal);
  if (action === "show")
    throw new CliError("plimsoll memory show takes one topic; to list the topics, run: plimsoll memory");
  if (action !== "list" && action !== "consolidate")
    throw new CliError(`plimsoll memory has no action "${action}": ${hintAt(action, ACTIONS)}`);
  if (topic !== undefined) throw new CliError(`plimsoll memory ${action}: unexpected argument "${topic}"`);
  return action === "list" ? list(terminal) : consolidate(terminal);
}

function placeOf({ directory, environment }: Terminal): MemoryPlace {
  return { directory, dataFolder: locateOwnData(environment) };
}

function list(terminal: Terminal): CommandAnswer {
  const { index, skipped } = loadMemory(placeOf(terminal), "");
  const { text, isTruncated } = fitIndex(index);
  const lines = index.trimEnd() === "" ? 0 : index.trimEnd().split("\n").length;
  const estimatedTokens = Math.round(estimateTextTokens(text, "dense"));
  const weight = `${lines} of at most ${MAX_INDEX_LINES} lines, about ${estimatedTokens} tokens`;
  return {
    json: { topics: parseIndex(index), lines, maxLines: MAX_INDEX_LINES, isTruncated, estimatedTokens, skipped },
    text: () =>
      [
        ...(lines === 0 ? ["No lessons are saved. Run: plimsoll memory add TOPIC LESSON"] : [safe(text), "", weight]),
        ...skipped.map(({ file, why }) => `not read: ${safe(file)} ${safe(why)}`),
      ].join("\n"),
  };
}

function show(topic: string, terminal: Terminal): CommandAnswer {
  const file = nameTopicFile(topic);
  const text = readMemoryTopic(placeOf(terminal), file);
  if (text === undefined)
    throw new CliError(`there is no topic ${file}; to list the topics, run: plimsoll memory`, EXIT_FAILURE);
  return { json: { file, text }, text: () => safe(text.trimEnd()) };
}

function add(topic: string, lesson: string, terminal: Terminal): CommandAnswer {
  const report = tryStore(() => saveMemories(placeOf(terminal), [{ topic, text: lesson }], terminal.nowMs()));
  const [refused] = report.skipped;
  if (refused) throw new CliError(`the lesson was not saved: ${refused.file} ${refused.why}`, EXIT_FAILURE);
  const [added] = report.added;
  const known = report.duplicates[0]?.file ?? nameTopicFile(topic);
  return { json: report, text: () => (added ? `Saved in ${added.file}.` : `${known} already contains this lesson.`) };
}

function consolidate(terminal: Terminal): CommandAnswer {
  const { index: _, changed, ...report } = tryStore(() => consolidateMemory(placeOf(terminal)));
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

function tryStore<T>(store: () => T): T {
  try {
    return store();
  } catch (error) {
    throw error instanceof StoreError ? new CliError(error.message) : error;
  }
}
