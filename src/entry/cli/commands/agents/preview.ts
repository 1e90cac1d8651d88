import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../../../core/render-count.ts";
import { appendPrivateFile, writePrivateFile } from "../../../../files/private-files.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { applyDispatchCaps, type Bundle, type CappedBundle } from "../../../../recorded/preview/apply-dispatch-caps.ts";
import { type ContextPreview, PREVIEW_CALLERS, previewContext } from "../../../../recorded/preview/preview-context.ts";
import { CliError, type Command, defineCommand, type Invocation, parseWhole, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely, renderTokens } from "../../print/style.ts";
import { requireText } from "../../require-text.ts";

export const previewCommand: Command = defineCommand({
  name: "preview",
  isVerbatim: true,
  summary: "Checks whether a bundle of files is small enough for another model, before you build it",
  positional: { name: "FILE", help: "a file that the bundle would contain" },
  options: {
    caller: { value: "NAME", help: "the skill that sends the bundle, which sets the limits", choices: PREVIEW_CALLERS },
    files: { help: "may precede the list of files; has no effect" },
    prompt: { value: "FILE", help: "a file with the text of the [USER] section" },
    system: { value: "FILE", help: "a file with the text of the [SYSTEM] section" },
    truncate: { value: "CHARS", help: "how many characters of each file the caller sends; by default all" },
    profile: {
      value: "NAME",
      help: "how to estimate the tokens: calibrated gives an upper bound, compat divides the number of characters by 4",
      choices: ["calibrated", "compat"],
    },
    dispatch: { help: "print the bundle, cut to the hard limits, to pipe it on; the verdict goes to stderr" },
    built: { help: "say that the bundle is already built; the command then fails, because it is too late to check" },
  },
  examples: {
    "plimsoll preview --caller team --files session.jsonl": "prints proceed, warn or block, and the largest files",
    "plimsoll preview --caller review --files session.jsonl --prompt session.jsonl --json":
      "prints the context.preview signal as JSON",
  },
  run(invocation, terminal) {
    const caller = invocation.values.get("caller");
    if (caller === undefined)
      throw new CliError(`plimsoll preview needs a caller: --caller ${PREVIEW_CALLERS.join("|")}`);
    if (invocation.flags.has("built")) throw new CliError("preview a bundle before you build it, not after");
    const bundle = readBundle(invocation, terminal);
    const maxFileChars = parseWhole(invocation.values, "truncate", 1);
    const profile = invocation.values.get("profile") === "compat" ? "compat" : "calibrated";
    const options = { environment: terminal.environment, profile, ...(maxFileChars && { maxFileChars }) } as const;
    const preview = previewContext({ caller, ...bundle }, options);
    const dispatch = applyDispatchCaps(bundle);
    if (invocation.flags.has("dispatch") && invocation.flags.has("json"))
      throw new CliError("pass either --dispatch (prints the bundle) or --json (prints the answer), not both");
    const recorded = recordPreview(preview, terminal);
    for (const warning of preview.warnings) terminal.remark(`plimsoll: ${warning}\n`);
    if (invocation.flags.has("dispatch")) return sendOn(preview, dispatch, terminal);
    return {
      json: { ...preview, dispatch: toJson(dispatch), recorded_in: recorded },
      text: () => renderPreview(preview, dispatch, terminal),
      failure: preview.action === "block" ? refuse(preview) : undefined,
    };
  },
});

/** Stdout gets only what may go to the other model, and nothing if it is not allowed. */
function sendOn(preview: ContextPreview, dispatch: CappedBundle, terminal: Terminal): undefined {
  terminal.remark(`${renderPreview(preview, dispatch, terminal)}\n`);
  for (const name of dispatch.truncated) terminal.remark(`cut: ${renderSafely(name)}\n`);
  for (const name of dispatch.dropped) terminal.remark(`dropped: ${renderSafely(name)}\n`);
  if (preview.action === "block") throw refuse(preview);
  if (dispatch.text === undefined)
    throw CliError.failed(`refused: the bundle has ${dispatch.chars} characters even without any file`);
  terminal.print(dispatch.text);
}

function refuse({ on_block: blocked }: ContextPreview): CliError {
  return CliError.failed(`blocked: ${blocked?.advice}`);
}

function readBundle({ positionals, values }: Invocation, terminal: Terminal): Bundle {
  if (positionals.length === 0)
    throw new CliError("plimsoll preview needs files: plimsoll preview --caller team --files FILE...");
  const textOf = (name: string): string => {
    const given = values.get(name);
    return given === undefined ? "" : requireText(given, terminal);
  };
  const files = [...new Set(positionals)].map((path) => ({ path, text: requireText(path, terminal) }));
  return { system: textOf("system"), user: textOf("prompt"), files };
}

function toJson({ text, fileCount, isUserTruncated, chars, truncated, dropped }: CappedBundle) {
  const fits = text !== undefined;
  return { fits, chars, file_count: fileCount, user_truncated: isUserTruncated, truncated, dropped };
}

const TONES = { proceed: "green", warn: "yellow", block: "red" } as const;

function renderPreview(preview: ContextPreview, dispatch: CappedBundle, terminal: Terminal): string {
  const { action, caller, threshold, gated_tokens: gated, top_5_files_by_size: top, on_block: blocked } = preview;
  const files = renderCount(preview.file_count, "file");
  return joinLines(
    `${paint(terminal, TONES[action], action)}: ${renderTokens(gated)} tokens for ${caller} (warns at ${renderTokens(threshold.warn_at)}, blocks at ${renderTokens(threshold.block_at)})`,
    `${files}, ${preview.total_chars} characters: about ${renderTokens(preview.calibrated_tokens)} tokens, at most ${renderTokens(preview.upper_tokens)} (characters / 4: ${renderTokens(preview.estimated_tokens)})`,
    top.length > 0 && ["largest files:", ...top.map(({ path, chars }) => `  ${chars}  ${renderSafely(path)}`)],
    blocked !== null && `what to do: ${blocked.advice}`,
    blocked?.split?.map((paths, index) => `  worker ${index + 1}: ${paths.map(renderSafely).join(", ")}`),
    renderDispatch(dispatch),
  );
}

function renderDispatch({ text, chars, fileCount, isUserTruncated, truncated, dropped }: CappedBundle): string {
  if (text === undefined) return `at dispatch: refused (${chars} characters even without any file)`;
  const cuts = [
    truncated.length > 0 ? `${truncated.length} cut` : "",
    dropped.length > 0 ? `${dropped.length} dropped` : "",
    isUserTruncated ? "the prompt cut" : "",
  ].filter((cut) => cut !== "");
  const end = cuts.length === 0 ? "nothing cut" : cuts.join(", ");
  return `at dispatch, after the hard caps: ${chars} characters, ${fileCount} file${fileCount === 1 ? "" : "s"}, ${end}`;
}

/** The file starts over above this size. */
const MAX_BYTES = 1024 * 1024;

/** Appends a line for each answer. Returns the file, or `null` if it could not be written: a record is not worth failing for. */
function recordPreview(preview: ContextPreview, { environment, directory, nowMs }: Terminal): string | null {
  const folder = locateOwnData(environment);
  const file = path.join(folder, "previews.jsonl");
  const line = `${JSON.stringify({ atMs: nowMs(), directory, ...preview })}\n`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) + line.length > MAX_BYTES;
    if (isFull) writePrivateFile(file, line);
    else appendPrivateFile(file, line);
    return file;
  } catch {
    return null;
  }
}
