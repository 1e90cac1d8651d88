import type { Usage } from "../core/usage.ts";
import type { JournalEntry } from "./store/gateway-store.ts";

export interface Metrics {
  /** One request is over. */
  count(entry: JournalEntry): void;
  /** A connection or an answer of ours that has no entry. */
  add(name: CounterName, labels?: string, by?: number): void;
  setActive(change: 1 | -1): void;
  totals(): Totals;
  render(): string;
}

/** What a person wants to know at the end of a run. */
export interface Totals {
  readonly requests: number;
  readonly edited: number;
  readonly edits: number;
  readonly savedTokens: number;
  readonly savedBytes: number;
  readonly incidents: number;
  readonly retries: number;
}

type CounterName =
  | "requests"
  | "passed"
  | "edited"
  | "edits"
  | "saved_tokens"
  | "saved_bytes"
  | "incidents"
  | "overflow_retries"
  | "upstream_errors"
  | "client_aborts"
  | "refused"
  | "compactions_answered"
  | "tokens";

const HELP: Readonly<Record<CounterName, string>> = {
  requests: "Message requests by route and status.",
  passed: "Requests of other routes, passed through.",
  edited: "Message requests that left lighter than they came.",
  edits: "New decisions.",
  saved_tokens: "Estimated tokens that were not sent, over all requests.",
  saved_bytes: "Bytes that were not sent, over all requests.",
  incidents: "Times that something of ours failed and the request went on without it.",
  overflow_retries: "Requests sent again lighter after the API said that they do not fit.",
  upstream_errors: "Connections to the upstream that failed.",
  client_aborts: "Clients that went away before their answer was complete.",
  refused: "Requests that were refused here, by reason.",
  compactions_answered: "Compactions answered here without a model.",
  tokens: "Tokens that the API has counted, by kind.",
};

const BUCKETS_MS: readonly number[] = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000, 30_000];

/** Prometheus' text format, by hand: a dozen counters and two histograms need no library. */
export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const histograms = { plan: createHistogram(), first_byte: createHistogram() };
  let active = 0;
  const add: Metrics["add"] = (name, labels = "", by = 1) => {
    const key = `plimsoll_gateway_${name}_total${labels === "" ? "" : `{${labels}}`}`;
    counters.set(key, (counters.get(key) ?? 0) + by);
  };
  const sum = (name: CounterName): number => {
    let total = 0;
    for (const [key, value] of counters) if (key.startsWith(`plimsoll_gateway_${name}_total`)) total += value;
    return total;
  };
  return {
    add,
    setActive(change) {
      active += change;
    },
    count(entry) {
      add("requests", `route="${entry.route}",status="${entry.status}"`);
      histograms.plan.observe(entry.planMs);
      if (entry.firstByteMs > 0) histograms.first_byte.observe(entry.firstByteMs);
      if (entry.bytesOut !== entry.bytesIn) {
        add("edited");
        add("saved_bytes", "", entry.bytesIn - entry.bytesOut);
        add("saved_tokens", "", Math.max(0, entry.tokensBefore - entry.tokensAfter));
      }
      if (entry.edits > 0) add("edits", "", entry.edits);
      for (const incident of entry.incidents) add("incidents", `kind="${incident}"`);
      if (entry.usage) addUsage(add, entry.usage);
    },
    totals: () => ({
      requests: sum("requests"),
      edited: sum("edited"),
      edits: sum("edits"),
      savedTokens: sum("saved_tokens"),
      savedBytes: sum("saved_bytes"),
      incidents: sum("incidents"),
      retries: sum("overflow_retries"),
    }),
    render() {
      const lines = Object.entries(HELP).flatMap(([name, help]) => {
        const full = `plimsoll_gateway_${name}_total`;
        const own = [...counters].filter(([key]) => key === full || key.startsWith(`${full}{`));
        return [`# HELP ${full} ${help}`, `# TYPE ${full} counter`, ...own.map(([key, value]) => `${key} ${value}`)];
      });
      const gauge = "plimsoll_gateway_active_requests";
      return [
        ...lines,
        `# HELP ${gauge} Requests under way.`,
        `# TYPE ${gauge} gauge`,
        `${gauge} ${active}`,
        ...histograms.plan.render("plimsoll_gateway_plan_ms", "Milliseconds from the whole body to the decision."),
        ...histograms.first_byte.render("plimsoll_gateway_first_byte_ms", "Milliseconds to the upstream's first byte."),
        "",
      ].join("\n");
    },
  };
}

function addUsage(add: Metrics["add"], usage: Usage): void {
  add("tokens", 'kind="input"', usage.inputTokens);
  add("tokens", 'kind="cache_read"', usage.cacheReadTokens);
  add("tokens", 'kind="cache_write"', usage.cacheWrite5mTokens + usage.cacheWrite1hTokens);
  add("tokens", 'kind="output"', usage.outputTokens);
}

interface Histogram {
  observe(value: number): void;
  render(name: string, help: string): readonly string[];
}

function createHistogram(): Histogram {
  const counts = BUCKETS_MS.map(() => 0);
  let [count, sum] = [0, 0];
  return {
    observe(value) {
      count++;
      sum += value;
      for (const [index, limit] of BUCKETS_MS.entries()) if (value <= limit) counts[index] = (counts[index] ?? 0) + 1;
    },
    render: (name, help) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...BUCKETS_MS.map((limit, index) => `${name}_bucket{le="${limit}"} ${counts[index]}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${Math.round(sum * 1000) / 1000}`,
      `${name}_count ${count}`,
    ],
  };
}
