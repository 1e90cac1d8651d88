export interface Histogram {
  observe(milliseconds: number): void;
  render(name: string, help: string): readonly string[];
}

/** From a plan of a small request to the thinking of a large model before its first word. */
const BUCKETS_SECONDS: readonly number[] = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/** Times in Prometheus' text format, in its unit. */
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
      const buckets = BUCKETS_SECONDS.map((limit, index) => {
        below += counts[index] ?? 0;
        return `${name}_bucket{le="${limit}"} ${below}`;
      });
      return [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} histogram`,
        ...buckets,
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${Math.round(sum * 1e6) / 1e6}`,
        `${name}_count ${count}`,
      ];
    },
  };
}
