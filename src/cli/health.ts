import path from "node:path";
import { readCompactionSettings } from "../hosts/claude-code/disk/compaction-settings.ts";
import { locateClientHome } from "../hosts/claude-code/disk/projects.ts";
import { type MeterReading, readMeter } from "../hosts/claude-code/disk/read-meter.ts";
import { assessHealth, type Health } from "../measure/health.ts";
import { PROFILES, type Profile } from "../measure/level.ts";
import { chooseTranscript, JSON_OPTION, TRANSCRIPT_OPTION } from "./choose-transcript.ts";
import type { Command, Terminal } from "./command.ts";
import { renderLoadLine } from "./load-line.ts";
import { renderSkipped, requireSession } from "./require-session.ts";
import { paint, renderTokens } from "./style.ts";

export const healthCommand: Command = {
  name: "health",
  summary: "How full the window is, how near the line, and how we know",
  options: [
    TRANSCRIPT_OPTION,
    { name: "profile", value: "NAME", help: "what decides the level", choices: PROFILES },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll health", shows: "the newest session of the project you are in" },
    {
      command: "plimsoll health --transcript session.jsonl --json",
      shows: "level, source, confidence and sizes for a script",
    },
    {
      command: "plimsoll health --profile calls",
      shows: "levels by number of tool calls, as a directional second opinion",
    },
  ],
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const reading = readMeter(file);
    requireSession(file, reading.tally, reading.unfinishedBytes);
    const profile = PROFILES.find((name) => name === invocation.values.get("profile"));
    const health = assessSession(reading, terminal, profile);
    terminal.print(
      invocation.flags.has("json") ? renderJson(file, reading, health) : renderHealth(reading, health, terminal),
    );
  },
};

export function assessSession({ transcript }: MeterReading, terminal: Terminal, profile?: Profile): Health {
  const folders = { clientHome: locateClientHome(terminal.environment), project: transcript.cwd || terminal.directory };
  const settings = readCompactionSettings(terminal.environment, folders);
  return assessHealth(transcript.meter, { settings, ...(profile ? { profile } : {}) });
}

function renderJson(file: string, { transcript, tally, unfinishedBytes }: MeterReading, health: Health): string {
  const { sessionId, version, lane } = transcript;
  const lastCompaction = transcript.meter.lastCompaction ?? null;
  const body = {
    ...health,
    sessionId,
    clientVersion: version,
    lane,
    transcript: file,
    lastCompaction,
    lines: { ...tally, unfinishedBytes },
  };
  return JSON.stringify(body, (_key, value: unknown) => (value === undefined ? null : value), 2);
}

function renderHealth(
  { transcript, tally, unfinishedBytes }: MeterReading,
  health: Health,
  terminal: Terminal,
): string {
  const name = transcript.title || transcript.sessionId || path.basename(transcript.cwd);
  const calls = `${health.toolCalls} tool calls${health.hasLargeFiles ? `, ${health.largeReads} large reads` : ""}`;
  return [
    paint(terminal, "bold", name),
    renderLoadLine(health, terminal),
    `${calls} · ${health.steps} requests · ${health.compactions} compactions · ${health.model || "unknown model"}`,
    paint(terminal, "dim", `source: ${health.source} (${health.confidence}): ${health.note}`),
    ...(health.source === "estimate" && health.lowTokens !== undefined && health.highTokens !== undefined
      ? [paint(terminal, "dim", `between ${renderTokens(health.lowTokens)} and ${renderTokens(health.highTokens)}`)]
      : []),
    ...(health.profile === "calls" ? ["Note: tool call count is directional, not a measured size."] : []),
    ...renderSkipped(tally, unfinishedBytes).map((line) => paint(terminal, "dim", line)),
  ].join("\n");
}
