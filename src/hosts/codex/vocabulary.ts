import { type JsonObject, textField, textListField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Action, Vocabulary } from "../../session/action.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";

const READ = { kind: "read", path: ["path", "file_path"] } as const;
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["path", "dir_path"] } as const;

export const codexVocabulary: Vocabulary & CallVocabulary = {
  // Codex has no tool for it: commands read files.
  readTool: "exec_command",
  interpretCall: interpretBy({
    exec_command: { kind: "run", command: ["cmd"] },
    shell: runShell,
    local_shell: runShell,
    shell_command: runShell,
    "container.exec": runShell,
    apply_patch: { kind: "patch", text: ["input", "patch"] },
    update_plan: { kind: "plan", list: "plan", subject: "step" },
    view_image: READ,
    read_file: READ,
    grep_files: SEARCH,
    list_dir: SEARCH,
    spawn_agent: { kind: "delegate", prompt: ["message"] },
    request_user_input: { kind: "ask" },
  }),
  interpretResult: interpretResultBy({
    findExitCode: parseExitCode,
    isRefused: (text) =>
      /^(?:exec_command|shell_command|patch|command)? ?(?:rejected|aborted|denied) by (?:the )?user/i.test(text),
  }),
  interpretNotice: (text) => (text.trimStart().startsWith("<turn_aborted>") ? { kind: "interrupted" } : undefined),
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
  return (
    findNumber(opening, /^Exit code: (\d{1,10})$/m) ??
    findNumber(opening, /^Process exited with code (-?\d{1,10})$/m) ??
    findNumber(text.startsWith("{") ? text.slice(-400) : "", /"exit_code":\s{0,4}(-?\d{1,10})/)
  );
}
