import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { errorCode, renderFailure } from "../../../../core/render-failure.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../core/utf8.ts";
import { type ArtifactStore, createArtifactStore } from "../../../../files/artifacts/artifacts.ts";
import { pruneEnded } from "../../../../files/artifacts/prune-artifacts.ts";
import { attempt } from "../../../../files/artifacts/store-result.ts";
import { parsePicture } from "../../../../survive/recall/picture.ts";
import { isDatabase, readDatabase } from "../../../gateway/store/catalogue.ts";
import { openPlace } from "../../../mcp/place.ts";
import {
  CliError,
  type Command,
  type CommandAnswer,
  defineCommand,
  hintAt,
  type Invocation,
  parseWhole,
  type Terminal,
} from "../../command.ts";
import {
  describeConversations,
  findOriginal,
  type Given,
  type Library,
  locatePlace,
  openLibrary,
} from "../../find-original.ts";
import { renderSafely, renderTable } from "../../print/style.ts";

/** Shows an original unchanged in a file or a pipe, without even a line feed more; on a terminal without control characters. */
function showOriginal(given: Given, invocation: Invocation, terminal: Terminal): void {
  const text = decodeUtf8(given.bytes);
  const picture = text === undefined ? undefined : parsePicture(text);
  const bytes = picture === undefined ? given.bytes : Buffer.from(picture.data, "base64");
  const file = invocation.values.get("output");
  if (file !== undefined) writeNew(path.resolve(terminal.directory, file), bytes);
  else if (!terminal.isTerminal) terminal.write(bytes);
  else if (text !== undefined && picture === undefined)
    terminal.write(encodeUtf8(text.split("\n").map(renderLine).join("\n")));
  else {
    const what = `${picture?.mediaType ?? "not text"}, ${renderCount(bytes.length, "byte")}`;
    terminal.print(`${what}. To save the original, run: plimsoll artifacts show ${given.name} --output FILE`);
  }
}

/** Never overwrites an existing file. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: "wx" });
  } catch (error) {
    const why = errorCode(error) === "EEXIST" ? "it already exists" : renderFailure(error);
    throw CliError.failed(`${file} could not be written: ${why}`);
  }
}

function renderLine(line: string): string {
  return `${line.slice(0, line.search(/\S|$/)).replaceAll("\t", "  ")}${renderSafely(line)}`;
}

const ACTIONS = ["list", "show", "verify", "prune"] as const;
const DAY_MS = 86_400_000;
const SELECT = "pipe plimsoll artifacts show HANDLE to sed -n or grep instead";

export const artifactsCommand: Command = defineCommand({
  name: "artifacts",
  isVerbatim: true,
  summary: "Lists, shows, checks and removes the stored originals of folded outputs",
  positional: { name: "ACTION", help: "list (the default), show HANDLE, verify or prune" },
  formerOptions: { lines: SELECT, page: SELECT, pattern: SELECT },
  options: {
    output: { value: "FILE", help: "with show: write the original to a new file; pictures are decoded" },
    store: { value: "WHERE", help: "the folder of a gateway's store, or postgres://... (only with show)" },
    "older-than": {
      value: "DAYS",
      help: "with prune: remove originals older than this many days, even if you can still resume their conversations",
    },
    "keep-session": { value: "ID", help: "with prune: remove everything except what this session stored" },
    "max-mb": { value: "N", help: "with prune: remove the oldest originals until at most N MB are left" },
    "dry-run": { help: "with prune: report what would be removed, but remove nothing" },
  },
  examples: {
    "plimsoll artifacts": "lists what is stored for the current project, oldest first",
    "plimsoll artifacts verify": "checks that every stored original is unchanged",
    "plimsoll artifacts prune": "removes originals of conversations that you can no longer resume",
    "plimsoll artifacts prune --older-than 7 --dry-run": "counts the originals that are more than a week old",
  },
  async run(invocation, terminal) {
    const [action = "list", ...rest] = invocation.positionals;
    const place = invocation.values.get("store");
    const isShared = place !== undefined && isDatabase(place);
    if (isShared && action !== "show")
      throw new CliError(
        "with a database, you can only show originals: plimsoll artifacts show HANDLE --store postgres://...",
      );
    const folder = place === undefined || isShared ? "" : place;
    const store = createArtifactStore(path.resolve(terminal.directory, folder), terminal.nowMs);
    const question: Question = { invocation, store, terminal };
    const [handle] = rest;
    const surplus = action === "show" ? rest[1] : handle;
    if (surplus !== undefined) throw new CliError(`plimsoll artifacts ${action}: unexpected argument "${surplus}"`);
    if (action === "show") return show(handle, question);
    if (action === "list") return list(question);
    if (action === "verify") return verify(question);
    if (action === "prune") return prune(question);
    throw new CliError(`plimsoll artifacts has no action "${action}": ${hintAt(action, ACTIONS)}`);
  },
});

interface Question {
  readonly invocation: Invocation;
  readonly store: ArtifactStore;
  readonly terminal: Terminal;
}

function list({ store, invocation, terminal }: Question): CommandAnswer {
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
  return { json: { artifacts, unreadable }, text: () => text + remark };
}

/** A gateway stores originals without anything about the requests they came from, for privacy. */
function renderNothing(place: string | undefined): string {
  if (place === undefined) return "Nothing is stored for this project.";
  return `The originals in ${place} cannot be listed, because a gateway stores them only by handle. The conversation contains the handles. Run: plimsoll artifacts show HANDLE --store ${place}`;
}

