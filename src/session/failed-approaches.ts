import { clipText } from "../core/clip-text.ts";
import { type Action, isChange } from "./action.ts";
import { hasFailed } from "./exit-status.ts";
import { baseName } from "./file-path.ts";
import type { HappeningOf, Tracker } from "./happening.ts";
import { splitSentences } from "./sentences.ts";

/** An attempt that failed and has not succeeded since. */
export interface Attempted {
  /** The command, or the tool and its file. */
  readonly attempt: string;
  readonly line: string;
  /** How often in a row it failed with this line. */
  readonly times: number;
  readonly request: number;
}

export interface ApproachState {
  /** What was given up, each in one line: "tried X, failed because Y". */
  readonly failedApproaches: readonly { readonly line: string; readonly request: number }[];
  /** Files changed since the last commit, whose changes may still be taken back. */
  readonly uncommitted?: readonly string[];
}

const MAX_APPROACHES = 100;
const MAX_UNCOMMITTED = 100;
const MAX_LINE_CHARACTERS = 300;

/** A sentence that names an approach, says that it failed, and gives the reason. */
const GIVES_REASON =
  /(?:^|[—:;,]\s)([^—:;,.]{8,120}?)\s(?:did(?:n't| not) work|does(?:n't| not) work|won't work|failed|fails|was rejected|is not (?:possible|supported|viable))(?:,|\s—|\s-)?\s(?:because|since|due to)\s(.{3,})$/i;
/** The subject is then a test or unclear, not an approach. */
const NO_APPROACH = /^(?:it|that|this|which|they|I|we|you|he|(?:the |both |one |all |two |some )*tests?\b|step \d)/i;
/** Turns away from what was tried. */
const ABANDONS =
  /\b(?:(?:that|this|it|which) (?:did(?:n't| not) work|does(?:n't| not) work|failed|didn't help|won't work)|let(?:'s| me) (?:try|take) (?:a different|another)|dead end|back(?:ed|ing) (?:that|it) out|(?:I'll|let me|I'm) revert(?:ing)? (?:that|this|it|my))\b/i;
/** No such sentence is without one of these words, and most texts have none. */
const HINT = /\b(?:work|fail|reject|possible|supported|viable|help|different|another|dead end|back|revert)/i;
const SUPPOSES = /\b(?:if|would|might|could|may|unless|when|should)\b/i;

export function abandonsApproach(text: string): boolean {
  return HINT.test(text) && ABANDONS.test(text);
}

/** What the model or the user says has failed, with the reason, and changes that were taken back. A failing command is an error, and no approach. */
export function createApproachTracker(saved: ApproachState): Tracker<ApproachState> {
  const approaches = [...saved.failedApproaches];
  let uncommitted = saved.uncommitted ?? [];
  let said = "";

  const give = (what: string, why: string, request: number): void => {
    const line = `tried ${trimEnd(what)}, failed because ${trimEnd(why)}`.replace(/\s+/g, " ");
    const kept = clipText(line, MAX_LINE_CHARACTERS);
    if (approaches.some((approach) => approach.line === kept)) return;
    approaches.push({ line: kept, request });
    if (approaches.length > MAX_APPROACHES) approaches.shift();
  };

  const followRun = (command: string, request: number): void => {
    if (COMMITS.test(command)) uncommitted = [];
    if (!TAKES_BACK.test(command)) return;
    const back = uncommitted.filter((path) => command.includes(baseName(path)));
    if (back.length > 0 && said !== "")
      give(`changes to ${back.map(baseName).join(", ")}`, `they were taken back: ${said}`, request);
    uncommitted = uncommitted.filter((path) => !back.includes(path));
  };

  const followOutcome = ({ action, outcome, request }: HappeningOf<"outcome">): void => {
    if (outcome.isRefused || hasFailed(action, outcome)) return;
    if (isChange(action))
      uncommitted = [...uncommitted.filter((path) => path !== action.path), action.path].slice(-MAX_UNCOMMITTED);
    if (action.kind === "run") followRun(action.command, request);
  };

  const followText = (text: string, request: number): void => {
    if (!HINT.test(text)) return;
    for (const sentence of splitSentences(text)) {
      if (!HINT.test(sentence) || SUPPOSES.test(sentence)) continue;
      const [, what, why] = sentence.match(GIVES_REASON) ?? [];
      if (what !== undefined && why !== undefined && !NO_APPROACH.test(what.trim())) give(what, why, request);
    }
  };

  return {
    follow(happening) {
      if (happening.kind === "outcome") followOutcome(happening);
      if (happening.kind !== "said" && happening.kind !== "asked") return;
      if (happening.kind === "said") said = splitSentences(happening.text).at(-1) ?? "";
      followText(happening.text, happening.request);
    },
    state: () => ({ failedApproaches: approaches.slice(), uncommitted }),
  };
}

const COMMITS = /\bgit\b.{0,200}\bcommit\b/;
const TAKES_BACK = /\bgit (?:checkout|restore)\s(?!-b\b|--staged\b)/;

/** An unclosed quotation was cut. */
export function isWhole(attempt: string): boolean {
  return (attempt.match(/["'`]/g)?.length ?? 0) % 2 === 0;
}

function trimEnd(text: string): string {
  return text.trim().replace(/^(?:\*\*|[-•] )|[.:;,*]+$/g, "");
}

const MAX_ATTEMPT_CHARACTERS = 120;

/** The attempt in a line: the command without what only shapes its output, or the tool and its target. */
export function nameAttempt(action: Action): string {
  switch (action.kind) {
    case "run":
      return (skipPreparing(action.command).split(/ 2>| \|\|? |\n/, 1)[0] ?? "")
        .trim()
        .slice(0, MAX_ATTEMPT_CHARACTERS);
    case "read":
    case "write":
    case "edit":
      return `${action.kind} ${action.path}`;
    case "fetch":
      return `fetch ${action.url}`;
    case "delegate":
      return `delegate "${action.prompt}"`.slice(0, MAX_ATTEMPT_CHARACTERS);
    case "search":
      return `search ${action.pattern}`.slice(0, MAX_ATTEMPT_CHARACTERS);
    default:
      return action.kind === "other" ? action.tool : action.kind;
  }
}

/** Skips lines such as `cd` and variable assignments that come before many attempts. */
function skipPreparing(command: string): string {
  const lines = command.split("\n");
  const at = lines.findIndex((line) => !/^\s*(?:#.*|(?:cd|export|source|set|\.)\s[^&;|]*|\w{1,40}=\S*)?$/.test(line));
  return lines.slice(Math.max(0, at)).join("\n");
}

/** The parts of an attempt, to recognise it when it comes again in other words. */
export interface AttemptShape {
  readonly program: string;
  /** Its targets: words that are neither options nor numbers. */
  readonly targets: ReadonlySet<string>;
}

/** Programs that go before the one that matters. */
const WRAPPERS = new Set(["sudo", "time", "npx", "bunx", "env", "exec", "nohup", "uv", "poetry", "run", "-m"]);
const INTERPRETERS = new Set(["python", "python3", "node", "bun", "deno", "tsx", "bash", "sh"]);

/** Programs that check everything by default. */
const CHECKERS = new Set(["pytest", "vitest", "jest", "mocha", "tsc", "pyright", "mypy", "ruff", "eslint", "biome"]);

export function shapeAttempt(attempt: string): AttemptShape {
  const words = lastPart(attempt)
    .split(/\s+/)
    .filter((word) => word !== "" && !/^[A-Z_][A-Z0-9_]*=/.test(word));
  let at = 0;
  while (at < words.length - 1 && isBefore(words, at)) at++;
  const program = baseName(words[at] ?? "");
  const rest = words.slice(at + 1).filter((word) => !word.startsWith("-") && !/^\d+$/.test(word));
  return { program, targets: new Set(rest.map((word) => word.replace(/^["']|["']$/g, ""))) };
}

/** In `cd api && npm test` the attempt is the test. */
function lastPart(attempt: string): string {
  const parts = attempt.split(/&&|;/).map((part) => part.trim());
  return (
    parts.find(
      (part) => part !== "" && !/^(?:(?:cd|export|source|sleep|set)\b|\w{1,40}=\S*$|\w{1,40}="[^"]*"$)/.test(part),
    ) ??
    parts.at(-1) ??
    ""
  );
}

function isBefore(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  if (word === "timeout" || /^\d+s?$/.test(word) || WRAPPERS.has(word)) return true;
  return INTERPRETERS.has(baseName(word)) && words[at + 1] === "-m";
}

/** Whether a success shows that an earlier failure is gone: the same program, on the same targets, on everything, or on mostly the same targets. */
export function isSameAttempt(failed: AttemptShape, succeeded: AttemptShape): boolean {
  if (failed.program === "" || failed.program !== succeeded.program) return false;
  if (succeeded.targets.size === 0 && CHECKERS.has(failed.program)) return true;
  const isWholeSuite = succeeded.targets.has("./...") || succeeded.targets.size === 1;
  if (isWholeSuite && failed.targets.has("test") && succeeded.targets.has("test")) return true;
  const shared = [...failed.targets].filter((target) => succeeded.targets.has(target)).length;
  if (shared === failed.targets.size) return shared > 0 || succeeded.targets.size === 0;
  const all = failed.targets.size + succeeded.targets.size - shared;
  return shared / all >= 0.5;
}

/** Programs whose failure is an answer: the file does not exist, nothing matches. */
const PROBES =
  /^(?:ls|cat|head|tail|grep|rg|egrep|find|which|where|test|\[|stat|wc|diff|cmp|type|command|pgrep|lsof|readlink|sed)$/;

export function isProbe(attempt: string): boolean {
  const { program, targets } = shapeAttempt(attempt);
  return PROBES.test(program) || (program === "git" && targets.has("cat-file"));
}
