import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { countDecisions } from "../../../../files/count-decisions.ts";
import { nameClient } from "../../../../hosts/catalogue.ts";
import type { TranscriptReading } from "../../../../hosts/follow-transcript.ts";
import type { Health } from "../../../../measure/health.ts";
import { PROFILES } from "../../../../measure/level.ts";
import { CALLERS, listOccasions, type Run, renderRun, runOnTrigger } from "../../../../policy/advice/parse-trigger.ts";
import { type HealthFacts, reportHealth } from "../../../../policy/advice/report-health.ts";
import { assessSession } from "../../../../recorded/assess-session.ts";
import { followHappened } from "../../../../recorded/follow-happened.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely, renderTokens } from "../../print/style.ts";
import { renderLoadLine } from "../../render-parts.ts";
import { chooseTranscript, renderSkipped, requireRecorded, SESSION_OPTIONS } from "../../require-session.ts";

export const healthCommand: Command = defineCommand({
  name: "health",
  summary: "Shows how full the window is, how far it is from compaction, and how Plimsoll measured that",
  options: {
    ...SESSION_OPTIONS,
    profile: { value: "NAME", help: "how to determine the level", choices: PROFILES },
    caller: { value: "NAME", help: "print the report for this skill, and what the skill should do", choices: CALLERS },
    occasion: { value: "WHEN", help: "why the skill asks for the report; by default the skill's usual reason" },
  },
  examples: {
    "plimsoll health": "reports on the newest session of the current project",
    "plimsoll health --transcript session.jsonl --json": "prints level, source, confidence and sizes as JSON",
    "plimsoll health --profile calls":
      "derives the load level from the number of tool calls, which is a rough estimate",
    "plimsoll health --caller cook":
      "reports the status and what the skill should do; at a high load, also the next safe point to compact",
  },
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const reading = requireRecorded(file, terminal.hosts);
    const profile = PROFILES.find((name) => name === invocation.values.get("profile"));
    const health = assessSession(reading, terminal, profile);
    const { cwd, meter } = reading.transcript;
    const facts: HealthFacts = {
      health,
      happened: followHappened(reading),
      root: cwd,
      savedDecisions: countDecisions(cwd || terminal.directory, locateOwnData(terminal.environment)),
      baseTokens: meter.baseTokens,
    };
    const run = runForCaller(invocation, facts);
    if (run !== undefined) return { json: run, text: () => renderRun(run).split("\n").map(renderSafely).join("\n") };
    const report = reportHealth(facts);
    return {
      json: { ...describeHealth(file, reading, health), report },
      text: () => [renderHealth(reading, health, terminal), "", ...report.split("\n").map(renderSafely)].join("\n"),
    };
  },
});

/** The answer for a skill that passes its name; `undefined` if none does. */
function runForCaller({ values }: Invocation, facts: HealthFacts): Run | undefined {
  const caller = CALLERS.find((name) => name === values.get("caller"));
  const occasion = values.get("occasion");
  if (caller === undefined) {
    if (occasion !== undefined) throw new CliError("--occasion works only with --caller");
    return undefined;
  }
  const run = runOnTrigger({ event: "context.boundary", caller, occasion }, facts);
  if (run === undefined)
    throw new CliError(`${caller} has no occasion "${occasion}": choose from ${listOccasions(caller).join(", ")}`);
  return run;
}

function describeHealth(file: string, { transcript, tally, unfinishedBytes }: TranscriptReading, health: Health) {
  const { sessionId, version, lane, meter } = transcript;
  return {
    ...health,
    sessionId,
    clientVersion: version,
    lane,
    transcript: file,
    lastCompaction: meter.lastCompaction,
    lines: { ...tally, unfinishedBytes },
  };
}

function renderHealth(
  { host, transcript, accounts, tally, unfinishedBytes }: TranscriptReading,
  health: Health,
  terminal: Terminal,
): string {
  const name = accounts.title || transcript.sessionId || path.basename(transcript.cwd);
  const { source, lowTokens = 0, highTokens } = health;
  const calls = `${renderCount(health.toolCalls, "tool call")}${health.hasLargeFiles ? `, ${renderCount(health.largeReads, "large read")}` : ""}`;
  const client = nameClient(host, terminal.hosts);
  const model = `${renderSafely(health.model) || "unknown model"}${client === undefined ? "" : ` in ${client}`}`;
  const dim = (line: string): string => paint(terminal, "dim", line);
  return joinLines(
    paint(terminal, "bold", renderSafely(name)),
    renderLoadLine(health, terminal),
    `${calls} · ${renderCount(health.steps, "request")} · ${renderCount(health.compactions, "compaction")} · ${model}`,
    dim(`source: ${source} (${health.confidence}): ${health.note}`),
    source === "estimate" &&
      highTokens !== undefined &&
      dim(`size: ${renderTokens(lowTokens)} to ${renderTokens(highTokens)} tokens`),
    health.profile === "calls" && "Note: tool call count is directional, not a measured size.",
    renderSkipped(tally, unfinishedBytes).map(dim),
  );
}
