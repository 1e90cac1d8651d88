import path from "node:path";
import { estimateTextTokens, type Tokenizer } from "../../../../models/tokens.ts";
import type { Definition } from "../../../baseline.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { listFiles } from "./list-files.ts";

interface Places {
  readonly project: string;
  readonly clientHome: string;
}

export function readAgents({ project, clientHome }: Places, tokenizer: Tokenizer): readonly Definition[] {
  return [path.join(project, ".claude"), clientHome].flatMap((folder) =>
    listFiles(path.join(folder, "agents"), (name) => name.endsWith(".md")).map((file) =>
      define(file, path.basename(file.path, ".md"), tokenizer),
    ),
  );
}

export function readSkills({ project, clientHome }: Places, tokenizer: Tokenizer): readonly Definition[] {
  return [path.join(project, ".claude"), clientHome].flatMap((folder) =>
    listFiles(path.join(folder, "skills"), (name) => name === "SKILL.md").map((file) =>
      define(file, path.basename(path.dirname(file.path)), tokenizer),
    ),
  );
}

function define(
  file: { readonly path: string; readonly text: string },
  byPath: string,
  tokenizer: Tokenizer,
): Definition {
  const { fields } = parseFrontMatter(file.text);
  const name = fields.name || byPath;
  const tools = fields.tools ? ` (Tools: ${fields.tools})` : "";
  return {
    name,
    path: file.path,
    listingTokens: estimateTextTokens(`- ${name}: ${fields.description ?? ""}${tools}\n`, tokenizer),
    bodyTokens: estimateTextTokens(file.text, tokenizer),
    lines: file.text.trimEnd().split("\n").length,
  };
}
