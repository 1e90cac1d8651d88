import { renderCount } from "../../../../core/render-count.ts";
import { locateHome, nameSession, readMeasures } from "../../../../hosts/catalogue.ts";
import { type ExplainedDeed, explainDeeds } from "../../../../recorded/explain/explain-deeds.ts";
import { readDeeds } from "../../../../recorded/read-deeds.ts";
import { chooseTranscript, SESSION_OPTIONS } from "../../choose-transcript.ts";
import { CliError, type Command, defineCommand, EXIT_NOTHING_FOUND, type Terminal } from "../../command.ts";
import { listInjectedRequests } from "../../injections.ts";
import { paint, renderSafely, renderUsd } from "../../print/style.ts";

export const explainCommand: Command = defineCommand({
  name: "explain",
  summary: "Explains why Plimsoll folded, compacted or refused something, what each action cost and when it pays off",
  positional: { name: "HANDLE", help: "the plimsoll:… handle of one fold; by default all actions of the session" },
  options: {
    ...SESSION_OPTIONS,
  },
  examples: {
    "plimsoll explain": "lists each action in the newest session with its reason and cost",
    "plimsoll explain --transcript session.jsonl --json": "prints the actions of this session as JSON",
  },
  run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const [handle, surplus] = invocation.positionals;
    if (surplus !== undefined) throw new CliError(`plimsoll explain: unexpected argument "${surplus}"`);
    const { deeds, skipped } = readDeeds(locateHome(terminal.environment), nameSession(file));
    const { transcript, accounts } = readMeasures(file, terminal.hosts);
    const baseTokens = transcript.meter.baseTokens ?? 0;
    const told = explainDeeds(deeds, { ...listInjectedRequests(accounts), baseTokens });
    const shown = handle === undefined ? told : findHandle(told, handle);
    return {
      json: { transcript: file, deeds: shown, skippedLines: skipped },
      text: () => renderDeeds(shown, skipped, terminal),
    };
  },
});

function findHandle(told: readonly ExplainedDeed[], handle: string): readonly ExplainedDeed[] {
  const digits = handle.replace(/^plimsoll:/, "");
  const found = told.filter((deed) => digits !== "" && deed.handle?.startsWith(`plimsoll:${digits}`));
  if (found.length === 0)
    throw new CliError(
      `no fold in this session has the handle ${handle}: plimsoll explain lists all actions`,
      EXIT_NOTHING_FOUND,
    );
  return found;
}

function renderDeeds(told: readonly ExplainedDeed[], skipped: number, terminal: Terminal): string {
  if (told.length === 0)
    return "Plimsoll did nothing in this session: its hooks were not installed, or found nothing to do.";
  return [
    ...told.flatMap((deed) => renderDeed(deed, terminal)),
    ...(skipped > 0 ? [`${renderCount(skipped, "journal line")} skipped`] : []),
  ].join("\n");
}

function renderDeed(
  { atMs, what, why, handle, requests, savedUsd }: ExplainedDeed,
  terminal: Terminal,
): readonly string[] {
  const time = new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
  const saved = savedUsd === undefined ? "" : `, ${renderUsd(savedUsd)} saved`;
  const sofar =
    requests === undefined ? [] : [`  Since then: ${requests} ${requests === 1 ? "request" : "requests"}${saved}.`];
  return [
    `${paint(terminal, "dim", time)} ${paint(terminal, "bold", renderSafely(what))}`,
    ...(handle === undefined
      ? []
      : [`  ${renderSafely(handle)}: plimsoll undo ${renderSafely(handle)} prints the original`]),
    `  ${renderSafely(why)}`,
    ...sofar,
  ];
}
