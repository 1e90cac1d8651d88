import type { Instruction } from "./compile-pattern.ts";
import type { Assertion, PatternFlags } from "./parse-pattern.ts";

/** Tells whether a text holds a match, in time that grows with its length and with nothing else. */
export interface Automaton {
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
