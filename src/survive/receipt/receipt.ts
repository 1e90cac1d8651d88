import type { SummaryDiff } from "./diff-summary.ts";
import type { Fact, LossMark } from "./fact.ts";
import type { Landing, Repair } from "./plan-repair.ts";

/** What a compaction lost, what was put back, and whether that was seen to arrive. Plain data, to be stored. */
export interface Receipt {
  readonly held: number;
  readonly paraphrased: number;
  readonly lost: readonly (Pick<Fact, "kind" | "text" | "request"> & {
    readonly mark: LossMark | undefined;
    /** `left out`: no room below the limit. */
    readonly repair: "injected" | "landed" | "missing" | "left out";
  })[];
  readonly injectedCharacters: number;
  readonly injected: string;
  /** `unchecked` until a later text was checked; `nothing` if nothing had to be put back. */
  readonly landing: "nothing" | "unchecked" | "landed" | "missing";
}

/** Without a landing, the receipt is of a repair that was not checked yet. */
export function createReceipt(diff: SummaryDiff, repair: Repair, landing?: Landing): Receipt {
  const leftOut = new Set(repair.leftOut);
  const missing = new Set(landing?.status === "missing" ? landing.missing : []);
  const follow = (fact: Fact): Receipt["lost"][number]["repair"] => {
    if (leftOut.has(fact)) return "left out";
    if (landing === undefined) return "injected";
    return missing.has(fact) ? "missing" : "landed";
  };
  return {
    held: diff.held.length,
    paraphrased: diff.paraphrased.length,
    lost: diff.lost.map(({ fact, mark }) => {
      const { kind, text, request } = fact;
      return { kind, text, request, mark, repair: follow(fact) };
    }),
    injectedCharacters: repair.text.length,
    injected: repair.text,
    landing: repair.text === "" ? "nothing" : (landing?.status ?? "unchecked"),
  };
}

const LANDINGS: Readonly<Record<Receipt["landing"], string>> = {
  nothing: "nothing was injected",
  unchecked: "not yet seen in a request",
  landed: "seen in a request",
  missing: "missing or incomplete in what was sent after the compaction",
};

/** `3 of 40 facts lost`, each with its mark and its repair, then the injection itself. */
export function renderReceipt({ held, paraphrased, lost, injected, injectedCharacters, landing }: Receipt): string {
  const total = held + paraphrased + lost.length;
  return [
    `${lost.length} of ${total} facts lost, ${held} kept, ${paraphrased} paraphrased`,
    ...lost.map(({ text, mark, repair, request }) => {
      const notes = [...(mark === undefined ? [] : [mark]), repair, `request ${request}`].join(", ");
      return `  lost: ${text.replace(/\s+/g, " ")} (${notes})`;
    }),
    `repair of ${injectedCharacters} characters: ${LANDINGS[landing]}`,
    ...(injected === "" ? [] : ["", injected]),
  ].join("\n");
}
