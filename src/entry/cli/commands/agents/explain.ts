import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { listArtifactNames } from "../../../../files/artifacts/artifact-folder.ts";
import { locateHome, nameSession, readSession } from "../../../../hosts/catalogue.ts";
import type { Recording } from "../../../../measure/recording.ts";
import { explain } from "../../../../models/economics/explain.ts";
import { locateData } from "../../../../policy/actions/data-paths.ts";
import type { OwnAction } from "../../../../policy/actions/own-action.ts";
import type { Requests } from "../../../../policy/injection/price-injections.ts";
import { checkFailureModes } from "../../../../recorded/check-failure-modes.ts";
import { type FoldedAction, listFolds, priceFold } from "../../../../recorded/judge-folds.ts";
import { measureCompactions } from "../../../../recorded/measure-compactions.ts";
import { listInjectedRequests, readActions } from "../../../../recorded/read-actions.ts";
import { priceCompaction } from "../../../../survive/record/price-compaction.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely, renderUsd } from "../../print/style.ts";
import { chooseTranscript, readHappened, SESSION_OPTIONS } from "../../require-session.ts";

export const explainCommand: Command = defineCommand({
  name: "explain",
  summary: "Explains why Plimsoll folded, compacted or refused something, what each action cost and when it pays off",
  positional: { name: "HANDLE", help: "the plimsoll:… handle of one fold; by default all actions of the session" },
  options: {
    ...SESSION_OPTIONS,
    check: { help: "check the session for the known ways in which compaction goes wrong" },
    compactions: { help: "measure the compactions of all your sessions: size before, left and cut, with percentiles" },
  },
  examples: {
    "plimsoll explain": "lists each action in the newest session with its reason and cost",
    "plimsoll explain --check": "says of each known way to go wrong whether it applies, does not, or cannot be seen",
    "plimsoll explain --compactions": "shows how often your sessions were compacted, and by how much",
    "plimsoll explain --transcript session.jsonl --json": "prints the actions of this session as JSON",
  },
  run(invocation, terminal) {
    if (invocation.flags.has("compactions")) return answerCompactions(terminal);
    const file = chooseTranscript(invocation, terminal);
    const [handle, surplus] = invocation.positionals;
    if (surplus !== undefined) throw new CliError(`plimsoll explain: unexpected argument "${surplus}"`);
    const { actions, skipped } = readActions(locateHome(terminal.environment), nameSession(file));
    if (invocation.flags.has("check")) return answerCheck(file, actions);
    const { transcript, accounts, recording } = readSession(file, terminal.hosts);
    const baseTokens = transcript.meter.baseTokens ?? 0;
    const explained = explainActions(actions, { ...listInjectedRequests(accounts), recording, baseTokens });
    const shown = handle === undefined ? explained : findHandle(explained, handle);
    return {
      json: { transcript: file, deeds: shown, skippedLines: skipped },
      text: () => renderActions(shown, skipped, terminal),
    };
  },
});

function answerCheck(file: string, actions: readonly OwnAction[]) {
  const modes = checkFailureModes(readHappened(file), actions);
  return {
    json: { transcript: file, modes },
    text: () => modes.map(({ name, verdict, why }) => `${verdict.padEnd(8)} ${name}: ${why}`).join("\n"),
  };
}

function answerCompactions({ environment }: Terminal) {
  const home = locateHome(environment);
  const names = listArtifactNames(path.join(locateData(home), "sessions"));
  const figures = measureCompactions(names.map((name) => readActions(home, name).actions));
  const { count, byPlimsoll, sessions, before, after, cut, record, milliseconds } = figures;
  const row = (name: string, { p10, median, p90, most }: typeof before): string =>
    `${name.padEnd(16)} ${[p10, median, p90, most].map((value) => String(Math.round(value)).padStart(9)).join("")}`;
  const head = `${renderCount(count, "compaction")} in ${renderCount(sessions, "session")}, ${byPlimsoll} by Plimsoll`;
  return {
    json: figures,
    text: () =>
      count === 0
        ? "No compaction is recorded in the sessions that Plimsoll followed."
        : joinLines(
            head,
            `${"".padEnd(16)} ${["p10", "median", "p90", "most"].map((name) => name.padStart(9)).join("")}`,
            row("tokens before", before),
            row("tokens left", after),
            row("tokens cut", cut),
            record.most > 0 && row("record, tokens", record),
            milliseconds.most > 0 && row("milliseconds", milliseconds),
          ),
  };
}

function findHandle(explained: readonly ExplainedAction[], handle: string): readonly ExplainedAction[] {
  const digits = handle.replace(/^plimsoll:/, "");
  const found = explained.filter((action) => digits !== "" && action.handle?.startsWith(`plimsoll:${digits}`));
  if (found.length > 0) return found;
  const why = `no fold in this session has the handle ${handle}: plimsoll explain lists all actions`;
  throw CliError.foundNothing(why);
}

function renderActions(explained: readonly ExplainedAction[], skipped: number, terminal: Terminal): string {
  if (explained.length === 0)
    return "Plimsoll did nothing in this session: its hooks were not installed, or found nothing to do.";
  return joinLines(
    explained.map((action) => renderAction(action, terminal)),
    skipped > 0 && `${renderCount(skipped, "journal line")} skipped`,
  );
}

function renderAction({ atMs, what, why, handle, requests, savedUsd }: ExplainedAction, terminal: Terminal): string {
  const time = new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
  const saved = savedUsd === undefined ? "" : `, ${renderUsd(savedUsd)} saved`;
  const original = renderSafely(handle ?? "");
  return joinLines(
    `${paint(terminal, "dim", time)} ${paint(terminal, "bold", renderSafely(what))}`,
    handle !== undefined && `  ${original}: plimsoll undo ${original} prints the original`,
    `  ${renderSafely(why)}`,
    requests !== undefined && `  Since then: ${renderCount(requests, "request")}${saved}.`,
  );
}

