import { type Block, computeOnce } from "../core/message.ts";
import { findHandles, findOwnHandle } from "../fold/marker.ts";
import { renderOriginal } from "../layers/history/originals.ts";
import { parseSections } from "../layers/ledger/sections.ts";
import { readBlockText } from "./atoms.ts";
import type { Needs } from "./needs.ts";

export type Whereabouts =
  /** `isRestated` if only a replacement text by a policy or a summary holds it. */
  | { readonly kind: "retained"; readonly isRestated: boolean }
  /** In a stored original whose handle is in the view. */
  | { readonly kind: "recoverable"; readonly block: Block; readonly isCharged: boolean }
  /** Nowhere; `isFatal` if it cannot be read again because a person or the model said it. */
  | { readonly kind: "lost"; readonly block: Block; readonly isCharged: boolean; readonly isFatal: boolean };

export type Holding = ReturnType<typeof createHolding>;

/** Fetched content stays available for this many requests. */
const FETCHED_STEPS = 20;

export function createHolding(needs: Needs) {
  const carriers = new Int32Array(needs.sources.length);
  const recordedCarriers = new Int32Array(needs.sources.length);
  const handlesInView = new Map<string, number>();
  const stored = new Map<string, Set<string>>();
  const texts = new Map<string, string>();
  let isOpen = false;
  const fetched = new Map<Block, number>();

  /** A replacement is read when it first appears. */
  const read = computeOnce((block: Block) => {
    const own = needs.atomsOf(block);
    if (own.length > 0 || needs.isRecorded(block)) return { atoms: own, handles: [] };
    const text = readBlockText(block);
    return { atoms: needs.index(text), handles: findHandles(text) };
  });
  const change = (block: Block, by: 1 | -1): void => {
    const { atoms, handles: named } = read(block);
    const isRecorded = needs.isRecorded(block);
    for (const atom of atoms) {
      carriers[atom] = (carriers[atom] ?? 0) + by;
      if (isRecorded) recordedCarriers[atom] = (recordedCarriers[atom] ?? 0) + by;
    }
    for (const handle of named) handlesInView.set(handle, (handlesInView.get(handle) ?? 0) + by);
  };
  /** Whether the view names the handle of a block's original and the store returns that very text. */
  const isFetchable = (block: Block): boolean => {
    if (isOpen) return true;
    const names = stored.get(renderOriginal(block) ?? "");
    if (names) for (const name of names) if ((handlesInView.get(name) ?? 0) > 0) return true;
    return false;
  };
  const keep = (handle: string, text: string): void => {
    const names = stored.get(text) ?? new Set();
    stored.set(text, names.add(handle));
  };
  const charge = (block: Block, step: number): boolean => {
    const last = fetched.get(block);
    if (last !== undefined && step - last < FETCHED_STEPS) return false;
    fetched.set(block, step);
    return true;
  };

  return {
    enter: (block: Block): void => change(block, 1),
    leave: (block: Block): void => change(block, -1),
    store(handle: string, text: string): void {
      const sections = parseSections(text);
      if (!sections) texts.set(handle, text);
      for (const section of sections?.values() ?? [text]) {
        // A recall of a folded result gives its original, not the preview.
        const folded = texts.get(findOwnHandle(section) ?? "");
        for (const kept of folded === undefined ? [section] : [section, folded]) keep(handle, kept);
      }
    },
    /** From now on everything can be fetched, whatever the view names. */
    openAll: (): void => {
      isOpen = true;
    },
    look(atom: number, step: number): Whereabouts {
      if ((carriers[atom] ?? 0) > 0) return { kind: "retained", isRestated: (recordedCarriers[atom] ?? 0) === 0 };
      const sources = (needs.sources[atom] ?? []).filter((source) => source.step <= step).map(({ block }) => block);
      const fetchable = sources.filter(isFetchable);
      const atHand = fetchable.find((block) => step - (fetched.get(block) ?? Number.NEGATIVE_INFINITY) < FETCHED_STEPS);
      const chosen = atHand ?? fetchable.at(-1);
      if (chosen) return { kind: "recoverable", block: chosen, isCharged: charge(chosen, step) };
      const again = sources.findLast(isReadable);
      const block = again ?? sources.at(-1);
      if (!block) return { kind: "retained", isRestated: false };
      return { kind: "lost", block, isCharged: charge(block, step), isFatal: again === undefined };
    },
  };
}

/** A tool can be called again; what a person or the model said cannot be repeated. */
function isReadable(block: Block): boolean {
  return block.kind !== "text" || block.author === "host";
}
