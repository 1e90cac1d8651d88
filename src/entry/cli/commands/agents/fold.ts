import { type ArtifactStore, createArtifactStore } from "../../../../files/artifacts/artifacts.ts";
import { foldOutput, LEAST_BUDGET } from "../../../../fold/fold-output.ts";
import { DEFAULT_BUDGET } from "../../../../fold/thresholds.ts";
import { mayBeFolded } from "../../../../layers/options/policy-folds.ts";
import { estimateTextTokens } from "../../../../models/tokens.ts";
import { locateOwnData } from "../../../../recorded/own-data.ts";
import { CliError, type Command, defineCommand, type Invocation, parseWhole, type Terminal } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { requireText } from "../../require-text.ts";

export const foldCommand: Command = defineCommand({
  name: "fold",
  isVerbatim: true,
  summary: "Shows the preview that would replace a large tool output",
  positional: { name: "FILE", help: "a file with the output, or - for standard input" },
  options: {
    tool: { value: "NAME", help: "the tool that wrote the output (Bash by default)" },
    command: { value: "LINE", help: "the command that wrote the output, which helps to detect the kind of output" },
    budget: { value: "CHARS", help: `maximum length of the preview with its marker (${DEFAULT_BUDGET} by default)` },
    style: { value: "NAME", help: "how to make the preview", choices: ["content", "classic"] },
    store: { help: "store the original in .plimsoll/artifacts and put its handle into the marker" },
  },
  examples: {
    "plimsoll fold session.jsonl": "previews a file of any kind",
    "plimsoll fold session.jsonl --tool Read --budget 600": "prints a shorter preview",
    "plimsoll fold session.jsonl --store --json":
      "stores the original, and prints its kind, hash, sizes and path as JSON",
  },
  run(invocation, terminal) {
    const view = foldGiven(invocation, terminal);
    return { json: view, text: () => renderPage(view.text.replaceAll("\t", "  "), terminal) };
  },
});

function foldGiven({ positionals, values, flags }: Invocation, terminal: Terminal) {
  const [given, ...rest] = positionals;
  if (given === undefined) throw new CliError("plimsoll fold needs a file: pass FILE, or - for standard input");
  if (rest.length > 0) throw new CliError(`plimsoll fold takes one file: unexpected argument "${rest[0]}"`);
  const budget = parseWhole(values, "budget", LEAST_BUDGET) ?? DEFAULT_BUDGET;
  const [tool, command = ""] = [values.get("tool") ?? "Bash", values.get("command")];
  const text = requireText(given, terminal);
  const stored = flags.has("store") ? keep({ output: text, tool, command }, terminal) : undefined;
  const path = given === "-" ? undefined : given;
  const style = values.get("style") === "classic" ? "classic" : "content";
  const marked = { path: stored?.path ?? path, hasHandle: stored !== undefined };
  const folded = foldOutput(text, { tool, command, path }, { budget, style, ...marked });
  return {
    ...folded,
    isDue: mayBeFolded(text),
    tokensBefore: Math.round(estimateTextTokens(text, "dense")),
    tokensAfter: Math.round(estimateTextTokens(folded.text, "dense")),
    path: stored?.path ?? null,
  };
}

function keep(artifact: Parameters<ArtifactStore["keep"]>[0], { directory, nowMs, environment }: Terminal) {
  const kept = createArtifactStore(directory, nowMs, locateOwnData(environment)).keep(artifact);
  if (kept.ok) return kept.value;
  throw new CliError(`the original could not be stored: ${kept.problem.detail}`);
}
