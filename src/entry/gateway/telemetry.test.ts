/** If red: a collector learns what was said, or one that is away stops the gateway. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JournalEntry } from "./store/gateway-store.ts";
import { createTelemetry } from "./telemetry.ts";

const ENTRY: JournalEntry = {
  atMs: 1_700_000_000_123,
  session: "5e55",
  user: "purser",
  model: "claude-opus-5",
  route: "messages",
  status: 200,
  bytesIn: 10,
  bytesOut: 5,
  edits: 2,
  editsByLayer: {},
  dropped: 4,
  replayed: 3,
  tokensBefore: 100,
  tokensAfter: 40,
  planMs: 1.5,
  firstByteMs: 9,
  durationMs: 1000,
  incidents: ["budget", "store"],
  usage: { inputTokens: 1, cacheReadTokens: 20, cacheWrite5mTokens: 3, cacheWrite1hTokens: 40, outputTokens: 7 },
};

interface Heard {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

async function openCollector(): Promise<{ readonly heard: readonly Heard[]; readonly endpoint: string }> {
  const heard: Heard[] = [];
  const server = http.createServer((incoming, response) => {
    let text = "";
    incoming.on("data", (bytes) => {
      text += String(bytes);
    });
    incoming.on("end", () => {
      heard.push({ method: incoming.method, path: incoming.url, headers: incoming.headers, text });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { heard, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("telemetry", () => {
  it("is sent nowhere unless a collector is named", () => {
    expect(createTelemetry({})).toBeUndefined();
    expect(
      createTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" }),
    ).toBeUndefined();
  });

  it("tells of a request in the words of the conventions, and of nobody", async () => {
    const { heard, endpoint } = await openCollector();
    const telemetry = createTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: " x-key = a%20b ,x-other=c=d,broken,=empty",
    });
    telemetry?.record(ENTRY);
    await telemetry?.close();
    expect(heard).toMatchObject([{ method: "POST", path: "/v1/traces" }]);
    expect(heard[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "x-key": "a b",
      "x-other": "c=d",
    });
    const sent = JSON.parse(heard[0]?.text ?? "");
    const [span] = sent.resourceSpans[0].scopeSpans[0].spans;
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const whole = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
    const attributes = [
      text("gen_ai.operation.name", "chat"),
      text("gen_ai.provider.name", "anthropic"),
      text("gen_ai.request.model", "claude-opus-5"),
      text("gen_ai.conversation.id", "5e55"),
      whole("gen_ai.usage.input_tokens", 64),
      whole("gen_ai.usage.output_tokens", 7),
      whole("gen_ai.usage.cache_read.input_tokens", 20),
      whole("gen_ai.usage.cache_creation.input_tokens", 43),
      whole("http.response.status_code", 200),
      whole("plimsoll.edits", 2),
      whole("plimsoll.replayed", 3),
      whole("plimsoll.dropped", 4),
      whole("plimsoll.saved_tokens", 60),
      { key: "plimsoll.plan_ms", value: { doubleValue: 1.5 } },
      text("plimsoll.incidents", "budget,store"),
    ];
    const expected = {
      traceId: span.traceId,
      spanId: span.spanId,
      name: "chat claude-opus-5",
      kind: 3,
      startTimeUnixNano: "1700000000123000000",
      endTimeUnixNano: "1700000001123000000",
      status: {},
      attributes,
    };
    const resource = { attributes: [text("service.name", "plimsoll-gateway")] };
    const scopeSpans = [{ scope: { name: "plimsoll" }, spans: [expected] }];
    expect(sent).toEqual({ resourceSpans: [{ resource, scopeSpans }] });
    expect(heard[0]?.text).not.toContain("purser");
  });

  it.each<[Partial<JournalEntry>, string, object, Readonly<Record<string, unknown>>]>([
    [{ status: 399 }, "chat claude-opus-5", {}, { "error.type": undefined }],
    [{ status: 400 }, "chat claude-opus-5", { code: 2 }, { "error.type": "400" }],
    [{ status: 0, usage: undefined }, "chat claude-opus-5", { code: 2 }, { "gen_ai.usage.output_tokens": undefined }],
    [{ model: "", route: "responses" }, "chat", {}, { "gen_ai.provider.name": "openai" }],
    [{ route: "count_tokens" }, "count_tokens claude-opus-5", {}, { "gen_ai.operation.name": "count_tokens" }],
    [{ tokensAfter: 200 }, "chat claude-opus-5", {}, { "plimsoll.saved_tokens": "0" }],
  ])("tells of %j what it was", async (more, name, status, expected) => {
    const { heard, endpoint } = await openCollector();
    const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/own`, OTEL_SERVICE_NAME: "harbour" };
    const telemetry = createTelemetry({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    telemetry?.record({ ...ENTRY, ...more });
    await telemetry?.close();
    expect(heard).toMatchObject([{ path: "/own" }]);
    const [sent] = JSON.parse(heard[0]?.text ?? "").resourceSpans;
    expect(sent.resource.attributes[0].value).toEqual({ stringValue: "harbour" });
    const [span] = sent.scopeSpans[0].spans;
    expect(span).toMatchObject({ name, status });
    const told = new Map<string, unknown>(
      span.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
    );
    for (const [key, value] of Object.entries(expected)) expect([key, told.get(key)]).toEqual([key, value]);
  });

  it("sends every request once, every five seconds and at the end, and no more than two thousand at a time", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { heard, endpoint } = await openCollector();
    const telemetry = createTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    vi.advanceTimersByTime(5_000);
    for (let entry = 0; entry < 2_001; entry++) telemetry?.record({ ...ENTRY, model: "" });
    vi.advanceTimersByTime(4_999);
    vi.advanceTimersByTime(1);
    await expect.poll(() => heard.length).toBe(1);
    telemetry?.record(ENTRY);
    await telemetry?.close();
    await telemetry?.close();
    const counts = heard.map(({ text }) => text.match(/"traceId"/g)?.length);
    expect(counts).toEqual([2_000, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("lets a collector that is away be away", async () => {
    const telemetry = createTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    telemetry?.record(ENTRY);
    await expect(telemetry?.close()).resolves.toBeUndefined();
  });
});
