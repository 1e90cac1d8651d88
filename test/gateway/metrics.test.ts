/** If red: an operator sees wrong counts of requests, decisions or streams. */
import { rmSync, writeFileSync } from "node:fs";
import type http from "node:http";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHistogram } from "../../src/entry/gateway/metrics.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)]),
  );
}

const metric = async (url: string, name: string): Promise<number | undefined> =>
  (await readMetrics(url)).get(`plimsoll_gateway_${name}`);

describe("a histogram", () => {
  it("counts every time in all buckets that it is below, in seconds", () => {
    const histogram = createHistogram();
    for (const milliseconds of [0.4, 50, 51, 500_000]) histogram.observe(milliseconds);
    const lines = histogram.render("x", "help");
    expect(lines).toContain('x_bucket{le="0.0005"} 1');
    expect(lines).toContain('x_bucket{le="0.05"} 2');
    expect(lines).toContain('x_bucket{le="0.1"} 3');
    expect(lines).toContain('x_bucket{le="120"} 3');
    expect(lines).toContain('x_bucket{le="+Inf"} 4');
    expect(lines.slice(-2)).toEqual(["x_sum 500.1014", "x_count 4"]);
  });
});

describe("what the gateway tells of itself", () => {
  it("is requests by kind and status, decisions by layer, and what was not sent", async () => {
    const api = await openRawApi();
    const { url } = await openGateway(api.url);
    const body = renderBody(toolLoop(2, 300));
    await (await post(url, body)).text();
    await (await fetch(`${url}/v1/messages/count_tokens`, { method: "POST", body })).text();
    await (await fetch(`${url}/v1/models`)).text();
    await expect.poll(() => metric(url, 'requests_total{kind="count_tokens",status="200"}')).toBe(1);
    const printed = await readMetrics(url);
    const own = (name: string) => printed.get(`plimsoll_gateway_${name}`);
    expect(own('requests_total{kind="messages",status="200"}')).toBe(1);
    expect(own('passed_total{status="200"}')).toBe(1);
    expect(own('edits_total{layer="foldOutputs"}')).toBe(1);
    expect(own("saved_tokens_total")).toBeGreaterThan(1000);
    expect(own("saved_bytes_total")).toBe(body.length - (api.requests[0]?.body.length ?? 0));
    expect([own("sessions"), own("session_bytes")]).toEqual([1, body.length]);
    expect([own("plan_seconds_count"), own("first_byte_seconds_count")]).toEqual([2, 2]);
    expect(printed.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  });

  it("is what was decided after an overflow, with the bytes of what was sent in the end", async () => {
    const api = await openRawApi((_, response, index) =>
      index === 0
        ? response.writeHead(413).end('{"error":{"type":"request_too_large","message":"Request too large"}}')
        : response.end("{}"),
    );
    const gateway = await openGateway(api.url);
    const body = renderBody(toolLoop(12, 20));
    expect((await post(gateway.url, body)).status).toBe(200);
    await expect.poll(() => metric(gateway.url, "overflow_retries_total")).toBe(1);
    await expect.poll(() => gateway.totals().edits).toBeGreaterThan(0);
    expect(gateway.totals().savedBytes).toBe(body.length - (api.requests[1]?.body.length ?? 0));
  });

  it("is the streams under way, until they end", async () => {
    const held: http.ServerResponse[] = [];
    const api = await openRawApi((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("event: ping\ndata: {}\n\n");
      held.push(response);
    });
    const { url } = await openGateway(api.url);
    const answers = await Promise.all([1, 2].map(() => post(url, renderBody(toolLoop(0, 0), { stream: true }))));
    expect([await metric(url, "active_streams"), await metric(url, "active_requests")]).toEqual([2, 2]);
    held[0]?.end();
    await expect.poll(() => metric(url, "active_streams")).toBe(1);
    held[1]?.destroy();
    await expect.poll(() => metric(url, "active_streams")).toBe(0);
    await expect.poll(() => metric(url, "active_requests")).toBe(0);
    await Promise.all(answers.map((answer) => answer.text().catch(() => undefined)));
  });

  it("is where its store fails, and how much it could not write", async () => {
    const api = await openRawApi();
    const { url, folder } = await openGateway(api.url);
    for (const name of ["sessions", "journal"]) {
      rmSync(path.join(folder, name), { recursive: true, force: true });
      writeFileSync(path.join(folder, name), "in the way");
    }
    await (await post(url, renderBody(toolLoop(2, 300)))).text();
    expect(await metric(url, 'incidents_total{cause="away"}')).toBe(1);
    const printed = await readMetrics(url);
    const errors = [...printed].filter(([name]) => name.startsWith("plimsoll_gateway_store_errors_total{operation="));
    expect(errors).not.toEqual([]);
    await expect.poll(() => metric(url, "store_lost_total")).toBeGreaterThan(0);
  });
});
