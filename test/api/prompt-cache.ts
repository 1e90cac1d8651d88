import { createHash } from "node:crypto";
import { blocksOf, type ContentBlock, isRecord, type Message, type MessagesBody } from "./messages-body.ts";
import type { Usage } from "./scenario.ts";

/** English prose and code together come to about this many characters per token on the 4.x models. */
const CHARACTERS_PER_TOKEN = 3.2;

/** An image is billed by its pixels, not by its base64 text; this is about one of 1,000 by 1,200. */
const TOKENS_PER_IMAGE = 1500;

/** What the API itself adds around a prompt that ends on a cache breakpoint. */
const UNCACHED_TOKENS = 3;

const BILLING = '{"type":"text","text":"x-anthropic-billing-header:';

/** How long an entry lives after its last use; a breakpoint asks for five minutes unless it says otherwise. */
const FIVE_MINUTES_MS = 5 * 60_000;
const ONE_HOUR_MS = 60 * 60_000;

export interface ReportedUsage extends Usage {
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
}

/** What a tool, a block of the system prompt or a block of a message weighs; its place is `tool`, `system` or the message's role. */
export type Weigh = (place: string, value: Readonly<Record<string, unknown>>) => number;

export interface PromptCacheOptions {
  readonly scale: number;
  /** How a request's parts are weighed; by their characters and `scale` unless given. */
  readonly weigher?: (body: MessagesBody) => Weigh;
  /** Whether tools and system prompt expire like the rest. Not unless set: other sessions of the same client keep them warm. */
  readonly expiresWhole?: boolean;
  /** The clock by which entries expire; one that stands still, as it does unless given, keeps them all. */
  readonly nowMs?: () => number;
}

export interface PromptCache {
  /** Counts the request against everything counted before, and remembers it. */
  count(body: MessagesBody): ReportedUsage;
}

/** What one request left in the cache. */
interface Entry {
  readonly hashes: readonly string[];
  /** How many of them are tools and system prompt: other sessions of the same client keep those warm. */
  readonly systemLength: number;
  readonly expiresMs: number;
  /** How many of them stand up to the last breakpoint that asks for an hour. */
  readonly hourLength: number;
  readonly hourExpiresMs: number;
}

interface Segment {
  readonly hash: string;
  readonly tokens: number;
  /** The time to live that a breakpoint on this segment asks for; empty where there is none. */
  readonly ttl: string;
}

/**
 * A small simulation of the prompt cache: what an earlier request of the same model began with is read, the rest up
 * to the last breakpoint is written, what follows it is plain input. Of an expired entry the system prefix is left.
 */
export function createPromptCache({
  scale,
  nowMs = () => 0,
  weigher,
  expiresWhole = false,
}: PromptCacheOptions): PromptCache {
  const written = new Map<string, readonly Entry[]>();
  return {
    count(body) {
      const segments = segmentsOf(body, scale, weigher?.(body));
      const breakpoint = segments.findLastIndex((segment) => segment.ttl !== "") + 1;
      const cacheable = segments.slice(0, breakpoint);
      const earlier = written.get(body.model) ?? [];
      const atMs = nowMs();
      const shared = Math.max(0, ...earlier.map((entry) => sharedLength(hashesAt(entry, atMs), cacheable)));
      const hourLength = cacheable.findLastIndex((segment) => segment.ttl === "1h") + 1;
      if (breakpoint > 0) {
        const hashes = cacheable.map((segment) => segment.hash);
        const systemLength = expiresWhole ? 0 : Math.min(breakpoint, loadedTools(body).length + body.system.length);
        const [expiresMs, hourExpiresMs] = [atMs + FIVE_MINUTES_MS, atMs + ONE_HOUR_MS];
        written.set(body.model, [...earlier, { hashes, systemLength, expiresMs, hourLength, hourExpiresMs }]);
      }
      const forAnHour = sumTokens(cacheable.slice(shared, hourLength));
      const creation = sumTokens(cacheable.slice(shared));
      return {
        input_tokens: UNCACHED_TOKENS + sumTokens(segments.slice(breakpoint)),
        cache_creation_input_tokens: creation,
        cache_read_input_tokens: sumTokens(cacheable.slice(0, shared)),
        cache_creation: {
          ephemeral_5m_input_tokens: creation - forAnHour,
          ephemeral_1h_input_tokens: forAnHour,
        },
        output_tokens: 0,
      };
    },
  };
}

/** What of an entry can still be read. */
function hashesAt({ hashes, systemLength, expiresMs, hourLength, hourExpiresMs }: Entry, atMs: number) {
  if (atMs <= expiresMs) return hashes;
  return hashes.slice(0, atMs <= hourExpiresMs ? Math.max(hourLength, systemLength) : systemLength);
}

export function countTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** A tool that waits behind a search is no part of the prompt; what a search has found stands in the conversation instead. */
function loadedTools({ tools }: MessagesBody): MessagesBody["tools"] {
  return tools.filter((tool) => tool.defer_loading !== true);
}

/** The order in which the API itself hashes a prompt: tools, system, messages. */
function segmentsOf(body: MessagesBody, scale: number, weigh: Weigh | undefined): readonly Segment[] {
  const segmentOf = (place: string, value: Readonly<Record<string, unknown>>, factor: number): Segment => {
    const segment = renderSegment(place, value, factor);
    return weigh === undefined ? segment : { ...segment, tokens: Math.round(weigh(place, value)) };
  };
  return [
    ...loadedTools(body).map((tool) => segmentOf("tool", tool, 1)),
    ...body.system.map((block) => segmentOf("system", block, 1)),
    ...body.messages.flatMap((message) =>
      blocksOf(message.content).map((block) => segmentOf(message.role, block, isReminder(message, block) ? 1 : scale)),
    ),
  ];
}

function renderSegment(place: string, value: Readonly<Record<string, unknown>>, scale: number): Segment {
  let images = 0;
  const json = JSON.stringify(value, (key, field: unknown) => {
    if (key === "cache_control") return undefined;
    if (isRecord(field) && field.type === "image") {
      images += 1;
      return { type: "image", digest: digest(JSON.stringify(field.source ?? null)) };
    }
    return field;
  });
  const control = isRecord(value.cache_control) ? value.cache_control : null;
  // Names the client and the conversation, not the prompt: recorded requests read tools and system prompt from the cache
  // across sessions and across compactions, each of which changes this block before them.
  const isBilling = place === "system" && json.startsWith(BILLING);
  return {
    hash: digest(place + (isBilling ? BILLING : json)),
    tokens: Math.round(countTokens(json.length) * scale) + images * TOKENS_PER_IMAGE,
    ttl: control === null ? "" : String(control.ttl ?? "5m"),
  };
}

/** What the client adds by itself keeps its true size, so that a scaled session starts where a real one does. */
function isReminder(message: Message, block: ContentBlock): boolean {
  return message.role === "system" || String(block.text ?? "").startsWith("<system-reminder>");
}

function sharedLength(hashes: readonly string[], segments: readonly Segment[]): number {
  let length = 0;
  while (length < segments.length && hashes[length] === segments[length]?.hash) length += 1;
  return length;
}

function sumTokens(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.tokens, 0);
}

function digest(content: string): string {
  return createHash("sha256").update(content).digest("base64url");
}
