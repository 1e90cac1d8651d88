import { type JsonObject, objectField, parseObject, textField } from "../../core/json.ts";
import { quietly } from "../../core/quietly.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { parseUsage } from "../../wire/anthropic/parse-usage.ts";
import type { Machine } from "./machine.ts";

export interface CacheLife {
  readonly isHour: boolean;
  /** True if a setting or the transcript says so; before, it is a guess from the environment. */
  readonly isReported: boolean;
}

/** The last answers are there, if any are. */
const TAIL_BYTES = 4 << 20;

/** Only after a pause between the two life times does it decide whether a compaction costs a rewrite. */
export function isLifeInDoubt({ isReported }: CacheLife, pauseMs: number): boolean {
  return !isReported && pauseMs > CACHE_LIFE_MS.short && pauseMs <= CACHE_LIFE_MS.long;
}

/** A variable that is set to anything but an off value, as the client reads it. */
const isOn = (value: string | undefined): boolean => !/^(?:0|false|no|off|)$/i.test(value ?? "");

/**
 * The person's setting for the conversation, in the client's own order (seen in requests of 2.1.325): the short life for all, the
 * messages' own, which can only be the short one, then a variable and a setting for all. In `settings`, earlier ones take precedence.
 */
export function readSetLife(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly JsonObject[],
): CacheLife {
  const {
    FORCE_PROMPT_CACHING_5M: force,
    CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: messages,
    CLAUDE_CODE_PROMPT_CACHE_TTL: given,
    ENABLE_PROMPT_CACHING_1H: hour,
  } = env;
  if (isOn(force) || messages === "5m") return { isHour: false, isReported: true };
  const all = [given, ...settings.map((one) => textField(one, "promptCacheTtl"))];
  const life = all.find((value) => value === "5m" || value === "1h");
  return life === undefined ? { isHour: isOn(hour), isReported: false } : { isHour: life === "1h", isReported: true };
}

type Transcribed = Pick<Machine, "readEnd"> & { readonly transcript: string };

/**
 * The client does not report the account's cache life, and on a subscription no variable does either, so it
 * is read from the usage of the last answers in the transcript. If that cannot be read, an hour is assumed:
 * to take a warm cache for a cold one costs a rewrite, the opposite error only delays a compaction.
 */
export function readCacheLife({ transcript, readEnd }: Transcribed): CacheLife {
  const isHour = quietly(() => findLife(readEnd(transcript, TAIL_BYTES)), undefined);
  return { isHour: isHour ?? true, isReported: isHour !== undefined };
}

/** The life time of the last answer's cache writes; `undefined` if there were none. */
function findLife(transcript: string): boolean | undefined {
  // From its end, because the last answer is near it.
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
  const entry = parseObject(line);
  return entry.type === "assistant" ? objectField(objectField(entry, "message") ?? {}, "usage") : undefined;
}
