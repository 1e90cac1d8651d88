import { hashText } from "../../core/hash.ts";
import type { Block } from "../../core/message.ts";
import { renderOriginal } from "../history/originals.ts";
import type { KnownCall } from "../history/vocabulary.ts";
import type { Freshness, StaleFinding } from "./finding.ts";

/** Results that say word for word what a later one of the same call says; the newest stays. */
export function findDuplicates(calls: readonly KnownCall[], { freshFrom }: Freshness): readonly StaleFinding[] {
  const repeated = collectRepeatedCalls(calls);
  const findings: StaleFinding[] = [];
  const seen = new Map<string, { readonly text: string; readonly result: Block }>();
  for (const { call, result, exchange, message } of [...calls].reverse()) {
    const key = call && repeated.get(call.id);
    if (!result || result.isError || key === undefined) continue;
    const text = renderOriginal(result) ?? "";
    const answer = `${key}:${hashText(text)}`;
    // Hashes of 64 bits are for finding; what is cleared is compared.
    const later = seen.get(answer);
    if (later?.text === text && exchange < freshFrom)
      findings.push({ block: result.id, message, why: "said again word for word below", because: [later.result] });
    if (!later) seen.set(answer, { text, result });
  }
  return findings.reverse();
}

/** Keys of calls made more than once, by block: only their results are worth comparing. */
function collectRepeatedCalls(calls: readonly KnownCall[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const times = new Map<string, number>();
  for (const { call } of calls) {
    if (!call) continue;
    const key = `${call.tool} ${JSON.stringify(call.input)}`;
    keys.set(call.id, key);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return new Map([...keys].filter(([, key]) => (times.get(key) ?? 0) > 1));
}
