import { randomBytes } from "node:crypto";
import type { Environment } from "../../hosts/host.ts";
import type { JournalEntry } from "./store/gateway-store.ts";

/** Reports every request to a collector, by OpenTelemetry's conventions for generative AI. No contents, no names of people. */
export interface Telemetry {
  record(entry: JournalEntry): void;
  close(): Promise<void>;
}

const EVERY_MS = 5_000;
const TIMEOUT_MS = 5_000;
const MAX_WAITING = 2_000;
const SPAN_KIND_CLIENT = 3;
const STATUS_ERROR = 2;

/** `undefined` unless `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector: nothing is sent by default. */
export function createTelemetry(environment: Environment): Telemetry | undefined {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/$/, "")}/v1/traces`);
  if (!url || environment.OTEL_SDK_DISABLED === "true") return undefined;
  const headers = parseHeaders(environment.OTEL_EXPORTER_OTLP_HEADERS ?? "");
  const service = environment.OTEL_SERVICE_NAME || "plimsoll-gateway";
  let waiting: object[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const resource = { attributes: renderAttributes({ "service.name": service }) };
    const scopeSpans = [{ scope: { name: "plimsoll" }, spans: waiting }];
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
    waiting = [];
    // What is sent while the collector is away is lost; the journal has it.
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
  };
  const timer = setInterval(() => void flush(), EVERY_MS).unref();
  return {
    record(entry) {
      if (waiting.length < MAX_WAITING) waiting.push(renderSpan(entry));
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function renderSpan(entry: JournalEntry): object {
  const { usage, status } = entry;
  const operation = entry.route === "count_tokens" ? entry.route : "chat";
  const isFailed = status === 0 || status >= 400;
  const written = usage ? usage.cacheWrite5mTokens + usage.cacheWrite1hTokens : 0;
  return {
    traceId: randomBytes(16).toString("hex"),
    spanId: randomBytes(8).toString("hex"),
    name: `${operation} ${entry.model}`.trim(),
    kind: SPAN_KIND_CLIENT,
    startTimeUnixNano: toNanoseconds(entry.atMs),
    endTimeUnixNano: toNanoseconds(entry.atMs + entry.durationMs),
    status: isFailed ? { code: STATUS_ERROR } : {},
    attributes: renderAttributes({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": entry.route === "responses" ? "openai" : "anthropic",
      "gen_ai.request.model": entry.model,
      "gen_ai.conversation.id": entry.session,
      ...(usage
        ? {
            "gen_ai.usage.input_tokens": usage.inputTokens + usage.cacheReadTokens + written,
            "gen_ai.usage.output_tokens": usage.outputTokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
            "gen_ai.usage.cache_creation.input_tokens": written,
          }
        : {}),
      ...(isFailed ? { "error.type": String(status) } : {}),
      "http.response.status_code": status,
      "plimsoll.edits": entry.edits,
      "plimsoll.replayed": entry.replayed,
      "plimsoll.dropped": entry.dropped,
      "plimsoll.saved_tokens": Math.max(0, entry.tokensBefore - entry.tokensAfter),
      "plimsoll.plan_ms": entry.planMs,
      "plimsoll.incidents": entry.incidents.join(","),
    }),
  };
}

function renderAttributes(values: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === "string") return { key, value: { stringValue: value } };
    return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
  });
}

/** A string, because the value exceeds a number's precision. */
function toNanoseconds(atMs: number): string {
  return String(BigInt(Math.round(atMs * 1000)) * 1000n);
}

/** `key=value,key2=value2`, percent-encoded. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at > 0 ? [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const] : [];
    }),
  );
}
