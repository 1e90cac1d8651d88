import path from "node:path";
import { errorCode } from "../../../core/error-code.ts";
import { renderCount } from "../../../core/render-count.ts";
import { type ArtifactStore, createArtifactStore } from "../../../files/artifacts.ts";
import { pruneEnded } from "../../../files/prune-ended.ts";
import { attempt, type StoreResult } from "../../../files/store-result.ts";
import { findShared } from "../../gateway/store/catalogue.ts";
import type { SharedStore, StoredOriginal } from "../../gateway/store/gateway-store.ts";
import { openPlace } from "../../mcp/place.ts";
import { describeConversations } from "../artifacts/describe-conversations.ts";
import { parseSelection, showOriginal } from "../artifacts/show-original.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_FAILURE, type Invocation, type Terminal } from "../command.ts";
import { findOriginal, type Library, locatePlace, openLibrary } from "../find-original.ts";
import { parseWhole } from "../parse-whole.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely, renderTable } from "../style.ts";
import { suggest } from "../suggest.ts";

const ACTIONS = ["list", "show", "verify", "prune"] as const;
const DAY_MS = 86_400_000;

export const artifactsCommand: Command = {
  name: "artifacts",
  isVerbatim: true,
  summary: "The originals of folded outputs: list them, read them, check them, clear old ones",
  positional: { name: "ACTION", help: "list (unless told), show HANDLE, verify, prune" },
  options: [
    { name: "lines", value: "A-B", help: "with show: these lines of the original" },
    { name: "page", value: "N", help: "with show: 200 lines at a time" },
    { name: "pattern", value: "RE", help: "with show: the lines that match" },
    { name: "output", value: "FILE", help: "with show: write its bytes into a new file, a picture as a picture" },
    { name: "store", value: "WHERE", help: "a gateway's store: its folder, or postgres://... (show only)" },
    {
      name: "older-than",
      value: "DAYS",
      help: "with prune: what is older, whether its conversation can be resumed or not",
    },
    { name: "keep-session", value: "ID", help: "with prune: whatever another session stored" },
    { name: "max-mb", value: "N", help: "with prune: the oldest, until no more than this is left" },
    { name: "dry-run", help: "with prune: say what would go, and remove nothing" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll artifacts", shows: "what is kept for the project you are in, oldest first" },
    { command: "plimsoll artifacts verify", shows: "whether every byte is still what was stored" },
    { command: "plimsoll artifacts prune", shows: "clears what left conversations that cannot be resumed any more" },
    { command: "plimsoll artifacts prune --older-than 7 --dry-run", shows: "what a week's limit would remove" },
  ],
  async run(invocation, terminal) {
    const [action = "list", ...rest] = invocation.positionals;
    const place = invocation.values.get("store");
    const shared = findShared(place);
    if (shared && action !== "show")
      throw new CliError(
        "of a database originals are only shown: plimsoll artifacts show HANDLE --store postgres://...",
      );
    const folder = place === undefined || shared ? "" : place;
    const store = createArtifactStore(path.resolve(terminal.directory, folder), terminal.nowMs);
    const isJson = invocation.flags.has("json");
    const question: Question = { invocation, store, terminal };
    const [handle, ...surplus] = rest;
    if (action === "show" && surplus.length === 0) return show(handle, question);
    const answer = ask(action, rest, question);
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

function ask(action: string, rest: readonly string[], question: Question): Answer {
  const [handle, ...more] = rest;
  const surplus = action === "show" ? more[0] : handle;
  if (surplus !== undefined) throw new CliError(`plimsoll artifacts ${action}: "${surplus}" is one too many`);
  if (action === "list") return list(question);
  if (action === "verify") return verify(question);
  if (action === "prune") return prune(question);
  const nearest = suggest(action, ACTIONS);
  throw new CliError(`there is no "${action}": ${nearest ? `did you mean ${nearest}?` : ACTIONS.join(", ")}`);
}

function list({ store, invocation, terminal }: Question): Answer {
  const place = invocation.values.get("store");
  const { artifacts, unreadable } = place === undefined ? openPlace(locatePlace(terminal)).list() : store.list();
  const rows = artifacts.map(({ handle, generated, bytes, tool, command }) => [
    handle,
    generated.slice(0, 19).replace("T", " "),
    String(bytes),
    `  ${renderSafely(`${tool} ${command}`).slice(0, 60)}`,
  ]);
  const remark = unreadable > 0 ? `\n${renderCount(unreadable, "record")} could not be read` : "";
  const text =
    artifacts.length === 0 ? renderNothing(place) : renderTable([["handle", "stored", "bytes", ""], ...rows]);
  return { json: { artifacts, unreadable }, text: text + remark };
}

/** A gateway keeps originals and nothing about them: who asked for what is nobody's business there. */
function renderNothing(place: string | undefined): string {
  if (place === undefined) return "Nothing is kept for this project.";
  return `Nothing is listed in ${place}: a gateway keeps its originals by their handles alone. The conversation has them: plimsoll artifacts show HANDLE --store ${place}`;
}

/** Of a gateway's store what lies in it; otherwise whatever left the conversations of the project. */
function chooseLibrary({ store, invocation, terminal }: Question): Library {
  const place = invocation.values.get("store");
  if (place === undefined) return openLibrary(terminal);
  const shared = findShared(place);
  const read: Library["read"] = shared ? (name) => readSharedOriginal(shared, place, name) : store.read;
  return { read, handles: () => [], readCall: async () => [] };
}

async function show(handle: string | undefined, question: Question): Promise<void> {
  if (handle === undefined) throw new CliError("plimsoll artifacts show needs a handle: plimsoll artifacts lists them");
  const selection = parseSelection(question.invocation.values);
  showOriginal(await findOriginal(chooseLibrary(question), handle), selection, question);
}

function verify({ store }: Question): Answer {
  const verification = store.verify();
  const { checked, faults, unlisted } = verification;
  const rows = faults.map(({ name, fault }) => `  ${renderSafely(name)}: ${fault}`);
  const head = `${renderCount(checked, "file")} checked, ${renderCount(faults.length, "fault")}${unlisted > 0 ? `, ${renderCount(unlisted, "original")} without a record` : ""}`;
  return { json: verification, text: [head, ...rows].join("\n"), hasFaults: faults.length > 0 };
}

/** Unless told otherwise, what left conversations that cannot be resumed any more. */
function prune({ store, invocation: { values, flags }, terminal }: Question): Answer {
  const exceptSession = values.get("keep-session");
  const maxMegabytes = parseWhole(values, "max-mb", 0);
  const days = parseWhole(values, "older-than", 0);
  const isDryRun = flags.has("dry-run");
  const isUntold = exceptSession === undefined && maxMegabytes === undefined && days === undefined;
  const pruned =
    isUntold && !values.has("store")
      ? attempt("unwritable", () => pruneEnded(describeConversations(terminal), isDryRun))
      : store.prune({
          olderThanMs: days === undefined ? undefined : days * DAY_MS,
          exceptSession,
          maxBytes: maxMegabytes === undefined ? undefined : maxMegabytes * 1e6,
          isDryRun,
        });
  if (!pruned.ok) throw new CliError(pruned.problem.detail, EXIT_FAILURE);
  const { removed, kept, freedBytes } = pruned.value;
  const verb = isDryRun ? "would be removed" : "removed";
  return {
    json: { ...pruned.value, isDryRun },
    text: `${renderCount(removed.length, "artifact")} ${verb}, ${renderCount(freedBytes, "byte")} freed, ${kept} kept`,
  };
}

/** An original from the database of a fleet. */
async function readSharedOriginal(
  shared: SharedStore,
  name: string,
  handle: string,
): Promise<StoreResult<StoredOriginal>> {
  try {
    return await shared.readOriginal(name, handle);
  } catch (error) {
    // The address may hold a password, and some errors hold the address.
    const code = errorCode(error) || "no answer";
    throw new CliError(`the database could not be asked (${code}): is --store right, and is it up?`, EXIT_FAILURE);
  }
}
