import { type Assertion, type PatternFlags, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Whether a text holds a match of a regular expression, in time that grows with the text alone: patterns come from models, and the
 * language's own engine takes for ever over some of a few characters. `undefined` where it is no expression, or one that we
 * cannot promise this of.
 */
export function createPatternMatcher(pattern: string, flags: PatternFlags): ((text: string) => boolean) | undefined {
  const tree = parsePattern(pattern, flags);
  if (!tree) return undefined;
  if (isPlain(tree)) {
    const expression = new RegExp(pattern, flags);
    return (text) => expression.test(text);
  }
  const program = compilePattern(tree, flags);
  return program && createAutomaton(program, flags).isMatch;
}

/** Words, and words or other words: without a repetition or a choice within, the language's own engine has nothing to go back to. */
function isPlain(tree: PatternNode): boolean {
  const options = tree.kind === "either" ? tree.options : [tree];
  return options.every(
    (option) => option.kind === "sequence" && option.parts.every(({ kind }) => kind === "atom" || kind === "assert"),
  );
}

/** Tells whether a text holds a match, in time that grows with its length and with nothing else. */
interface Automaton {
  isMatch(text: string): boolean;
  /** Instructions that were looked at so far. */
  work(): number;
}

/** Everything that may be under way at one place of a text. */
interface State {
  readonly places: readonly number[];
  readonly before: Side;
  readonly next: Map<number, State | undefined>;
}

/** What stands beside a place, as far as an assertion asks. */
type Side = "nothing" | "word" | "other";

/** States are remembered, and forgotten all together when they become too many: a pattern can have more than anybody can hold. */
const MAX_KNOWN = 5_000;

/**
 * Follows all ways through a program at once, each place at most once for each character, so that no text and no pattern takes it
 * long; and remembers where the same places led with the same character.
 */
export function createAutomaton(program: readonly Instruction[], flags: PatternFlags): Automaton {
  const start = program.length - 1;
  const seen = new Uint32Array(program.length);
  const states = new Map<string, State>();
  let generation = 0;
  let known = 0;
  let work = 0;

  /** Where one gets to without a character; `undefined` where that is a match. */
  const spread = (
    { places, before }: State,
    after: Side,
  ): readonly Extract<Instruction, { kind: "take" }>[] | undefined => {
    generation++;
    const waiting = [...places, start];
    const takers: Extract<Instruction, { kind: "take" }>[] = [];
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
      // The same without what it remembers, or it would hold on to all of them.
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

  const isWide = flags === "u";
  return {
    work: () => work,
    isMatch(text) {
      let state = stateOf([], "nothing");
      for (let at = 0; at < text.length; at++) {
        const code = isWide ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);
        if (code > 0xffff) at++;
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

/** What to do at one place of a program; `next` and `other` are places. */
type Instruction =
  | { readonly kind: "take"; isTaken(code: number): boolean; readonly next: number }
  | { readonly kind: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly kind: "split"; readonly next: number; readonly other: number }
  | { readonly kind: "match" };

/** A repetition is written out as often as it may occur: a pattern that grows beyond this is none that anybody means. */
const MAX_INSTRUCTIONS = 400;

/** From the end of the text to its beginning, so that every instruction knows the next one. `undefined` for what is too large. */
export function compilePattern(tree: PatternNode, flags: PatternFlags): readonly Instruction[] | undefined {
  if (countInstructions(tree) > MAX_INSTRUCTIONS) return undefined;
  const program: Instruction[] = [{ kind: "match" }];
  const add = (instruction: Instruction): number => program.push(instruction) - 1;
  const write = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case "atom":
        return add({ kind: "take", isTaken: createTaker(node.source, flags), next });
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
  // Where a program begins is where its last instruction leads.
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

/** Whether one character is meant: asked of the language's own expressions, once for each, since letters have many cases. */
function createTaker(source: string, flags: PatternFlags): (code: number) => boolean {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const isTaken = expression.test(String.fromCodePoint(code));
    known.set(code, isTaken);
    return isTaken;
  };
}
