import { nameModeFile, readActiveMode, readModeText, writeActiveMode } from "../../../../files/mode-files.ts";
import { estimateTextTokens } from "../../../../models/tokens.ts";
import { type ActiveMode, isMode, MODES, NO_MODE } from "../../../../policy/mode/parse-active-mode.ts";
import { CliError, type Command, defineCommand, hintAt } from "../../command.ts";
import { explainProblem } from "../../require-session.ts";

const CHOICES: readonly string[] = [...MODES, NO_MODE];

export const modeCommand: Command = defineCommand({
  name: "mode",
  isVerbatim: true,
  summary: "Shows or sets this project's mode, a set of rules that tells the agent what to focus on",
  positional: { name: "MODE", help: `${CHOICES.join(", ")}; without a mode, shows the current one` },
  options: {},
  examples: {
    "plimsoll mode": "shows the mode, the file that sets it, and the tokens that its rules take",
    "plimsoll mode research": "sets the mode; running sessions use it from their next prompt on",
    "plimsoll mode off": "removes the mode, so that the agent works as usual",
  },
  run({ positionals, flags }, terminal) {
    const [name, ...rest] = positionals;
    if (rest.length > 0) throw new CliError(`plimsoll mode takes one mode: unexpected argument "${rest[0]}"`);
    if (name !== undefined && !isMode(name) && name !== NO_MODE)
      throw new CliError(`there is no mode "${name}": ${hintAt(name, CHOICES)}`);
    const { directory } = terminal;
    if (name !== undefined) explainProblem(() => writeActiveMode(directory, isMode(name) ? name : undefined));
    const view = describeMode(readActiveMode(directory));
    if (view.warning !== null && !flags.has("json")) terminal.remark(`${view.warning}\n`);
    return { json: view, text: () => renderMode(view) };
  },
});

function describeMode(active: ActiveMode) {
  const mode = active.kind === "set" ? active.mode : null;
  const text = mode === null ? undefined : readModeText(mode);
  return {
    mode,
    file: active.kind === "none" ? null : nameModeFile(active.file),
    warning: active.kind === "rejected" ? active.warning : null,
    estimatedTokens: text === undefined ? null : Math.round(estimateTextTokens(text, "dense")),
  };
}

function renderMode({ mode, file, estimatedTokens }: ReturnType<typeof describeMode>): string {
  if (mode === null) return `No mode is set. Set one with plimsoll mode ${MODES.join("|")}.`;
  const weight = estimatedTokens === null ? "its rules are missing" : `its rules take about ${estimatedTokens} tokens`;
  return `${mode} mode, set by ${file}: ${weight}. Plimsoll sends a mode's rules at the start of a session, and once after the mode changes.`;
}
