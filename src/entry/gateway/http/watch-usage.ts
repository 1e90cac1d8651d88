import type { Transform } from "node:stream";
import { isObject, type JsonObject, objectField, parseJson } from "../../../core/json.ts";
import type { Usage } from "../../../core/usage.ts";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import type { WireAnswers } from "../wire.ts";
import { isPlain, openCoding } from "./decode-body.ts";

/** Reads the usage from an answer as it passes, without delaying or changing it. */
export interface UsageWatch {
  feed(chunk: Buffer): void;
  /** The answer is over. `tell` receives its usage, or `undefined` if it had none. */
  end(report: (usage: Usage | undefined) => void): void;
}

type UsageAnswers = Pick<WireAnswers, "parseUsage" | "usageEvents">;
type Answer = Readonly<Record<"contentType" | "contentEncoding", string>>;

/** Longer answers are not read: an answer has no more than a few hundred thousand characters. */
const MAX_BYTES = 8 * 1024 * 1024;

export function createUsageWatch({ contentType, contentEncoding }: Answer, answers: UsageAnswers): UsageWatch {
  const reader = contentType.includes("text/event-stream") ? createEventReader(answers) : createWholeReader(answers);
  const decoder = openCoding(contentEncoding);
  if (decoder) return watchDecoded(decoder, reader);
  const feed = isPlain(contentEncoding) ? reader.feed : () => undefined;
  return { feed, end: (report) => report(reader.read()) };
}

interface Reader extends Pick<UsageWatch, "feed"> {
  read(): Usage | undefined;
}

const LINE_FEED = 0x0a;

function createEventReader({ usageEvents, parseUsage }: UsageAnswers): Reader {
  const parser = createSseParser();
  const signs = [...usageEvents].map((name) => Buffer.from(name));
  let isBetweenFrames = true;
  let usage: JsonObject | undefined;
  return {
    feed(chunk) {
      const wasBetween = isBetweenFrames;
      isBetweenFrames = chunk[chunk.length - 1] === LINE_FEED && chunk[chunk.length - 2] === LINE_FEED;
      // Most of an answer is text: whole frames without a sign of usage need not be parsed.
      if (wasBetween && isBetweenFrames && !signs.some((sign) => chunk.includes(sign))) return;
      for (const { event, data } of parser.feed(chunk)) {
        if (data === undefined || !usageEvents.has(event)) continue;
        const found = findUsage(parseJson(data));
        // A figure that is zero in a delta was given at the start.
        if (found) usage = { ...usage, ...Object.fromEntries(Object.entries(found).filter(([, value]) => value)) };
      }
    },
    read: () => usage && parseUsage(usage),
  };
}

function createWholeReader({ parseUsage }: UsageAnswers): Reader {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    feed(chunk) {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    },
    read() {
      const usage = bytes <= MAX_BYTES ? findUsage(parseJson(Buffer.concat(chunks).toString("utf8"))) : undefined;
      return usage && parseUsage(usage);
    },
  };
}

function findUsage(value: unknown): JsonObject | undefined {
  const answer = isObject(value) ? value : {};
  const places = [answer, objectField(answer, "message") ?? {}, objectField(answer, "response") ?? {}];
  return places.map((place) => objectField(place, "usage")).find((usage) => usage !== undefined);
}

function watchDecoded(decoder: Transform, reader: Reader): UsageWatch {
  let isBroken = false;
  decoder.on("data", (chunk: Buffer) => reader.feed(chunk));
  decoder.on("error", () => {
    isBroken = true;
  });
  return {
    feed: (chunk) => {
      if (!isBroken) decoder.write(chunk);
    },
    end: (report) => {
      if (isBroken) return report(reader.read());
      decoder.once("close", () => report(reader.read()));
      decoder.end();
    },
  };
}
