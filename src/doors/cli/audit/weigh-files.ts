import type { SkippedInstruction } from "../../../files/instruction-files.ts";
import type { Definition, Definitions, Instructions, LoadedInstruction } from "../../../hosts/baseline.ts";
import { fitIndex } from "../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { MOST_INSTRUCTION_LINES } from "../../../recorded/audit/find-budget-warnings.ts";

export interface WeighedInstruction {
  readonly path: string;
  readonly scope: string;
  readonly lines: number;
  readonly characters: number;
  readonly tokens: number;
  /** Of what stands behind the last line that a file should have. */
  readonly excessTokens: number;
  readonly importedBy: string | undefined;
}

export interface WeighedFiles {
  readonly instructions: readonly WeighedInstruction[];
  /** Rules that load for some paths only, and are not counted. */
  readonly scopedRules: readonly string[];
  readonly memoryTokens: number;
  readonly agents: readonly Definition[];
  readonly skills: readonly Definition[];
  readonly skippedFiles: readonly SkippedInstruction[];
}

/** The files of a project and of a person that the client tells the model of. */
export function weighFiles(
  { files, scoped, memoryIndex, skipped }: Instructions,
  { agents, skills }: Definitions,
  tokenizer: Tokenizer,
): WeighedFiles {
  return {
    instructions: files.map((file) => weighInstruction(file, tokenizer)),
    scopedRules: scoped.map(({ path }) => path),
    memoryTokens: memoryIndex ? estimateTextTokens(fitIndex(memoryIndex.text).text, tokenizer) : 0,
    agents,
    skills,
    skippedFiles: skipped,
  };
}

function weighInstruction(
  { path, scope, text, importedBy }: LoadedInstruction,
  tokenizer: Tokenizer,
): WeighedInstruction {
  const lines = text.trimEnd().split("\n");
  return {
    path,
    scope,
    lines: lines.length,
    characters: text.length,
    tokens: estimateTextTokens(text, tokenizer),
    excessTokens: estimateTextTokens(lines.slice(MOST_INSTRUCTION_LINES - 1).join("\n"), tokenizer),
    importedBy: importedBy?.path,
  };
}
