import { applyDispatchCaps } from "../../../recorded/preview/apply-dispatch-caps.ts";
import type { Bundle } from "../../../recorded/preview/bundle.ts";
import { PREVIEW_CALLERS } from "../../../recorded/preview/caller.ts";
import { previewContext } from "../../../recorded/preview/preview-context.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_FAILURE, type Invocation, type Terminal } from "../command.ts";
import { parseWhole } from "../parse-whole.ts";
import { recordPreview } from "../preview/record-preview.ts";
import { renderPreview } from "../preview/render-preview.ts";
import { renderJson } from "../render-json.ts";
import { requireText } from "../require-text.ts";

export const previewCommand: Command = {
  name: "preview",
  summary: "Whether a bundle of files may go to another model, asked before it is built",
  positional: { name: "FILE", help: "what would go into it" },
  options: [
    { name: "caller", value: "NAME", help: "who asks; decides the thresholds", choices: PREVIEW_CALLERS },
    { name: "files", help: "the words that follow are the files; may be left out" },
    { name: "prompt", value: "FILE", help: "what would stand under [USER]" },
    { name: "system", value: "FILE", help: "what would stand under [SYSTEM]" },
    {
      name: "truncate",
      value: "CHARS",
      help: "the caller cuts each file to so many characters; whole files unless told",
    },
    {
      name: "profile",
      value: "NAME",
      help: "what is compared: our upper bound, or a quarter of the characters",
      choices: ["calibrated", "compat"],
    },
    { name: "built", help: "the bundle is built already: too late to ask, an error" },
    JSON_OPTION,
  ],
  examples: [
    {
      command: "plimsoll preview --caller team --files session.jsonl",
      shows: "proceed, warn or block, and what weighs most",
    },
    {
      command: "plimsoll preview --caller review --files session.jsonl --prompt session.jsonl --json",
      shows: "the signal context.preview, for a script",
    },
  ],
  run(invocation, terminal) {
    const caller = invocation.values.get("caller");
    if (caller === undefined)
      throw new CliError(`plimsoll preview needs to know who asks: --caller ${PREVIEW_CALLERS.join("|")}`);
    if (invocation.flags.has("built"))
      throw new CliError("a preview is asked for before the bundle is built: ask first, then build");
    const bundle = readBundle(invocation, terminal);
    const maxFileChars = parseWhole(invocation.values, "truncate", 1);
    const preview = previewContext(
      { caller, ...bundle },
      {
        environment: terminal.environment,
        profile: invocation.values.get("profile") === "compat" ? "compat" : "calibrated",
        ...(maxFileChars === undefined ? {} : { maxFileChars }),
      },
    );
    const dispatch = applyDispatchCaps(bundle);
    const recorded = recordPreview(preview, terminal);
    for (const warning of preview.warnings) terminal.remark(`plimsoll: ${warning}\n`);
    terminal.print(
      invocation.flags.has("json")
        ? renderJson({ ...preview, dispatch: toJson(dispatch), recorded_in: recorded })
        : renderPreview(preview, dispatch, terminal),
    );
    if (preview.action === "block") throw new CliError(`blocked: ${preview.on_block?.advice}`, EXIT_FAILURE);
  },
};

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

function toJson({ text, chars, fileCount, isUserTruncated, truncated, dropped }: ReturnType<typeof applyDispatchCaps>) {
  return {
    fits: text !== undefined,
    chars,
    file_count: fileCount,
    user_truncated: isUserTruncated,
    truncated,
    dropped,
  };
}