/** The contents of a gateway's store, or everything that left the project's conversations. */
function chooseLibrary({ store, invocation, terminal }: Question): Library {
  const place = invocation.values.get("store");
  if (place === undefined) return openLibrary(terminal);
  const read: Library["read"] = async (handle) => {
    if (!isDatabase(place)) return store.read(handle);
    try {
      return await readDatabase(place, handle);
    } catch (error) {
      // Do not print the error: it may contain the address, and the address may contain a password.
      const why = `the database could not be queried (${errorCode(error) || "no answer"})`;
      throw CliError.failed(`${why}: check --store, and that the database is running`);
    }
  };
  return { read, handles: () => [], readCall: async () => [] };
}

async function show(handle: string | undefined, question: Question): Promise<CommandAnswer | undefined> {
  if (handle === undefined) throw new CliError("plimsoll artifacts show needs a handle; plimsoll artifacts lists all");
  const { invocation, terminal } = question;
  const given = await findOriginal(chooseLibrary(question), handle);
  if (!invocation.flags.has("json")) {
    showOriginal(given, invocation, terminal);
    return undefined;
  }
  if (invocation.values.has("output")) throw new CliError("--output writes the original itself: leave out --json");
  const { name, sha256, bytes } = given;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new CliError(`${name} is not text: save its ${bytes.length} bytes with --output FILE`);
  return { json: { name, sha256, bytes: bytes.length, text }, text: () => text };
}

function verify({ store }: Question): CommandAnswer {
  const verification = store.verify();
  const { checked, faults, unlisted } = verification;
  const rows = faults.map(({ name, fault }) => `  ${renderSafely(name)}: ${fault}`);
  const head = `${renderCount(checked, "file")} checked, ${renderCount(faults.length, "fault")}${unlisted > 0 ? `, ${renderCount(unlisted, "original")} without a record` : ""}`;
  const failure = CliError.failed("some originals have changed since they were stored");
  const text = (): string => [head, ...rows].join("\n");
  return { json: verification, text, failure: faults.length > 0 ? failure : undefined };
}

/** By default removes what left conversations that can no longer be resumed. */
function prune({ store, invocation: { values, flags }, terminal }: Question): CommandAnswer {
  const exceptSession = values.get("keep-session");
  const maxMegabytes = parseWhole(values, "max-mb", 0);
  const days = parseWhole(values, "older-than", 0);
  const isDryRun = flags.has("dry-run");
  const isUnspecified = exceptSession === undefined && maxMegabytes === undefined && days === undefined;
  const pruned =
    isUnspecified && !values.has("store")
      ? attempt("unwritable", () => pruneEnded(describeConversations(terminal), isDryRun))
      : store.prune({
          olderThanMs: days === undefined ? undefined : days * DAY_MS,
          exceptSession,
          maxBytes: maxMegabytes === undefined ? undefined : maxMegabytes * 1e6,
          isDryRun,
        });
  if (!pruned.ok) throw CliError.failed(pruned.problem.detail);
  const { removed, kept, freedBytes } = pruned.value;
  const verb = isDryRun ? "would be removed" : "removed";
  return {
    json: { ...pruned.value, isDryRun },
    text: () =>
      `${renderCount(removed.length, "artifact")} ${verb}, ${renderCount(freedBytes, "byte")} freed, ${kept} kept`,
  };
}
