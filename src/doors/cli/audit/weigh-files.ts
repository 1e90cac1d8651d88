import type { SkippedInstruction } from "../../../files/instruction-files.ts";
import { fitIndex } from "../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { MOST_INSTRUCTION_LINES } from "../../../recorded/audit/find-budget-warnings.ts";
import { type Definition, readAgents, readSkills } from "./read-definitions.ts";
import { type InstructionPlaces, type LoadedInstruction, readInstructions } from "./read-instructions.ts";

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
export function weighFiles(places: InstructionPlaces, tokenizer: Tokenizer): WeighedFiles {
  const { files, scoped, memoryIndex, skipped } = readInstructions(places);
  return {
    instructions: files.map((file) => weighInstruction(file, tokenizer)),
    scopedRules: scoped.map(({ path }) => path),
    memoryTokens: memoryIndex ? estimateTextTokens(fitIndex(memoryIndex.text).text, tokenizer) : 0,
    agents: readAgents(places, tokenizer),
    skills: readSkills(places, tokenizer),
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
