import type { Block } from "../core/message.ts";
import { type Atom, createAtomIndex, isEditLine, listNeededAtoms, readBlockText } from "./atoms.ts";
import type { ReplaySession } from "./session.ts";

/** Something that an answer used and that was in the conversation before. */
export interface Need {
  readonly atom: number;
  readonly isHot: boolean;
  readonly isEditLine: boolean;
}

export interface Needs {
  readonly bySteps: readonly (readonly Need[])[];
  readonly names: readonly string[];
  readonly index: (text: string) => Int32Array;
  atomsOf(block: Block): Int32Array;
  isRecorded(block: Block): boolean;
  /** The recorded blocks that hold an atom, oldest first, each with the request that first carried it. */
  readonly sources: readonly (readonly Source[])[];
}

export interface Source {
  readonly block: Block;
  readonly step: number;
}

const HOT_EXCHANGES = 3;
const NOTHING = new Int32Array(0);

export function findNeeds(session: ReplaySession): Needs {
  const wanted = session.steps.map(({ outputs }) => listNeededAtoms(outputs, session.root));
  const numbers = new Map<Atom, number>();
  for (const atoms of wanted) for (const atom of atoms) if (!numbers.has(atom)) numbers.set(atom, numbers.size);
  const index = createAtomIndex(numbers, session.root);
  const known = new Map<Block, Int32Array>();
  const sources: Source[][] = Array.from({ length: numbers.size }, () => []);
  const bySteps = session.steps.map(({ joined }, step) => {
    for (const block of joined.flatMap(({ blocks }) => blocks)) {
      const atoms = index(readBlockText(block));
      known.set(block, atoms);
      for (const atom of atoms) sources[atom]?.push({ block, step });
    }
    const needs: Need[] = [];
    for (const text of wanted[step] ?? []) {
      const atom = numbers.get(text) ?? -1;
      const last = sources[atom]?.at(-1);
      // Seen with this request or the two before it: the exchanges that the answer builds on.
      if (last) needs.push({ atom, isHot: step - last.step < HOT_EXCHANGES, isEditLine: isEditLine(text) });
    }
    return needs;
  });
  return {
    bySteps,
    names: [...numbers.keys()],
    index,
    sources,
    atomsOf: (block) => known.get(block) ?? NOTHING,
    isRecorded: (block) => known.has(block),
  };
}
