import type { Action } from "./action.ts";

const MAX_ATTEMPT_CHARACTERS = 120;

/** What was tried, in a line: the command without what only shapes its output, or the tool and its object. */
export function nameAttempt(action: Action): string {
  switch (action.kind) {
    case "run":
      return (action.command.split(/ 2>| \|\|? |\n/, 1)[0] ?? "").trim().slice(0, MAX_ATTEMPT_CHARACTERS);
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

/** An attempt taken apart, so that it is recognised when it comes again in other words. */
export interface AttemptShape {
  readonly program: string;
  /** What it was done to: words that are neither options nor numbers. */
  readonly targets: ReadonlySet<string>;
}

/** Programs that go before the one that matters. */
const WRAPPERS = new Set(["sudo", "time", "npx", "bunx", "env", "exec", "nohup", "uv", "poetry", "run", "-m"]);
const INTERPRETERS = new Set(["python", "python3", "node", "bun", "deno", "tsx", "bash", "sh"]);

/** Programs that look at everything when they are told nothing. */
const CHECKERS = new Set(["pytest", "vitest", "jest", "mocha", "tsc", "pyright", "mypy", "ruff", "eslint", "biome"]);

export function shapeAttempt(attempt: string): AttemptShape {
  const words = lastPart(attempt)
    .split(/\s+/)
    .filter((word) => word !== "" && !/^[A-Z_][A-Z0-9_]*=/.test(word));
  let at = 0;
  while (at < words.length - 1 && isBefore(words, at)) at++;
  const program = baseOf(words[at] ?? "");
  const rest = words.slice(at + 1).filter((word) => !word.startsWith("-") && !/^\d+$/.test(word));
  return { program, targets: new Set(rest.map((word) => word.replace(/^["']|["']$/g, ""))) };
}

/** Of `cd api && npm test` the test is what was tried. */
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
  return INTERPRETERS.has(baseOf(word)) && words[at + 1] === "-m";
}

function baseOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/**
 * Whether a success shows that an earlier failure is gone: the same program on the same things, whatever the options; on
 * everything; or on mostly the same things.
 */
export function isSameAttempt(failed: AttemptShape, succeeded: AttemptShape): boolean {
  if (failed.program === "" || failed.program !== succeeded.program) return false;
  if (succeeded.targets.size === 0 && CHECKERS.has(failed.program)) return true;
  if (succeeded.targets.has("./...") && failed.targets.has("test") && succeeded.targets.has("test")) return true;
  const shared = [...failed.targets].filter((target) => succeeded.targets.has(target)).length;
  if (shared === failed.targets.size) return shared > 0 || succeeded.targets.size === 0;
  const all = failed.targets.size + succeeded.targets.size - shared;
  return shared / all >= 0.5;
}

/** Programs whose failure is an answer: the file is not there, nothing matches. */
const PROBES =
  /^(?:ls|cat|head|tail|grep|rg|egrep|find|which|where|test|\[|stat|wc|diff|cmp|type|command|pgrep|lsof|readlink|sed)$/;

export function isProbe(attempt: string): boolean {
  const { program, targets } = shapeAttempt(attempt);
  return PROBES.test(program) || (program === "git" && targets.has("cat-file"));
}
