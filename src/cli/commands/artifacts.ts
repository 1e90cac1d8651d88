import path from "node:path";
import { renderCount } from "../../core/render-count.ts";
import { decodeUtf8 } from "../../core/utf8.ts";
import { isDatabase } from "../../gateway/store/is-database.ts";
import { createPatternMatcher } from "../../session/pattern/create-pattern-matcher.ts";
import { parseHandle, pickSection } from "../../session/recall/pick-section.ts";
import { type ArtifactStore, createArtifactStore } from "../../store/artifacts.ts";
import { type LineSelection, type SelectedLines, selectLines } from "../../store/select-lines.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import {
  CliError,
  type Command,
  EXIT_FAILURE,
  EXIT_NOTHING_FOUND,
  type Invocation,
  type Terminal,
} from "../command.ts";
import { readSharedOriginal } from "../gateway/shared-originals.ts";
import { parseWhole } from "../parse-whole.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely, renderTable } from "../style.ts";
import { suggest } from "../suggest.ts";

const ACTIONS = ["list", "show", "verify", "prune"] as const;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export const artifactsCommand: Command = {
  name: "artifacts",
  summary: "The originals of folded outputs: list them, read them, check them, clear old ones",
  positional: { name: "ACTION", help: "list (unless told), show HANDLE, verify, prune" },
  options: [
    { name: "lines", value: "A-B", help: "with show: these lines of the original" },
    { name: "page", value: "N", help: "with show: 200 lines at a time" },
    { name: "pattern", value: "RE", help: "with show: the lines that match" },
    { name: "store", value: "WHERE", help: "a gateway's store: its folder, or postgres://... (show only)" },
    { name: "older-than", value: "DAYS", help: `with prune: what is older (${DEFAULT_DAYS} unless told otherwise)` },
    { name: "keep-session", value: "ID", help: "with prune: whatever another session stored" },
    { name: "max-mb", value: "N", help: "with prune: the oldest, until no more than this is left" },
    { name: "dry-run", help: "with prune: say what would go, and remove nothing" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll artifacts", shows: "what is kept for the project you are in, oldest first" },
    { command: "plimsoll artifacts verify", shows: "whether every byte is still what was stored" },
    { command: "plimsoll artifacts prune --older-than 7 --dry-run", shows: "what a week's limit would remove" },
  ],
  async run(invocation, terminal) {
    const [action = "list", ...rest] = invocation.positionals;
    const place = invocation.values.get("store");
    if (isDatabase(place) && action !== "show")
      throw new CliError(
        "of a database originals are only shown: plimsoll artifacts show HANDLE --store postgres://...",
      );
    const folder = place === undefined || isDatabase(place) ? "" : place;
    const store = createArtifactStore(path.resolve(terminal.directory, folder), terminal.nowMs);
    const isJson = invocation.flags.has("json");
    const answer = await ask(action, rest, { invocation, store, terminal });
    terminal.print(isJson ? renderJson(answer.json) : answer.text);
    if (answer.hasFaults) throw new CliError("some originals are not what was stored", EXIT_FAILURE);
  },
};

interface Answer {
  readonly json: object;
  readonly text: string;
  readonly hasFaults?: boolean;
}

interface Question {
  readonly invocation: Invocation;
  readonly store: ArtifactStore;
  readonly terminal: Terminal;
}

function ask(action: string, rest: readonly string[], question: Question): Answer | Promise<Answer> {
  const [handle, ...more] = rest;
  const surplus = action === "show" ? more[0] : handle;
  if (surplus !== undefined) throw new CliError(`plimsoll artifacts ${action}: "${surplus}" is one too many`);
  if (action === "list") return list(question);
  if (action === "show") return show(handle, question);
  if (action === "verify") return verify(question);
  if (action === "prune") return prune(question);
  const nearest = suggest(action, ACTIONS);
  throw new CliError(`there is no "${action}": ${nearest ? `did you mean ${nearest}?` : ACTIONS.join(", ")}`);
}

function list({ store, invocation }: Question): Answer {
  const { artifacts, unreadable } = store.list();
  const rows = artifacts.map(({ handle, generated, bytes, tool, command }) => [
    handle,
    generated.slice(0, 19).replace("T", " "),
    String(bytes),
    `  ${renderSafely(`${tool} ${command}`).slice(0, 60)}`,
  ]);
  const remark = unreadable > 0 ? `\n${renderCount(unreadable, "record")} could not be read` : "";
  const text =
    artifacts.length === 0
      ? renderNothing(invocation.values.get("store"))
      : renderTable([["handle", "stored", "bytes", ""], ...rows]);
  return { json: { artifacts, unreadable }, text: text + remark };
}

/** A gateway keeps originals and nothing about them: who asked for what is nobody's business there. */
function renderNothing(place: string | undefined): string {
  if (place === undefined) return "Nothing is kept for this project.";
  return `Nothing is listed in ${place}: a gateway keeps its originals by their handles alone. The conversation has them: plimsoll artifacts show HANDLE --store ${place}`;
}

async function show(given: string | undefined, { store, invocation }: Question): Promise<Answer> {
  if (given === undefined) throw new CliError("plimsoll artifacts show needs a handle: plimsoll artifacts lists them");
  const selection = parseSelection(invocation.values);
  // What is no handle is the name of a readable file.
  const section = parseHandle(given)?.section;
  const handle = section === undefined ? given : given.slice(0, given.lastIndexOf("#"));
  const place = invocation.values.get("store");
  const found = isDatabase(place) ? await readSharedOriginal(place, handle) : store.read(handle);
  if (!found.ok) throw new CliError(found.problem.detail, EXIT_NOTHING_FOUND);
  const { sha256, bytes } = found.value;
  const stored = decodeUtf8(bytes);
  if (stored === undefined)
    throw new CliError(`${handle} is no text: its ${bytes.length} bytes lie in .plimsoll/artifacts/objects`);
  const text = pickSection(stored, section);
  if (text === undefined) throw new CliError(`there is no line ${section} in ${handle}`, EXIT_NOTHING_FOUND);
  const selected = selectLines(text, selection);
  const { lines, totalLines, pages } = selected;
  if (lines.length === 0) refuseNothing(handle, selection, selected);
  const isWhole = Object.keys(selection).length === 0;
  const shown = lines.map(
    (line) => `${line.text.slice(0, line.text.search(/\S|$/)).replaceAll("\t", "  ")}${renderSafely(line.text)}`,
  );
  const json = { sha256, totalLines, pages, lines, text: isWhole ? text : null };
  return { json, text: shown.join("\n") };
}

/** A blank line would look like an original that is blank there. */
function refuseNothing(
  handle: string,
  { from = 1, page = 1 }: LineSelection,
  { totalLines, pages }: SelectedLines,
): void {
  if (from > totalLines && totalLines > 0) throw new CliError(`${handle} has ${renderCount(totalLines, "line")}`);
  if (page > pages) throw new CliError(`${handle} has ${renderCount(pages, "page")} to show, no page ${page}`);
}

function parseSelection(values: Invocation["values"]): LineSelection {
  const range = values.get("lines");
  const bounds = range === undefined ? undefined : /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range);
  if (bounds === null) throw new CliError(`--lines takes two numbers, such as 10-40, not "${range}"`);
  const from = bounds ? Number(bounds[1]) : undefined;
  const to = bounds ? Number(bounds[2] ?? bounds[1]) : undefined;
  if (to !== undefined && to < Math.max(1, from ?? 1))
    throw new CliError(`--lines takes the first line and the last one, from 1, such as 10-40, not "${range}"`);
  const page = parseWhole(values, "page", 1);
  const isMatch = requirePattern(values.get("pattern"));
  return {
    ...(from === undefined ? {} : { from, to }),
    ...(page === undefined ? {} : { page }),
    ...(isMatch === undefined ? {} : { isMatch }),
  };
}

