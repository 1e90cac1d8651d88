/** If red: a collector learns what was said, or one that is away stops the gateway. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
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
  dropped: 0,
  replayed: 3,
  tokensBefore: 100,
  tokensAfter: 40,
  planMs: 1.5,
  firstByteMs: 9,
  durationMs: 1000,
  incidents: [],
  usage: { inputTokens: 1, cacheReadTokens: 20, cacheWrite5mTokens: 3, cacheWrite1hTokens: 0, outputTokens: 7 },
};

describe("telemetry", () => {
  it("is sent nowhere unless a collector is named", () => {
    expect(createTelemetry({})).toBeUndefined();
    expect(
      createTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" }),
    ).toBeUndefined();
  });

  it("tells of a request in the words of the conventions, and of nobody", async () => {
    const heard: { path: string; key: unknown; text: string }[] = [];
    const server = http.createServer((incoming, response) => {
      let text = "";
      incoming.on("data", (bytes) => {
        text += String(bytes);
      });
      incoming.on("end", () => {
        heard.push({ path: incoming.url ?? "", key: incoming.headers["x-key"], text });
        response.end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const telemetry = createTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
    });
    telemetry?.record(ENTRY);
    telemetry?.record({ ...ENTRY, status: 529, usage: undefined });
    await telemetry?.close();
    server.close();
    expect(heard).toMatchObject([{ path: "/v1/traces", key: "a b" }]);
    const [resource] = JSON.parse(heard[0]?.text ?? "").resourceSpans;
    expect(resource.resource.attributes).toEqual([{ key: "service.name", value: { stringValue: "plimsoll-gateway" } }]);
    const [span, failed] = resource.scopeSpans[0].spans;
    expect(span).toMatchObject({
      name: "chat claude-opus-5",
      kind: 3,
      startTimeUnixNano: "1700000000123000000",
      endTimeUnixNano: "1700000001123000000",
    });
    expect(span.attributes).toContainEqual({ key: "gen_ai.usage.input_tokens", value: { intValue: "24" } });
    expect(span.attributes).toContainEqual({ key: "plimsoll.saved_tokens", value: { intValue: "60" } });
    expect(failed.status).toEqual({ code: 2 });
    expect(heard[0]?.text).not.toContain("purser");
  });

  it("lets a collector that is away be away", async () => {
    const telemetry = createTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    telemetry?.record(ENTRY);
    await expect(telemetry?.close()).resolves.toBeUndefined();
  });
});
