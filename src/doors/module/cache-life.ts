import type { JsonObject } from "../../core/json.ts";
import { isObject, objectField } from "../../core/json-fields.ts";
import { parseUsage } from "../../hosts/claude-code/parse-usage.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import type { Engine } from "./engine.ts";

/** How long what the client's requests leave in the prompt cache lives. */
export interface CacheLife {
  readonly isHour: boolean;
  /** The transcript has told; until then it is what the environment says. */
  readonly isTold: boolean;
}

/** The engine hands over no more than the whole file: one that is larger is not worth the time. */
const MOST_BYTES = 64 << 20;

/** After a pause between the two life times it decides whether a compaction costs a rewriting; never before. */
export function isLifeInDoubt({ isTold }: CacheLife, pauseMs: number): boolean {
  return !isTold && pauseMs > CACHE_LIFE_MS.short && pauseMs <= CACHE_LIFE_MS.long;
}

/**
 * The engine does not say how long the account's cache lives, and on a subscription no variable does either; the usage of the last answers tells, which the client writes into
 * its transcript. Where that cannot be read an hour is assumed: who takes a warm cache for a cold one pays for a rewriting, the other way round it is only put off.
 */
export async function readCacheLife($: Engine, transcript: string): Promise<CacheLife> {
  try {
    const { size } = await $.fs.stat(transcript);
    const isHour = size <= MOST_BYTES ? findLife(await $.fs.read(transcript)) : undefined;
    return { isHour: isHour ?? true, isTold: isHour !== undefined };
  } catch {
    return { isHour: true, isTold: false };
  }
}

/** What the last answer that wrote into the cache wrote for; `undefined` where none did. */
function findLife(transcript: string): boolean | undefined {
  for (let end = transcript.length; end > 0; ) {
    const start = transcript.lastIndexOf("\n", end - 1) + 1;
    const line = transcript.slice(start, end);
    end = start - 1;
    const usage = line.includes('"cache_creation"') ? readUsage(line) : undefined;
    if (usage === undefined) continue;
    const { cacheWrite5mTokens, cacheWrite1hTokens } = parseUsage(usage);
    if (cacheWrite5mTokens + cacheWrite1hTokens > 0) return cacheWrite1hTokens > cacheWrite5mTokens;
  }
  return undefined;
}

function readUsage(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry) || entry.type !== "assistant") return undefined;
    return objectField(objectField(entry, "message") ?? {}, "usage");
  } catch {
    return undefined;
  }
}