function requirePattern(given: string | undefined): ((line: string) => boolean) | undefined {
  if (given === undefined) return undefined;
  const isMatch = createPatternMatcher(given, "u");
  if (isMatch) return isMatch;
  throw new CliError(
    `--pattern takes a regular expression without references and lookaround, and "${given}" is none, or too large`,
  );
}

function verify({ store }: Question): Answer {
  const verification = store.verify();
  const { checked, faults, unlisted } = verification;
  const rows = faults.map(({ name, fault }) => `  ${renderSafely(name)}: ${fault}`);
  const head = `${renderCount(checked, "file")} checked, ${renderCount(faults.length, "fault")}${unlisted > 0 ? `, ${renderCount(unlisted, "original")} without a record` : ""}`;
  return { json: verification, text: [head, ...rows].join("\n"), hasFaults: faults.length > 0 };
}

function prune({ store, invocation: { values, flags } }: Question): Answer {
  const exceptSession = values.get("keep-session");
  const maxMegabytes = parseWhole(values, "max-mb", 0);
  const days = parseWhole(values, "older-than", 0);
  const isUntold = exceptSession === undefined && maxMegabytes === undefined && days === undefined;
  const pruned = store.prune({
    olderThanMs: isUntold ? DEFAULT_DAYS * DAY_MS : days === undefined ? undefined : days * DAY_MS,
    exceptSession,
    maxBytes: maxMegabytes === undefined ? undefined : maxMegabytes * 1e6,
    isDryRun: flags.has("dry-run"),
  });
  if (!pruned.ok) throw new CliError(pruned.problem.detail, EXIT_FAILURE);
  const { removed, kept, freedBytes } = pruned.value;
  const verb = flags.has("dry-run") ? "would be removed" : "removed";
  return {
    json: { ...pruned.value, isDryRun: flags.has("dry-run") },
    text: `${renderCount(removed.length, "artifact")} ${verb}, ${renderCount(freedBytes, "byte")} freed, ${kept} kept`,
  };
}
