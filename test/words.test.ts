import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");

/** Where a name or a text of the program may say "turn", each with the reason. A new one needs its reason, too. */
const SPEAKS_OF_TURNS: Readonly<Record<string, string>> = {
  "src/core/edit-verdict.ts": "midTurn: before the person speaks again",
  "src/core/event.ts": "isTurnEnd: the host says that the model is done and the person's turn begins",
  "src/doors/cli/commands/inspect.ts": "tells requests and the person's turns side by side",
  "src/doors/cli/commands/undo.ts": "what comes back is a prompt, so it begins a turn",
  "src/doors/gateway/answer-compaction.ts": "end_turn is the API's word",
  "src/doors/gateway/plan-request.ts": "midTurn",
  "src/doors/gateway/responses/responses-wire.ts": "x-codex-turn-metadata is the client's header",
  "src/doors/hook/clients/codex/find-load.ts": "turn_context is the client's word",
  "src/doors/hook/events/stop.ts": "the end of a turn",
  "src/doors/hook/restore.ts": "events that end a turn",
  "src/doors/module/append.ts": "the middle of a turn",
  "src/doors/module/register.ts": "the end of a turn",
  "src/doors/module/tell.ts": "the end of a turn",
  "src/doors/pi/register.ts": "the agent's own event `turn_end`",
  "src/files/cold-tasks.ts": "the end of a turn, and a field of the cold tasks",
  "src/files/memory.ts": "what a turn is given of the memory",
  "src/hosts/claude-code/line-types.ts": "turn_duration is the client's word",
  "src/hosts/claude-code/parse-line.ts": "isTurnEnd, read from the API's end_turn",
  "src/hosts/codex/line-types.ts": "turn_context and turn_aborted are the client's words",
  "src/hosts/codex/prompt-author.ts": "turn_aborted is the client's word",
  "src/hosts/codex/rollout-reader.ts": "turn_context and num_turns are the client's words",
  "src/hosts/codex/vocabulary.ts": "turn_aborted is the client's word",
  "src/hosts/opencode/parse-conversation.ts": "isTurnEnd, read from how the client says the answer finished",
  "src/hosts/pi/session-reader.ts": "isTurnEnd, read from how the client says the answer stopped",
  "src/hosts/tell-messages.ts": "`isTurnEnd` of the events",
  "src/layers/ledger/narration.ts": "the last words of a turn are an answer, not narration",
  "src/library/prompt/memory/render-memory.ts": "what a turn is given of the memory",
  "src/measure/telemetry.ts": "counts requests and the person's turns side by side",
  "src/models/economics/decide-edits.ts": "midTurn",
  "src/policy/advice/rule-moment.ts": "a moment is the beginning of a turn, or is not",
  "src/policy/advice/work-moment.ts": "the person has just begun a turn",
  "src/policy/settings/settings.ts": "turns: a value of the setting moments",
  "src/policy/steps/turn-ended.ts": "the end of a turn",
  "src/session/closing.ts": "how the model ended its turn",
  "src/session/decision-signals.ts": "turns out, in the sentences of a model",
  "src/session/find-answered.ts": "the question that a turn ended with",
  "src/session/happening.ts": "isTurnEnd, as the event tells it",
  "src/session/session.ts": "holds the tracker of the turn",
  "src/session/track-announced.ts": "the last word of a turn says what is open",
  "src/session/track-decisions.ts": "a choice turned away from at once",
  "src/session/track-turn.ts": "who spoke last in this turn",
  // The pipeline that these files come from calls a request a turn, and names its files' fields so.
  "src/survive/cold-tasks/decide-cold-run.ts": "a field of the cold tasks",
  "src/survive/cold-tasks/find-cold-tasks.ts": "a constant of the cold tasks",
  "src/survive/cold-tasks/is-look-due.ts": "a field of the cold tasks",
  "src/survive/cold-tasks/plan-cold-maintenance.ts": "fields of the cold tasks",
  "src/survive/cold-tasks/summarize-cold-task.ts": "fields of the cold tasks",
  "src/survive/record/continuation.ts": "what is left is what the model named as its turn ended",
  "src/survive/record/next-step.ts": "the next step goes by where the turn stands",
};

/** Expressions that only whoever wrote them understands. */
const PRIVATE_WORDS = ["told anew", "known again by", "paid for carrying"];

const sources = listFiles("src", /\.tsx?$/).filter((file) => !/\.test\.ts$/.test(file));
const glossary = read("docs/glossary.md");
const words = [...glossary.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, word = ""]) => word);

describe("the words of the glossary", () => {
  it("are names in the source: of a folder, a file or something exported", () => {
    const names = new Set(sources.flatMap((file) => [...file.split(/\W+/), ...listExported(read(file))]).map(singular));
    expect(words.length).toBeGreaterThan(15);
    expect(words.filter((word) => !word.split(" ").every((part) => names.has(part)))).toEqual([]);
  });

  it("lead to folders that exist", () => {
    const paths = [...glossary.matchAll(/`(src\/[^`]+)`/g)].map(([, found = ""]) => found);
    expect(paths).not.toEqual([]);
    expect(paths.filter((found) => !existsSync(path.join(ROOT, found)))).toEqual([]);
  });

  it("let a turn be a turn: names and texts of the program use the word where it is listed, and nowhere else", () => {
    const speaking = sources.filter((file) =>
      /(?<![a-z])turns?(?![a-z])|Turns?(?![a-z])|TURNS?/.test(withoutComments(read(file))),
    );
    expect(speaking).toEqual(Object.keys(SPEAKS_OF_TURNS));
  });
});

it("speaks no private language", () => {
  const files = [
    ...listFiles("src", /\.(?:tsx?|css)$/),
    ...listFiles("docs", /\.md$/),
    ...listFiles(".", /\.md$/, false),
  ];
  const told = files.flatMap((file) =>
    PRIVATE_WORDS.filter((word) =>
      read(file)
        .replace(/\n[ */]*/g, " ")
        .includes(word),
    ).map((word) => `${file}: ${word}`),
  );
  expect(told).toEqual([]);
});

function listExported(text: string): readonly string[] {
  const names = [...text.matchAll(/^export (?:async )?(?:function|interface|type|const|class) (\w+)/gm)];
  return names.flatMap(([, name = ""]) => name.split(/(?=[A-Z])|_/)).map((part) => part.toLowerCase());
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, "").replace(/(?:^|\s)\/\/ .*$/gm, "");
}

function listFiles(folder: string, ending: RegExp, isDeep = true): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: isDeep, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .sort();
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
