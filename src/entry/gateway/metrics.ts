import { performance } from "node:perf_hooks";
import type { ReaderFigures } from "./reader.ts";
import type { JournalEntry } from "./store/gateway-store.ts";

export interface Metrics {
  count(entry: JournalEntry): void;
  /** Counts something that has no entry. `labels` as they appear between the braces. */
  add(name: CounterName, labels?: string, by?: number): void;
  /** Begins or ends something that lasts. */
  shift(name: keyof Gauges, change: 1 | -1): void;
  totals(): Totals;
  render(): string;
}

export interface Totals {
  readonly requests: number;
  readonly edited: number;
  readonly edits: number;
  readonly dropped: number;
  readonly savedTokens: number;
  readonly savedBytes: number;
  readonly incidents: number;
  readonly retries: number;
  readonly recalls: number;
  /** How often the upstream could not be reached, or broke off. */
  readonly failed: number;
}

type CounterName = keyof typeof COUNTERS;

const COUNTERS = {
  requests: "Message requests, by kind and status. Status 0 means that there was no answer.",
  passed: "Requests to other routes that were passed through, by status.",
  edited: "Message requests that were shortened.",
  edits: "New decisions to shorten a request, by layer.",
  dropped:
    "Earlier decisions that no longer applied because the content had changed. Each is counted again at every request.",
  saved_tokens: "Estimated tokens that were not sent, over all requests.",
  saved_bytes: "Bytes that were not sent, over all requests.",
  incidents: "Gateway failures where the request was forwarded unchanged, by cause.",
  unread: "Message requests sent unchanged because their body could not be read, by reason.",
  overflow_retries: "Requests that were shortened and sent again because the API rejected them as too long.",
  upstream_errors: "Connections to the upstream that failed.",
  client_aborts: "Clients that disconnected before their answer was complete.",
  refused: "Requests that the gateway refused, by reason.",
  compactions_answered: "Compaction requests that the gateway answered without a model.",
  recalls: "Recall calls that the gateway answered.",
  store_errors: "Store operations that failed, by operation.",
  tokens: "Tokens that the API has counted, by kind.",
} as const;

/** Without an initial sample these would be absent from a graph until they first count. */
const UNLABELLED: readonly string[] =
  `edited dropped saved_tokens saved_bytes overflow_retries upstream_errors client_aborts compactions_answered
  recalls`.split(/\s+/);

interface Gauges {
  active_requests: number;
  active_streams: number;
}

const PREFIX = "plimsoll_gateway_";
const PLAN = "Time from the complete body to deciding what to shorten.";
const FIRST_BYTE = "Time from the decision on what to shorten until the upstream begins to answer.";

/** Prometheus' text format, by hand: two dozen numbers need no library. `lost` counts facts and journal entries that could not be written. */
export function createMetrics(readFigures: () => ReaderFigures, lost: () => number): Metrics {
  const counters = new Map(UNLABELLED.map((name) => [`${PREFIX}${name}_total`, 0]));
  const gauges: Gauges = { active_requests: 0, active_streams: 0 };
  const [plan, firstByte] = [createHistogram(), createHistogram()];
  const add: Metrics["add"] = (name, labels = "", by = 1) => {
    const key = `${PREFIX}${name}_total${labels === "" ? "" : `{${labels}}`}`;
    counters.set(key, (counters.get(key) ?? 0) + by);
  };
  const list = (name: string): readonly Sample[] => {
    const full = `${PREFIX}${name}_total`;
    return [...counters].filter(([key]) => key === full || key.startsWith(`${full}{`));
  };
  const sum = (name: CounterName): number => list(name).reduce((total, [, value]) => total + value, 0);
  return {
    add,
    shift(name, change) {
      gauges[name] += change;
    },
    count(entry) {
      plan.observe(entry.planMs);
      if (entry.firstByteMs > 0) firstByte.observe(entry.firstByteMs);
      addEntry(add, entry);
    },
    totals: () => ({
      requests: sum("requests"),
      edited: sum("edited"),
      edits: sum("edits"),
      dropped: sum("dropped"),
      savedTokens: sum("saved_tokens"),
      savedBytes: sum("saved_bytes"),
      incidents: sum("incidents"),
      retries: sum("overflow_retries"),
      recalls: sum("recalls"),
      failed: sum("upstream_errors"),
    }),
    render: () =>
      [
        ...Object.entries(COUNTERS).flatMap(([name, help]) =>
          renderSamples([`${PREFIX}${name}_total`, "counter", help], list(name)),
        ),
        ...listFigures(gauges, readFigures(), lost()).flatMap(([head, value]) =>
          renderSamples(head, [[head[0], value]]),
        ),
        ...plan.render(`${PREFIX}plan_seconds`, PLAN),
        ...firstByte.render(`${PREFIX}first_byte_seconds`, FIRST_BYTE),
        "",
      ].join("\n"),
  };
}

