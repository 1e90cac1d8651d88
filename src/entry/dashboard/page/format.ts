import type { MissedUsd } from "../../../measure/cache-miss.ts";

export { renderTokens } from "../../../measure/render-load.ts";
export { renderLowerUsd, renderUsd } from "../../../models/economics/render-usd.ts";

export function sumUsd(sums: readonly MissedUsd[]): MissedUsd {
  return { usd: sums.reduce((sum, { usd }) => sum + usd, 0), isAtLeast: sums.some(({ isAtLeast }) => isAtLeast) };
}

export function renderShareText(share: number | undefined): string {
  if (share === undefined) return "–";
  const percent = share * 100;
  return `${percent.toFixed(percent > 0 && percent < 9.95 ? 1 : 0)} %`;
}

export function renderInteger(count: number): string {
  return count.toLocaleString("en-US");
}

export function renderBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

export function renderMs(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export function renderDay(atMs: number): string {
  return new Date(atMs).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** With the day if the time alone would be ambiguous. */
export function renderMoment(atMs: number | undefined, hasDays: boolean): string {
  if (atMs === undefined) return "–";
  const date = new Date(atMs);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return hasDays ? `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}` : time;
}

export function renderDays(startMs: number | undefined, lastMs: number): string {
  const [first, last] = [renderDay(startMs ?? lastMs), renderDay(lastMs)];
  return first === last ? last : `${first} to ${last}`;
}

export function renderAgo(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - atMs) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return seconds < 30 * 86_400 ? `${plural(Math.floor(seconds / 86_400), "day")} ago` : renderDay(atMs);
}

/** Project folders are named by their path with dashes, so the end tells them apart. */
export function renderProject(project: string): string {
  return project.length > 36 ? `…${project.slice(-34)}` : project;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${renderInteger(count)} ${count === 1 ? one : many}`;
}
