import type { Message } from "../../../core/message.ts";
import { renderCount } from "../../../core/render-count.ts";
import { sha256 } from "../../../core/sha256.ts";
import { decodeUtf8, encodeUtf8 } from "../../../core/utf8.ts";
import { hostOf } from "../../../hosts/catalogue.ts";
import { parseHandles } from "../../../survive/recall/recall-request.ts";
import { renderTranscript } from "../../../wire/run-layers.ts";
import { openPlace } from "../../mcp/place.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../command.ts";
import { findOriginal, type Given, locatePlace, openLibrary } from "../find-original.ts";
import { renderPage, renderSafely, renderTable } from "../print/style.ts";
import { chooseTranscript, requireRecorded, SESSION_OPTIONS } from "../require-session.ts";

export const undoCommand: Command = defineCommand({
  name: "undo",
  isVerbatim: true,
  summary: "Prints text that a fold or a compaction removed, so that you can add it to the conversation as a new turn",
  positional: {
    name: "WHAT",
    help: "the handle of a fold (plimsoll:…), or the words compaction N; without WHAT, plimsoll undo lists the folds and compactions, and shows how to add their text as a new turn",
  },
  options: {
    ...SESSION_OPTIONS,
    raw: { help: "print the original bytes, for a pipe; their verified hash goes to stderr" },
  },
  examples: {
    "plimsoll undo": "lists what you can restore in this project, and how",
    "plimsoll undo compaction 1": "prints the messages that the session's first compaction removed",
  },
  async run(invocation, terminal) {
    const [what, number, ...rest] = invocation.positionals;
    const isCompaction = what === "compaction";
    const surplus = isCompaction ? rest[0] : number;
    if (surplus !== undefined) throw new CliError(`plimsoll undo: unexpected argument "${surplus}"`);
    if (what === undefined) return list(invocation, terminal);
    if (isCompaction) return show(readCompaction(number, invocation, terminal), invocation, terminal);
    if (parseHandles([what]).some(({ digits }) => digits === undefined))
      throw new CliError(`"${what}" is not a handle: pass plimsoll:… or compaction N, as listed by plimsoll undo`);
    return show(await findOriginal(openLibrary(terminal), what), invocation, terminal);
  },
});

function readCompaction(number: string | undefined, invocation: Invocation, terminal: Terminal): Given {
  const file = chooseTranscript(invocation, terminal);
  const dropped = readDropped(file);
  const wanted = number === undefined ? dropped.length : Number(number);
  const found = dropped.find(({ compaction }) => compaction === wanted);
  const none = `${file} records ${renderCount(dropped.length, "compaction")}, but no compaction ${number ?? 1}`;
  if (!found) throw CliError.foundNothing(none);
  // Folded output stays folded and comes back by its own handle.
  const bytes = encodeUtf8(renderTranscript(found.messages));
  return { name: `compaction ${wanted}`, sha256: sha256(bytes), bytes };
}

function show(given: Given, { flags }: Invocation, terminal: Terminal) {
  const { name, sha256: hash, bytes } = given;
  const text = decodeUtf8(bytes);
  if (flags.has("raw") && !flags.has("json")) {
    terminal.write(bytes);
    terminal.remark(`plimsoll: ${name}, ${renderCount(bytes.length, "byte")}; verified sha256 of the whole: ${hash}\n`);
    return undefined;
  }
  return {
    json: { name, sha256: hash, bytes: bytes.length, text },
    text: () => {
      if (text === undefined) throw new CliError(`${name} is not text: print its ${bytes.length} bytes with --raw`);
      // Indented, so that no line of it can be mistaken for one of ours.
      return `  ${renderPage(text, terminal).replaceAll("\n", "\n  ")}`;
    },
  };
}

function list(invocation: Invocation, terminal: Terminal) {
  const file = chooseTranscript(invocation, terminal);
  const host = hostOf(file, terminal.hosts);
  const sessionId = host.nameSession(file);
  const folds = openPlace(locatePlace(terminal)).list().artifacts;
  const compactions = readDropped(file);
  const rows = [
    ...folds.map(({ handle, bytes, tool, command }) => [
      handle,
      renderCount(bytes, "byte"),
      `  ${renderSafely(`${tool} ${command}`).slice(0, 40)}`,
    ]),
    ...compactions.map((dropped) => [
      `compaction ${dropped.compaction}`,
      renderCount(dropped.messages.length, "message"),
      `  ${renderSafely(dropped.trigger)}`,
    ]),
  ];
  const lines =
    rows.length === 0
      ? ["Nothing was folded in this project, and nothing was compacted in its newest session."]
      : [
          renderTable(rows),
          "",
          "To print one of these, run: plimsoll undo WHAT. To add it to the conversation as a new turn, run:",
          `  plimsoll undo WHAT --raw | ${host.renderResume(renderSafely(sessionId))} "The text that was removed earlier follows."`,
          "In a running session, give the model a handle, so that it fetches the original with the recall tool.",
        ];
  const listed = compactions.map((dropped) => ({ ...dropped, messages: dropped.messages.length }));
  return { json: { sessionId, folds, compactions: listed }, text: () => lines.join("\n") };
}

interface Dropped {
  /** From 1, in the order of the transcript. */
  readonly compaction: number;
  readonly trigger: string;
  readonly atMs: number | undefined;
  readonly messages: readonly Message[];
}

/** The client keeps every line above a compaction boundary in the file; we read them from there. */
function readDropped(file: string): readonly Dropped[] {
  const dropped: Dropped[] = [];
  let messages: Message[] = [];
  for (const event of requireRecorded(file).events) {
    if (event.kind === "output") messages.push({ id: event.origin, role: "assistant", blocks: event.blocks });
    if (event.kind === "arrival") messages.push({ id: event.origin, role: event.role, blocks: [event.block] });
    if (event.kind !== "compaction") continue;
    dropped.push({ compaction: dropped.length + 1, trigger: event.trigger, atMs: event.atMs, messages });
    messages = [];
  }
  return dropped;
}