type Head = readonly [name: string, type: "gauge" | "counter" | "histogram", help: string];
type Sample = readonly [key: string, value: number];

function renderSamples([name, type, help]: Head, samples: readonly Sample[]): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([key, value]) => `${key} ${value}`)];
}

function addEntry(add: Metrics["add"], entry: JournalEntry): void {
  add("requests", `kind="${entry.route}",status="${entry.status}"`);
  // A token count is about a request that is sent later: it saves nothing by itself.
  if (entry.bytesOut !== entry.bytesIn && entry.route !== "count_tokens") {
    add("edited");
    add("saved_bytes", "", Math.max(0, entry.bytesIn - entry.bytesOut));
    add("saved_tokens", "", Math.max(0, entry.tokensBefore - entry.tokensAfter));
  }
  for (const [layer, edits] of Object.entries(entry.editsByLayer)) add("edits", `layer="${layer}"`, edits);
  if (entry.dropped > 0) add("dropped", "", entry.dropped);
  for (const incident of entry.incidents) add("incidents", `cause="${incident}"`);
  const { usage } = entry;
  if (!usage) return;
  add("tokens", 'kind="input"', usage.inputTokens);
  add("tokens", 'kind="cache_read"', usage.cacheReadTokens);
  add("tokens", 'kind="cache_write"', usage.cacheWrite5mTokens + usage.cacheWrite1hTokens);
  add("tokens", 'kind="output"', usage.outputTokens);
}

/** What is read at each scrape. Load of the process itself is under the names that dashboards know. */
function listFigures(gauges: Gauges, known: ReaderFigures, lost: number): readonly (readonly [Head, number])[] {
  const own = (name: string, help: string): Head => [`${PREFIX}${name}`, "gauge", help];
  const { user, system } = process.cpuUsage();
  // One thread serves everyone, so its utilisation shows how full the instance is.
  const active = performance.eventLoopUtilization().active / 1000;
  const busy = "Time that the serving thread was busy; a rate of 1 means that the instance is saturated.";
  const waiting = "Parsing and planning tasks that are waiting for other tasks to finish.";
  return [
    [own("active_requests", "Requests in progress."), gauges.active_requests],
    [own("active_streams", "Answers that are being streamed."), gauges.active_streams],
    [own("memory_waiting", "Request bodies that are waiting for memory."), known.memoryWaiting],
    [own("slices_waiting", waiting), known.slicesWaiting],
    [own("sessions", "Conversations that this instance remembers."), known.sessions],
    [own("session_bytes", "Size of the remembered bodies in bytes."), known.bytes],
    [[`${PREFIX}store_lost_total`, "counter", "Facts and journal entries that could not be written."], lost],
    [["process_resident_memory_bytes", "gauge", "Memory that the process uses."], process.memoryUsage.rss()],
    [["process_cpu_seconds_total", "counter", "Processor time of all threads."], (user + system) / 1e6],
    [["process_start_time_seconds", "gauge", "When the process started."], performance.timeOrigin / 1000],
    [[`${PREFIX}event_loop_active_seconds_total`, "counter", busy], active],
  ];
}

interface Histogram {
  observe(milliseconds: number): void;
  render(name: string, help: string): readonly string[];
}

/** From the plan of a small request to a large model's thinking before its first word. */
const BUCKETS_SECONDS: readonly number[] = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

export function createHistogram(): Histogram {
  const counts = BUCKETS_SECONDS.map(() => 0);
  let [count, sum] = [0, 0];
  return {
    observe(milliseconds) {
      const seconds = milliseconds / 1000;
      count++;
      sum += seconds;
      const first = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit);
      if (first >= 0) counts[first] = (counts[first] ?? 0) + 1;
    },
    render(name, help) {
      let below = 0;
      const buckets = BUCKETS_SECONDS.map((limit, index): Sample => {
        below += counts[index] ?? 0;
        return [`${name}_bucket{le="${limit}"}`, below];
      });
      const all: Sample = [`${name}_bucket{le="+Inf"}`, count];
      const whole: Sample = [`${name}_sum`, Math.round(sum * 1e6) / 1e6];
      return renderSamples([name, "histogram", help], [...buckets, all, whole, [`${name}_count`, count]]);
    },
  };
}
