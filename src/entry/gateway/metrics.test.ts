/** If red: dashboards of an operator show savings below zero, or lack a counter from the start. */
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { JournalEntry } from "./store/gateway-store.ts";

const FIGURES = { slicesWaiting: 3, memoryWaiting: 4, sessions: 5, bytes: 6 };
const open = (): Metrics =>
  createMetrics(
    () => FIGURES,
    () => 7,
  );

const ENTRY: JournalEntry = {
  atMs: 0,
  session: "s",
  user: "",
  model: "claude-sonnet-4-6",
  route: "messages",
  status: 200,
  bytesIn: 1000,
  bytesOut: 400,
  edits: 3,
  editsByLayer: { foldOutputs: 2, collapseExchanges: 1 },
  replayed: 1,
  dropped: 2,
  tokensBefore: 300,
  tokensAfter: 100,
  planMs: 4,
  firstByteMs: 700,
  durationMs: 900,
  incidents: ["budget"],
  usage: { inputTokens: 1, cacheReadTokens: 20, cacheWrite5mTokens: 300, cacheWrite1hTokens: 4000, outputTokens: 50 },
};

/** What a scrape reads, without the figures of the process. */
function scrape(metrics: Metrics): readonly string[] {
  const lines = metrics.render().split("\n");
  return lines.filter((line) => line !== "" && !/^#|process_|event_loop|_bucket/.test(line));
}

describe("the metrics", () => {
  it("begin with what never has a label, at zero", () => {
    const zero =
      "edited dropped saved_tokens saved_bytes overflow_retries upstream_errors client_aborts compactions_answered recalls";
    const gauges = [
      "active_requests 0",
      "active_streams 0",
      "memory_waiting 4",
      "slices_waiting 3",
      "sessions 5",
      "session_bytes 6",
      "store_lost_total 7",
    ];
    const times = [
      "plan_seconds_sum 0",
      "plan_seconds_count 0",
      "first_byte_seconds_sum 0",
      "first_byte_seconds_count 0",
    ];
    const counters = zero.split(" ").map((name) => `${name}_total 0`);
    expect([...scrape(open())].sort()).toEqual(
      [...counters, ...gauges, ...times].map((line) => `plimsoll_gateway_${line}`).sort(),
    );
  });

  it("count a request by everything that it was", () => {
    const metrics = open();
    metrics.count(ENTRY);
    metrics.count({ ...ENTRY, status: 0, incidents: [], usage: undefined, firstByteMs: 0 });
    const before = scrape(open());
    const counted = scrape(metrics).filter((line) => !before.includes(line));
    expect(counted.map((line) => line.replace("plimsoll_gateway_", ""))).toEqual([
      'requests_total{kind="messages",status="200"} 1',
      'requests_total{kind="messages",status="0"} 1',
      "edited_total 2",
      'edits_total{layer="foldOutputs"} 4',
      'edits_total{layer="collapseExchanges"} 2',
      "dropped_total 4",
      "saved_tokens_total 400",
      "saved_bytes_total 1200",
      'incidents_total{cause="budget"} 1',
      'tokens_total{kind="input"} 1',
      'tokens_total{kind="cache_read"} 20',
      'tokens_total{kind="cache_write"} 4300',
      'tokens_total{kind="output"} 50',
      "plan_seconds_sum 0.008",
      "plan_seconds_count 2",
      "first_byte_seconds_sum 0.7",
      "first_byte_seconds_count 1",
    ]);
    expect(metrics.totals()).toEqual({
      requests: 2,
      edited: 2,
      edits: 6,
      dropped: 4,
      savedTokens: 400,
      savedBytes: 1200,
      incidents: 1,
      retries: 0,
      recalls: 0,
      failed: 0,
    });
  });

  it("put each time into the first bucket that holds it and into all larger ones", () => {
    const metrics = open();
    for (const planMs of [1, 1.1, 300_000]) metrics.count({ ...ENTRY, planMs });
    const buckets = [...metrics.render().matchAll(/_plan_seconds_bucket\{le="(.+)"\} (\d)/g)];
    const counted = Object.fromEntries(buckets.map(([, limit = "", count]) => [limit, Number(count)]));
    expect(counted).toMatchObject({ "0.0005": 0, "0.001": 1, "0.002": 2, "120": 2, "+Inf": 3 });
  });

  it("have buckets from the plan of a small request to a large model's thinking, for both times", () => {
    const limits = [
      "0.0005",
      "0.001",
      "0.002",
      "0.005",
      "0.01",
      "0.025",
      "0.05",
      "0.1",
      "0.25",
      "0.5",
      "1",
      "2.5",
      "5",
    ];
    const text = open().render();
    for (const time of ["plan", "first_byte"]) {
      const buckets = [
        ...text.matchAll(new RegExp(`^plimsoll_gateway_${time}_seconds_bucket\\{le="(.+)"\\} 0$`, "gm")),
      ];
      expect(buckets.map(([, limit]) => limit)).toEqual([...limits, "10", "30", "60", "120", "+Inf"]);
      expect(text).toContain(`# TYPE plimsoll_gateway_${time}_seconds histogram\n`);
    }
  });

  it("count neither an unchanged request nor a token count as shortened", () => {
    const metrics = open();
    metrics.count({ ...ENTRY, bytesOut: ENTRY.bytesIn });
    metrics.count({ ...ENTRY, route: "count_tokens" });
    expect(metrics.totals()).toMatchObject({ requests: 2, edited: 0, savedBytes: 0, savedTokens: 0 });
  });

  it("never count a request that became longer as a saving below zero", () => {
    const metrics = open();
    metrics.count({ ...ENTRY, bytesOut: 2000, tokensAfter: 500 });
    expect(metrics.totals()).toMatchObject({ edited: 1, savedBytes: 0, savedTokens: 0 });
  });

  it("add what has no entry, and know what goes on now", () => {
    const metrics = open();
    metrics.add("recalls", "", 2);
    metrics.add("overflow_retries");
    metrics.add("upstream_errors");
    metrics.shift("active_streams", 1);
    metrics.shift("active_requests", 1);
    metrics.shift("active_requests", 1);
    metrics.shift("active_requests", -1);
    expect(metrics.totals()).toMatchObject({ recalls: 2, retries: 1, failed: 1 });
    expect(scrape(metrics)).toContain("plimsoll_gateway_active_streams 1");
    expect(scrape(metrics)).toContain("plimsoll_gateway_active_requests 1");
  });

  it("say of each what it is and of which type, and of the process what dashboards look for", () => {
    const text = open().render();
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({ name, type }));
    for (const { name, type } of names) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} [A-Z].*\\.$`, "m"));
      expect(type).toBe(
        name.endsWith("_total")
          ? "counter"
          : name.startsWith("plimsoll") && name.endsWith("_seconds")
            ? "histogram"
            : type,
      );
    }
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^plimsoll_gateway_event_loop_active_seconds_total \d/m);
    const { user, system } = process.cpuUsage();
    const [, cpu] = /^process_cpu_seconds_total (\S+)$/m.exec(text) ?? [];
    expect(Number(cpu)).toBeLessThanOrEqual((user + system) / 1e6);
    const [, active] = /^plimsoll_gateway_event_loop_active_seconds_total (\S+)$/m.exec(text) ?? [];
    expect(Number(active)).toBeLessThanOrEqual(performance.eventLoopUtilization().active / 1000);
    const [, started] = /^process_start_time_seconds (\S+)$/m.exec(text) ?? [];
    expect(Math.abs(Number(started) - performance.timeOrigin / 1000)).toBeLessThan(1);
    expect(text.endsWith("\n")).toBe(true);
  });
});
