import { readSession } from "../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import type { Attribution } from "../../../measure/attribution.ts";
import { assessSession } from "../../../recorded/assess-session.ts";
import { attributeSession } from "../../../recorded/attribute-session.ts";
import { chooseTranscript, JSON_OPTION, SESSION_OPTIONS } from "../choose-transcript.ts";
import { CliError, type Command, type Terminal } from "../command.ts";
import { renderLoadLine } from "../load-line.ts";
import { nameCause } from "../name-cause.ts";
import { renderJson } from "../render-json.ts";
import { renderParts } from "../render-parts.ts";
import { renderSkipped, requireRecordedSession } from "../require-session.ts";
import { LAST_OPTION, showRequests } from "../show-requests.ts";
import { paint, renderSafely, renderTokens, renderUsd } from "../style.ts";

export const inspectCommand: Command = {
  name: "inspect",
  summary: "What fills the window, what compactions and cache misses did, line by line accounted for",
  options: [
    ...SESSION_OPTIONS,
    { name: "requests", help: "tokens, growth, cache and dollars of every request of its main conversation instead" },
    LAST_OPTION,
    { name: "steps", help: "with --json: the parts of every step, not only of the last" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll inspect", shows: "the parts of the current window, largest first" },
    { command: "plimsoll inspect --requests", shows: "its last requests, and what the session came to" },
    {
      command: "plimsoll inspect --transcript session.jsonl --json --steps",
      shows: "the parts at every request, for a plot",
    },
  ],
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    if (invocation.flags.has("requests")) return showRequests(file, invocation, terminal);
    if (invocation.values.has("last"))
      throw new CliError("--last is for the list of requests: plimsoll inspect --requests --last N");
    const session = readSession(file, terminal.hosts);
    requireRecordedSession(file, session.tally, session.unfinishedBytes);
    const attributions = attributeSession(session);
    if (!invocation.flags.has("json")) return terminal.print(renderInspection(session, attributions, terminal));
    terminal.print(renderJson(describeInspection(file, session, attributions, invocation.flags.has("steps"))));
  },
};

function describeInspection(
  file: string,
  session: RecordedSession,
  attributions: readonly Attribution[],
  withSteps: boolean,
) {
  const { meter } = session.transcript;
  return {
    transcript: file,
    lines: { ...session.tally, unfinishedBytes: session.unfinishedBytes },
    steps: session.recording.steps.length,
    windows: session.recording.windows.length,
    current: attributions.at(-1),
    compactions: session.recording.windows.flatMap(({ compaction }) => (compaction ? [compaction] : [])),
    cacheMisses: meter.misses,
    callsByTool: meter.callsByTool,
    ...(withSteps ? { attribution: attributions } : {}),
  };
}

function renderInspection(session: RecordedSession, attributions: readonly Attribution[], terminal: Terminal): string {
  const { meter, sessionId } = session.transcript;
  const last = attributions.at(-1);
  const { tally, recording } = session;
  const compactions = recording.windows.flatMap(({ compaction }) => (compaction ? [compaction] : []));
  const heading = (text: string): string => `\n${paint(terminal, "bold", text)}`;
  return [
    paint(terminal, "bold", renderSafely(session.accounts.title || sessionId)),
    renderLoadLine(assessSession(session, terminal), terminal),
    ...(last
      ? [
          heading(`What filled the last request (${renderTokens(last.contextTokens)} tokens)`),
          renderParts(last, { damagedLines: tally.malformed, columns: terminal.columns }),
        ]
      : []),
    ...(compactions.length > 0 ? [heading("Compactions")] : []),
    ...compactions.map(({ trigger, preTokens, durationMs }) => {
      const at = preTokens === undefined ? "size not recorded" : `at ${renderTokens(preTokens)}`;
      return `  ${trigger === "unknown" ? "why is not recorded" : renderSafely(trigger)}, ${at}${durationMs === undefined ? "" : `, took ${Math.round(durationMs / 1000)} s`}`;
    }),
    ...(meter.misses.length > 0 ? [heading("Prompt-cache misses")] : []),
    ...meter.misses.map(
      ({ cause, missedTokens, extraUsd }) =>
        `  ${nameCause(cause)}: ${renderTokens(missedTokens)} tokens written again${extraUsd === undefined ? "" : `, ${renderUsd(extraUsd)}`}`,
    ),
    heading("Lines"),
    `  ${tally.lines}: ${tally.parsed} parsed, ${tally.ignored} ignored on purpose, ${tally.malformed} malformed`,
    ...renderSkipped(tally, session.unfinishedBytes).map((line) => `  ${line}`),
  ].join("\n");
}
