import { performance } from "node:perf_hooks";

/** A figure that is read when somebody asks. */
export interface Figure {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly read: () => number;
}

/** What the process itself weighs, under the names that dashboards know. One thread serves everybody: how busy it is tells how full. */
export const PROCESS_FIGURES: readonly Figure[] = [
  {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Memory that the process holds.",
    read: () => process.memoryUsage.rss(),
  },
  {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "Processor time of all threads.",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
  {
    name: "process_start_time_seconds",
    type: "gauge",
    help: "When the process began.",
    read: () => performance.timeOrigin / 1000,
  },
  {
    name: "plimsoll_gateway_event_loop_active_seconds_total",
    type: "counter",
    help: "Time that the one thread was busy; its rate is 1 where the instance is full.",
    read: () => performance.eventLoopUtilization().active / 1000,
  },
];

export function renderFigure({ name, type, help, read }: Figure): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${read()}`];
}
