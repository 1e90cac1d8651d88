import { type Assertion, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Tests a text against a regular expression, in any case, in time linear in the text. Patterns come from models, and JavaScript's own engine can hang on
 * a pattern of a few characters. `undefined` if it is not an expression, or one for which we cannot guarantee this.
 */
export function createPatternMatcher(pattern: string): ((text: string) => boolean) | undefined {
  const tree = parsePattern(pattern);
  if (!tree) return undefined;
  if (isPlain(tree)) {
    const expression = new RegExp(pattern, "i");
    return (text) => expression.test(text);
  }
  const program = compilePattern(tree);
  return program && createAutomaton(program).isMatch;
}

/** Only literals and alternatives: without a repetition or choice inside, JavaScript's own engine has nothing to backtrack to. */
function isPlain(tree: PatternNode): boolean {
  const options = tree.kind === "either" ? tree.options : [tree];
  return options.every(
    (option) => option.kind === "sequence" && option.parts.every(({ kind }) => kind === "atom" || kind === "assert"),
  );
}

/** Tests for a match in time linear in the text's length. */
interface Automaton {
  isMatch(text: string): boolean;
  /** Instructions looked at so far. */
  work(): number;
}

/** All instructions that may be active at one position of a text. */
interface State {
  readonly places: readonly number[];
  readonly before: Side;
  readonly next: Map<number, State | undefined>;
}

/** The character next to a position, as far as assertions care. */
type Side = "nothing" | "word" | "other";

/** States are cached, and all dropped when there are too many: a pattern can have more than fits in memory. */
const MAX_KNOWN = 5_000;

/**
 * Follows all paths through a program at once, each instruction at most once per character, so no text and no pattern takes long. Caches
 * the next state for each state and character.
 */
export function createAutomaton(program: readonly Instruction[]): Automaton {
  const start = program.length - 1;
  const seen = new Uint32Array(program.length);
  const states = new Map<string, State>();
  let generation = 0;
  let known = 0;
  let work = 0;

  /** The instructions reachable without a character; `undefined` if that is a match. */
  const spread = ({ places, before }: State, after: Side): readonly Taker[] | undefined => {
    generation++;
    const waiting = [...places, start];
    const takers: Taker[] = [];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (seen[place] === generation) continue;
      seen[place] = generation;
      work++;
      const instruction = program[place];
      if (instruction === undefined || instruction.kind === "match") return undefined;
      if (instruction.kind === "take") takers.push(instruction);
      else if (instruction.kind === "split") waiting.push(instruction.next, instruction.other);
      else if (holds(instruction.what, before, after)) waiting.push(instruction.next);
    }
    return takers;
  };

  const stateOf = (places: readonly number[], before: Side): State => {
    const key = `${before} ${places.join()}`;
    const found = states.get(key);
    if (found) return found;
    const state: State = { places, before, next: new Map() };
    states.set(key, state);
    return state;
  };

  /** The state after one more character; `undefined` for a match. */
  const step = (from: State, code: number): State | undefined => {
    let state = from;
    if (++known > MAX_KNOWN) {
      states.clear();
      known = 0;
      // A copy without its cached transitions, which would keep all old states alive.
      state = stateOf(from.places, from.before);
    }
    const side = isWord(code) ? "word" : "other";
    const takers = spread(state, side);
    const places = takers?.filter(({ isTaken }) => isTaken(code)).map(({ next }) => next);
    const after =
      places &&
      stateOf(
        [...new Set(places)].sort((left, right) => left - right),
        side,
      );
    state.next.set(code, after);
    return after;
  };

  return {
    work: () => work,
    isMatch(text) {
      let state = stateOf([], "nothing");
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const next = state.next.has(code) ? state.next.get(code) : step(state, code);
        if (next === undefined) return true;
        state = next;
      }
      return spread(state, "nothing") === undefined;
    },
  };
}

function holds(what: Assertion, before: Side, after: Side): boolean {
  if (what === "start") return before === "nothing";
  if (what === "end") return after === "nothing";
  const isBoundary = (before === "word") !== (after === "word");
  return what === "boundary" ? isBoundary : !isBoundary;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

type Taker = { readonly kind: "take"; isTaken(code: number): boolean; readonly next: number };

/** One step of a program; `next` and `other` are positions in it. */
type Instruction =
  | Taker
  | { readonly kind: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly next: number; readonly other: number }
  | { readonly kind: "match" };

/** A repetition is unrolled as often as it may occur; no sensible pattern grows beyond this. */
const MAX_INSTRUCTIONS = 400;

/** Compiles from the end of the pattern to its beginning, so that every instruction knows the next one. `undefined` if it is too large. */
export function compilePattern(tree: PatternNode): readonly Instruction[] | undefined {
  if (countInstructions(tree) > MAX_INSTRUCTIONS) return undefined;
  const program: Instruction[] = [{ kind: "match" }];
  const add = (instruction: Instruction): number => program.push(instruction) - 1;
  const write = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case "atom":
        return add({ kind: "take", isTaken: createTaker(node.source), next });
      case "assert":
        return add({ kind: "assert", what: node.what, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => write(part, after), next);
      case "either":
        return node.options
          .map((option) => write(option, next))
          .reduceRight((other, start) => add({ kind: "split", next: start, other }));
      case "repeat":
        return writeRepeat(node, next);
    }
  };
  const writeRepeat = ({ part, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number => {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = add({ kind: "split", next, other: next });
      program[loop] = { kind: "split", next: write(part, loop), other: next };
      start = loop;
    } else
      for (let count = least; count < most; count++)
        start = add({ kind: "split", next: write(part, start), other: next });
    for (let count = 0; count < least; count++) start = write(part, start);
    return start;
  };
  const start = write(tree, 0);
  // A program begins at its last instruction.
  add({ kind: "split", next: start, other: start });
  return program;
}

function countInstructions(node: PatternNode): number {
  switch (node.kind) {
    case "atom":
    case "assert":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + countInstructions(part), 0);
    case "either":
      return node.options.reduce((sum, option) => sum + 1 + countInstructions(option), 0);
    case "repeat": {
      const times = node.most === Number.POSITIVE_INFINITY ? node.least + 1 : Math.max(node.least, node.most);
      return times * (1 + countInstructions(node.part));
    }
  }
}

/** Asks JavaScript's own expression whether one character matches, once per character, since letters have many cases. */
function createTaker(source: string): (code: number) => boolean {
  const expression = new RegExp(`^(?:${source})$`, "i");
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const isTaken = expression.test(String.fromCharCode(code));
    known.set(code, isTaken);
    return isTaken;
  };
}
