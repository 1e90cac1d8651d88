import { type JsonObject, textField, textListField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Notice, Vocabulary } from "../../session/action.ts";
import {
  asks,
  delegates,
  interpretBy,
  interpretResultBy,
  patches,
  plans,
  reads,
  runs,
  searches,
} from "../tool-table.ts";

const READ = reads(["path", "file_path"]);
const SEARCH = searches(["pattern"], ["path", "dir_path"]);

export const codexVocabulary: Vocabulary & CallVocabulary = {
  // Codex has no tool for it: commands read files.
  readTool: "exec_command",
  interpretCall: interpretBy({
    exec_command: runs(["cmd"]),
    shell: runShell,
    local_shell: runShell,
    shell_command: runShell,
    "container.exec": runShell,
    apply_patch: patches(["input", "patch"]),
    update_plan: plans("plan", "step"),
    view_image: READ,
    read_file: READ,
    grep_files: SEARCH,
    list_dir: SEARCH,
    spawn_agent: delegates([], ["message"]),
    request_user_input: asks(),
  }),
  interpretResult: interpretResultBy({
    findExitCode: parseExitCode,
    isRefused: (text) =>
      /^(?:exec_command|shell_command|patch|command)? ?(?:rejected|aborted|denied) by (?:the )?user/i.test(text),
  }),
  interpretNotice,
  interpretNote: (text) =>
    /^\s{0,9}<(?:environment_context|image|\/image)\b/.test(text) ? { text: "", isReport: false } : undefined,
  isBoilerplate: (label) => BOILERPLATE.has(label),
};

const BOILERPLATE: ReadonlySet<string> = new Set(
  `instructions environment_context permissions collaboration_mode apps_instructions skills_instructions
  plugins_instructions app-context personality_spec`.split(/\s+/),
);

function runShell(input: JsonObject): Action {
  return { kind: "run", command: textField(input, "command") || renderArguments(textListField(input, "command")) };
}

/** Of `["bash", "-lc", "…"]` only the last word counts. */
function renderArguments(words: readonly string[]): string {
  const [shell = "", option = "", script] = words;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(option) && script !== undefined
    ? script
    : words.join(" ");
}

/** Newer clients: `Process exited with code 0`; older: `Exit code: 0`, or JSON with it. `undefined` for one that still runs. */
export function parseExitCode(text: string): number | undefined {
  const opening = text.slice(0, 400);
  const [, code] =
    /^Exit code: (\d{1,10})$/m.exec(opening) ?? /^Process exited with code (-?\d{1,10})$/m.exec(opening) ?? [];
  if (code !== undefined) return Number(code);
  const [, inJson] = /"exit_code":\s{0,4}(-?\d{1,10})/.exec(text.startsWith("{") ? text.slice(-400) : "") ?? [];
  return inJson === undefined ? undefined : Number(inJson);
}

function interpretNotice(text: string): Notice | undefined {
  return text.trimStart().startsWith("<turn_aborted>") ? { kind: "interrupted" } : undefined;
}
