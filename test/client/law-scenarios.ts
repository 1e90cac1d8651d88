import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { type Pace, STREAMED } from "../api/stream-events.ts";
import { renderFlagPng } from "../record/render-png.ts";
import type { Play, PlayOptions } from "./play.ts";
import { play } from "./play.ts";
import type { Prompt } from "./render-command.ts";
import { renderPdf } from "./render-pdf.ts";

/** A short session in which there is something to lose, with a compaction or two in it. */
export interface LawScenario {
  readonly answers: readonly Answer[];
  readonly prompts: readonly Prompt[];
  /** What the person types while the command of the same text runs. */
  readonly typed?: Readonly<Record<string, string>>;
  readonly pictures?: readonly string[];
  /** Texts of the project, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** How the API sends its answers, where it is not as the real one does. */
  readonly pace?: Pace;
}

const WORDS = "the hull is sound and the planks are dry and the mast stands. ";

/** A step of work: words too long for a line of the ledger, and two calls at once. */
function calmWork(step: number): Answer {
  const measure = `for i in $(seq 1 30); do echo "step ${step} plank $i measured 12.$i mm, no leak"; done`;
  return answer(
    `Plank row ${step}. ${WORDS.repeat(8)}`,
    call("Bash", { command: measure }),
    call("Bash", { command: `echo seam ${step} is tight` }),
  );
}

/** The same, with a call that fails. */
function work(step: number): Answer {
  const failing = call("Bash", { command: `echo "no rope ${step}" >&2; exit 3` });
  return answer(...calmWork(step).content, failing);
}

const DEMAND: string = "Paint the load line.\n\n  Never touch the anchor chain.\nKeep to the drawings.";
/** Longer than any excerpt. */
const LONG_DEMAND: string = `Mind the order: ${"first the keel, then the frames, then the planks; ".repeat(12)}then the mast.`;

const done = (words: string): Answer => answer(words);

/** Calls at once in every answer, in what is collapsed and in what stays. */
export const PARALLEL: LawScenario = {
  answers: [...[1, 2, 3, 4, 5, 6].map(work), done("All rows are done."), work(7), done("Painted.")],
  prompts: [DEMAND, "/compact", "Go on."],
};

/** Longer than what may stay before the first answer. */
export const COMMAND_FILES: Readonly<Record<string, string>> = {
  ".claude/commands/caulk.md": `Caulk $ARGUMENTS.\n${Array.from({ length: 150 }, (_, row) => `Rule ${row}: the seams of row ${row} are to be caulked with tar number ${row * 7}.`).join("\n")}`,
  "CLAUDE.md": "The anchor chain stays where it is.",
};

/** A command whose template comes along with the first prompt, and leaves with the first of two compactions. */
export const TEMPLATED: LawScenario = {
  answers: [...[1, 2, 3, 4].map(calmWork), done("Caulked."), calmWork(5), done("Tarred."), calmWork(6), done("Dried.")],
  prompts: ["/caulk the hull", "/compact", "Go on.", "/compact", "And on."],
  files: COMMAND_FILES,
};

/** The client takes it for read-only and runs it next to other calls; it ends after the last one of its answer was made. */
function search(step: number): string {
  return `sleep 0.7; echo searched ${step}`;
}

/** A slow call, then words, then two quick ones, whose results come first; an answer whose calls come one by one. */
function interleavedWork(step: number): Answer {
  return step % 2 === 0
    ? answer(
        `Seam ${step}. ${WORDS.repeat(6)}`,
        call("Bash", { command: search(step) }),
        "I look at the log meanwhile.",
        call("Bash", { command: `echo first ${step}` }),
        call("Bash", { command: `seq ${step} 60` }),
      )
    : answer(call("Bash", { command: `echo one ${step}` }), call("Bash", { command: `echo two ${step}` }), "And on.");
}

/** Results that come in before the last call of their answer is made, in what is collapsed and in what stays. */
export const INTERLEAVED: LawScenario = {
  answers: [
    ...[1, 2, 3, 4, 5, 6].map(interleavedWork),
    done("The seams are done."),
    interleavedWork(8),
    done("Tarred."),
  ],
  prompts: [DEMAND, "/compact", "Go on."],
};