interface ExplainedAction {
  readonly atMs: number;
  readonly kind: OwnAction["kind"];
  readonly what: string;
  readonly why: string;
  readonly handle: string | undefined;
  readonly savedTokens: number | undefined;
  /** Later requests that were smaller because of it, up to the next compaction. */
  readonly requests: number | undefined;
  /** What those requests would have cost in addition, less the cost of fetching back; `undefined` without a price. */
  readonly savedUsd: number | undefined;
}

interface ExplainContext extends Requests {
  readonly recording: Recording;
  readonly baseTokens: number;
}

/** Actions that changed what the model sees, or declined to, in order. Mere signs of life are left out. */
export function explainActions(actions: readonly OwnAction[], context: ExplainContext): readonly ExplainedAction[] {
  const folds = listFolds(context.recording, actions);
  const requestOf = new Map<OwnAction, number>(folds.map(({ action, request }) => [action, request]));
  return actions.flatMap((action) => {
    const explained = explainAction(action, context, requestOf.get(action));
    return explained === undefined ? [] : [{ ...EMPTY, atMs: action.atMs, kind: action.kind, ...explained }];
  });
}

const EMPTY = { handle: undefined, savedTokens: undefined, requests: undefined, savedUsd: undefined };

type Explanation = Pick<ExplainedAction, "what" | "why"> & Partial<ExplainedAction>;

function explainAction(
  action: OwnAction,
  context: ExplainContext,
  request: number | undefined,
): Explanation | undefined {
  switch (action.kind) {
    case "folded":
      return explainFold(action, context.recording, request);
    case "compacted":
      return explainCompaction(action, context);
    case "note":
      return explainNote(action);
    case "injected":
      return { what: `added ${action.what} to the window (${action.tokens} tokens)`, why: `Occasion: ${action.why}.` };
    case "signal":
      return {
        what: `output.density.set ${action.signal.mode}, ${action.signal.scope}`,
        why: `Requested by: ${action.signal.source}.`,
      };
    case "report":
      return { what: `checked the load: ${action.level}`, why: `${action.why}. Advised: ${action.advised}.` };
    case "blocked":
      return { what: `refused a call to ${action.tool}`, why: `${action.why}.` };
    case "declined":
      return { what: `declined ${action.what}`, why: `${action.why}.` };
    case "ignored":
      return { what: `the agent ignored ${action.what}`, why: `${action.why}.` };
    case "failed":
      return { what: "failed", why: `${action.why}. The agent continued without Plimsoll.` };
    default:
      return undefined;
  }
}

function explainFold(action: FoldedAction, recording: Recording, request = recording.steps.length + 1): Explanation {
  const { tool, characters, shownCharacters, savedTokens, handle } = action;
  const what = `folded ${tool} output: ${characters} characters, ${shownCharacters} of them shown`;
  const { breakEvenRequests: _, ...priced } = priceFold(action, recording, request);
  return { what, handle, savedTokens, ...priced };
}

function explainCompaction(action: Extract<OwnAction, { kind: "compacted" }>, context: ExplainContext): Explanation {
  const { by, trigger, tokensBefore, tokensAfter, ms, atMs, agentId } = action;
  if (agentId !== undefined) {
    // Its later requests are in a file of their own.
    const what = `compacted the window of subagent ${agentId} in ${ms} ms, without a model: ${tokensBefore} tokens before, about ${tokensAfter} after`;
    return { what, why: `Reason: ${action.why}.`, savedTokens: tokensBefore - tokensAfter };
  }
  const carried = listCarried(atMs, context);
  const model = carried[0]?.model ?? context.requests.at(-1)?.model ?? "";
  const verdict = priceCompaction({
    model,
    beforeTokens: tokensBefore,
    afterTokens: tokensAfter,
    baseTokens: context.baseTokens,
    requests: carried.length,
    fetchesPerRequest: 0,
  });
  const who = by === "plimsoll" ? `by Plimsoll in ${ms} ms, without a model` : "by the agent, with a model's summary";
  return {
    what: `compacted (${trigger}) ${who}: ${tokensBefore} tokens before, ${tokensAfter} after`,
    why: `${action.why === "" ? "" : `Reason: ${action.why}. `}${explain(verdict)}`,
    savedTokens: tokensBefore - tokensAfter,
    requests: carried.length,
    savedUsd: verdict.price.expectedNetUsd,
  };
}

function explainNote({ isJoined, why, usage, usd, ms }: Extract<OwnAction, { kind: "note" }>): Explanation {
  const price = usd === undefined ? "" : `, ${renderUsd(usd)}`;
  return {
    what: `asked the model for a note, ${ms} ms${price}: ${isJoined ? "ready for the next record" : "left out"}`,
    why: `${usage.cacheReadTokens} tokens read from the cache, ${usage.outputTokens} of output${why === "" ? "" : `; ${why}`}.`,
  };
}

function listCarried(atMs: number, { requests, compactionsMs }: Requests): Requests["requests"] {
  // We record our own compaction at about the same moment as the client records its line.
  const endMs = compactionsMs.find((compactedMs) => compactedMs > atMs + SAME_MOMENT_MS) ?? Number.POSITIVE_INFINITY;
  return requests.filter((request) => request.atMs > atMs && request.atMs < endMs);
}

const SAME_MOMENT_MS = 5000;
