import path from "node:path";
import { listTranscripts, locateClientHome, type TranscriptFile } from "../../../hosts/claude-code/disk/projects.ts";
import { readMeter } from "../../../hosts/claude-code/disk/read-meter.ts";
import { readRecording } from "../../../hosts/claude-code/disk/read-recording.ts";
import { scanUsage } from "../../../hosts/claude-code/disk/scan-usage.ts";
import type { Health } from "../../../measure/health.ts";
import { billRequests } from "../../../models/economics/bill.ts";
import { findFoldable } from "../../../policy/foldable.ts";
import { assessSession } from "../../../recorded/assess-session.ts";
import { attributeSession } from "../../../recorded/attribute-session.ts";
import { markAtLeast, noteAtLeast } from "../at-least.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_NOTHING_FOUND, type Terminal } from "../command.ts";
import { renderLoadLine } from "../load-line.ts";
import { locateSample } from "../locate-sample.ts";
import { planCompaction, type ReadSession } from "../plan-compaction.ts";
import { renderJson } from "../render-json.ts";
import { renderParts } from "../render-parts.ts";
import { paint, paintLevel, renderSafely, renderTokens, renderUsd } from "../style.ts";

const OTHERS_SHOWN = 4;

export const nowCommand: Command = {
  name: "now",
  summary: "The load line of your newest session, what fills it, what it costs and what would lighten it",
  options: [JSON_OPTION],
  examples: [{ command: "plimsoll now", shows: "your newest session in full, the ones before it in a line each" }],
  run(invocation, terminal) {
    const sessions = findRecent(terminal);
    const [newest, ...others] = sessions.files;
    if (!newest)
      throw new CliError(
        "no recorded session, and the sample session is missing: reinstall the package",
        EXIT_NOTHING_FOUND,
      );
    const view = lookAt(newest, terminal);
    if (invocation.flags.has("json")) return terminal.print(renderJson({ isSample: sessions.isSample, ...view }));
    if (sessions.isSample)
      terminal.print(
        `No session of yours in ${sessions.root} yet: this is the sample session that comes with Plimsoll.\n`,
      );
    terminal.print(renderSession(view, terminal));
    if (others.length > 0) terminal.print(`\n${paint(terminal, "bold", "Before it")}`);
    for (const file of others) terminal.print(renderOther(file, terminal));
    terminal.print(`\n${paint(terminal, "dim", "More: plimsoll inspect, plimsoll stats, plimsoll --help")}`);
  },
};

interface Recent {
  readonly root: string;
  readonly files: readonly TranscriptFile[];
  readonly isSample: boolean;
}

/** The person's own newest sessions, no more read than shown; where there are none, the sample that the package carries. */
function findRecent(terminal: Terminal): Recent {
  const root = path.join(locateClientHome(terminal.environment), "projects");
  const own: TranscriptFile[] = [];
  for (const file of listTranscripts(root)) {
    if (own.length > OTHERS_SHOWN) break;
    if (!file.isSubagent && file.bytes > 0 && hasSteps(file)) own.push(file);
  }
  if (own.length > 0) return { root, files: own, isSample: false };
  return { root, files: listTranscripts(locateSample()), isSample: true };
}

/** A file of only a prompt or a title has no load to show. */
function hasSteps(file: TranscriptFile): boolean {
  return readMeter(file.path).transcript.meter.steps > 0;
}

function lookAt(file: TranscriptFile, terminal: Terminal) {
  const reading = readMeter(file.path);
  const session = readRecording(file.path);
  const { title, cwd, sessionId } = reading.transcript;
  const { steps, misses } = scanUsage(file.path);
  const { spend, unpriced, unfinal } = billRequests(steps);
  const missedUsd = misses.reduce((sum, miss) => sum + (miss.extraUsd ?? 0), 0);
  return {
    transcript: file.path,
    title: title || sessionId,
    directory: cwd,
    health: assessSession(reading, terminal),
    attribution: attributeSession(session).at(-1),
    costUsd: spend.totalUsd,
    unpricedRequests: unpriced,
    unfinalOutputRequests: unfinal,
    cacheMisses: misses.length,
    missedUsd,
    foldable: findFoldable(session.recording),
    collapse: planCollapse({ file: file.path, session, reading }, terminal),
  };
}

/** What the module would do before the next request, by the same plan that preview-compact shows. */
function planCollapse(read: ReadSession, terminal: Terminal) {
  const planned = planCompaction(read, terminal);
  if (planned === undefined) return undefined;
  const { preview, settings } = planned;
  const isEarly = settings.isOn && settings.early === "price" && settings.compaction !== "native";
  return {
    policy: settings.policy,
    isEarly,
    isDue: isEarly && preview.isDue,
    messages: preview.dropped.messages,
    savedTokens: preview.contextTokens - preview.afterTokens,
  };
}

type SessionView = ReturnType<typeof lookAt>;

function renderSession(view: SessionView, terminal: Terminal): string {
  const { health, attribution, collapse } = view;
  const heading = (text: string): string => `\n${paint(terminal, "bold", text)}`;
  const missed =
    view.cacheMisses > 0
      ? `, of which ${renderUsd(view.missedUsd)} for ${view.cacheMisses} prompt-cache ${view.cacheMisses === 1 ? "miss" : "misses"}`
      : "";
  return [
    `${paint(terminal, "bold", renderSafely(view.title))}  ${paint(terminal, "dim", renderSafely(view.directory))}`,
    renderLoadLine(health, terminal),
    paint(terminal, "dim", `source: ${health.source} (${health.confidence}): ${health.note}`),
    ...(attribution ? [heading("What fills it"), renderParts(attribution)] : []),
    heading("What it cost so far"),
    `  ${markAtLeast(view.unpricedRequests + view.unfinalOutputRequests, renderUsd(view.costUsd))}${missed}`,
    ...noteAtLeast(view.unfinalOutputRequests, view.unpricedRequests).map((note) =>
      paint(terminal, "dim", `  ${note}`),
    ),
    heading("What Plimsoll would do"),
    `  ${renderAdvice(health, collapse)}`,
  ].join("\n");
}

function renderAdvice({ level }: Health, collapse: SessionView["collapse"]): string {
  const deed = renderDeed(collapse);
  switch (level) {
    case "GREEN":
      return collapse?.isDue ? `${deed}. Nothing is urgent.` : "nothing yet: the load is light.";
    case "YELLOW":
      return `${deed}. Load only what is essential from here on.`;
    case "ORANGE":
      return `${deed}. Compact at the next boundary.`;
    case "RED":
      return `${deed}. Save the state and compact now.`;
  }
}

function renderDeed(collapse: SessionView["collapse"]): string {
  if (collapse?.isDue)
    return `collapse ${collapse.messages} old messages into a ledger, originals kept: ${renderTokens(collapse.savedTokens)} tokens less in every request`;
  if (collapse?.isEarly === false) return "nothing by itself: its settings leave the moment to you or the client";
  return "nothing yet: what is old is not worth a rewriting";
}

function renderOther(file: TranscriptFile, terminal: Terminal): string {
  const reading = readMeter(file.path);
  const health = assessSession(reading, terminal);
  const { title, sessionId } = reading.transcript;
  const size =
    health.usedTokens === undefined
      ? "size not known"
      : `${renderTokens(health.usedTokens)} of ${renderTokens(health.windowTokens)}`;
  return `  ${paintLevel(terminal, health.level, health.level.padEnd(6))}  ${size.padEnd(16)}  ${renderSafely(title || sessionId).slice(0, 60)}`;
}
