import { locateHome, nameSession } from "../../hosts/catalogue.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { listReceipts, readDeeds } from "../../recorded/read-deeds.ts";
import type { Terminal } from "./command.ts";

/** A receipt as the hooks or the module wrote it down while the session ran. */
export interface InjectionReceipt {
  readonly compaction: number;
  readonly atMs: number;
  readonly door: Deed["door"];
  readonly held: number;
  readonly paraphrased: number;
  readonly lost: readonly { readonly line: string; readonly isInjected: boolean }[];
  readonly landing: "landed" | "missing" | "unknown";
}

export function readLive(transcript: string, terminal: Terminal): readonly InjectionReceipt[] {
  const { deeds } = readDeeds(locateHome(terminal.environment), nameSession(transcript));
  return listReceipts(deeds).map(({ compaction, atMs, door, held, paraphrased, lost, landing }) => ({
    compaction,
    atMs,
    door,
    held,
    paraphrased,
    lost,
    landing,
  }));
}

const LANDINGS: Readonly<Record<InjectionReceipt["landing"], string>> = {
  landed: "seen to have landed",
  missing: "tried three times and not seen to have landed",
  unknown: "not yet seen to have landed",
};

/** Empty where nothing was written down. */
export function renderLiveReceipts(receipts: readonly InjectionReceipt[]): string {
  return receipts.map(renderLiveReceipt).join("\n\n");
}

function renderLiveReceipt({ compaction, door, held, paraphrased, lost, landing }: InjectionReceipt): string {
  const total = held + paraphrased + lost.length;
  const fate = lost.length === 0 ? "nothing had to be put back" : LANDINGS[landing];
  return [
    `Written down by the ${door} at compaction ${compaction}: ${lost.length} of ${total} facts lost; ${fate}`,
    ...lost.map(
      ({ line, isInjected }) => `  lost: ${line.replace(/^- /, "")} (${isInjected ? "put back" : "left out"})`,
    ),
  ].join("\n");
}