/** Runs until the client has been given so many lines, as its transcript counts them; six seconds or so at the most. */
function waitFor(lines: number, then: string): string {
  const count = "cat ~/.claude/projects/*/*.jsonl | grep -c '^{.type.:.queue-operation.,.operation.:.enqueue'";
  return `for i in $(seq 60); do [ $(${count}) -ge ${lines} ] && break; sleep 0.1; done; ${then}`;
}

const EARLY = waitFor(2, "echo early watch");
const LATE = waitFor(3, "echo late watch");

/** Words typed while a command runs: long before a compaction, and shortly before it. */
export const STEERED: LawScenario = {
  answers: [
    work(1),
    answer(call("Bash", { command: EARLY })),
    ...[2, 3, 4, 5].map(work),
    answer(call("Bash", { command: LATE })),
    done("Steered."),
    done("Painted."),
  ],
  prompts: [LONG_DEMAND, "/compact", "Go on."],
  typed: { [EARLY]: "Use the red paint instead.\nNot the blue.", [LATE]: "And stop at the bow." },
};

const FLAG = Buffer.from(renderFlagPng(32)).toString("base64");
const image = (data: string): Readonly<Record<string, unknown>> => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});

/** Pictures and documents that were given and that were read, in what is collapsed and in what stays. */
export const PICTURED: LawScenario = {
  answers: [
    answer(call("Read", { file_path: "early.png" }), call("Read", { file_path: "early.pdf" })),
    ...[1, 2, 3, 4, 5].map(work),
    answer(call("Read", { file_path: "late.png" }), call("Read", { file_path: "late.pdf" })),
    done("Seen."),
    done("Painted."),
  ],
  prompts: [[image(FLAG), { type: "text", text: "Paint her like this." }], "/compact", "Go on."],
  pictures: ["early.png", "late.png", "early.pdf", "late.pdf"],
};

/** Two compactions, the second over the ledger of the first; a result that is folded at birth; the same words twice. */
export const TWICE: LawScenario = {
  answers: [
    answer(call("Bash", { command: "seq 1 6000" })),
    ...[1, 2, 3, 4, 5].map(work),
    done("Half of it is done."),
    ...[6, 7, 8, 9, 10].map(work),
    done("Half of it is done."),
    done("Painted."),
  ],
  prompts: [LONG_DEMAND, "/compact", "Go on.", "/compact", "Go on."],
};

/** Plays a scenario to its end; whoever calls closes it. */
export async function playScenario(scenario: LawScenario, options: Omit<PlayOptions, "prompts"> = {}): Promise<Play> {
  const { pace = STREAMED } = scenario;
  const session = await play({ pace, main: inFolder(scenario.answers, () => session.workspace.cwd) });
  for (const [index, name] of (scenario.pictures ?? []).entries())
    await session.workspace.writeFile(name, name.endsWith(".pdf") ? renderPdf(name) : renderFlagPng(40 + index));
  for (const [name, text] of Object.entries(scenario.files ?? {})) await session.workspace.writeFile(name, text);
  const waiting = new Map(Object.entries(scenario.typed ?? {}));
  const run = await session.run({
    prompts: scenario.prompts,
    timeoutMs: 100_000,
    typeAt: (event) => {
      const text = event.type === "assistant" ? JSON.stringify(event) : "";
      for (const [command, words] of waiting) if (text.includes(command) && waiting.delete(command)) return words;
      return undefined;
    },
    ...options,
  });
  if (run.exitCode !== 0) throw new Error(`the client ended with ${run.exitCode}: ${run.stderr.slice(-1000)}`);
  return session;
}

/** Files are read by their whole path, which is known only once the session has begun. */
function inFolder(answers: readonly Answer[], folder: () => string): (_: unknown, step: number) => Answer {
  return (_, step) => {
    const scripted = answers[step] ?? answer("There is nothing left to do.");
    return {
      ...scripted,
      content: scripted.content.map((block) =>
        block.type === "tool_use" && typeof block.input.file_path === "string"
          ? { ...block, input: { file_path: `${folder()}/${block.input.file_path}` } }
          : block,
      ),
    };
  };
}

/** What the person gave in a scenario, for an auditor that must find it in some request. */
export function listGiven({ prompts, typed = {} }: LawScenario): readonly string[] {
  const given = prompts.flatMap((prompt) => {
    if (typeof prompt === "string") return prompt.startsWith("/") ? [] : [prompt];
    return prompt.flatMap((block) => (typeof block.text === "string" ? [block.text] : [FLAG]));
  });
  return [...given, ...Object.values(typed)];
}
