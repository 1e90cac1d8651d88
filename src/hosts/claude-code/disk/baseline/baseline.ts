import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { readInstructionFiles } from "../../../../files/instruction-files.ts";
import { readPlainFile } from "../../../../files/private-files.ts";
import { findIgnored, parseIgnoreRules } from "../../../../guard/gitignore.ts";
import type { InstructionFile, Scope } from "../../../../library/prompt/instructions/instruction-file.ts";
import { MEMORY_INDEX_FILE } from "../../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens, type Tokenizer } from "../../../../models/tokens.ts";
import type { Baseline, Definition, Instructions, LoadedInstruction } from "../../../baseline.ts";
import { nameProjectFolder, projects } from "../projects.ts";
import { readServerConfigs } from "./read-server-configs.ts";

/** As seen in requests of 2.1.197 and 2.1.325; `AGENTS.md` is loaded only if one of these imports it. */
const NAMES = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
const ORGANISATION_FILE = "/etc/claude-code/CLAUDE.md";
const MAX_FILE_BYTES = 1_000_000;
const MOST_HOPS = 5;

interface InstructionPlaces {
  readonly project: string;
  readonly clientHome: string;
  readonly home: string | undefined;
  readonly activeFile?: string | undefined;
}

export function readInstructions({ project, clientHome, home, activeFile }: InstructionPlaces): Instructions {
  const { files, skipped } = readInstructionFiles({
    organisation: ORGANISATION_FILE,
    user: path.join(clientHome, "CLAUDE.md"),
    root: project,
    names: NAMES,
    ...(activeFile === undefined ? {} : { activeFile }),
  });
  const inside = activeFile === undefined ? "" : path.relative(project, activeFile);
  const rules = [
    ...readRules(path.join(clientHome, "rules"), "user", inside),
    ...readRules(path.join(project, ".claude", "rules"), "project", inside),
  ];
  const loaded = new Map<string, LoadedInstruction>();
  for (const file of files) follow({ ...file, importedBy: undefined }, loaded, home ?? homedir());
  for (const { file, isScoped } of rules) if (!isScoped) loaded.set(file.path, { ...file, importedBy: undefined });
  return {
    files: [...loaded.values()],
    scoped: rules.filter(({ isScoped }) => isScoped).map(({ file }) => file),
    memoryIndex: readMemoryIndex(project, clientHome),
    skipped,
  };
}

function follow(file: LoadedInstruction, loaded: Map<string, LoadedInstruction>, home: string, hops = 0): void {
  if (loaded.has(file.path)) return;
  loaded.set(file.path, file);
  if (hops >= MOST_HOPS) return;
  for (const { target, line } of listImports(file.text)) {
    const full = target.startsWith("~/")
      ? path.join(home, target.slice(2))
      : path.resolve(path.dirname(file.path), target);
    if (!statSync(full, { throwIfNoEntry: false })?.isFile()) continue;
    const read = readPlainFile(full, MAX_FILE_BYTES);
    if (!read || read.problem !== undefined) continue;
    follow(
      { scope: file.scope, path: full, text: read.text, importedBy: { path: file.path, line } },
      loaded,
      home,
      hops + 1,
    );
  }
}

function readRules(
  folder: string,
  scope: Scope,
  inside: string,
): readonly { readonly file: InstructionFile; readonly isScoped: boolean }[] {
  return listFiles(folder, (name) => name.endsWith(".md")).map((file) => {
    const { fields, body } = parseFrontMatter(file.text);
    return {
      file: { scope, path: file.path, text: body },
      isScoped: fields.paths !== undefined && !isMeant(fields.paths, inside),
    };
  });
}

/** `paths: src/**, "*.ts"`, or a list, by the rules of an ignore file. */
function isMeant(paths: string, file: string): boolean {
  const patterns = paths.split(/[\s,[\]]+/).map((pattern) => pattern.replaceAll(/^["'-]+|["']+$/g, ""));
  return findIgnored(parseIgnoreRules(patterns.join("\n")), file, { isDirectory: false }) !== undefined;
}

function readMemoryIndex(project: string, clientHome: string): InstructionFile | undefined {
  const file = path.join(clientHome, "projects", nameProjectFolder(project), "memory", MEMORY_INDEX_FILE);
  const read = readPlainFile(file, MAX_FILE_BYTES);
  return read && read.problem === undefined ? { scope: "user", path: file, text: read.text } : undefined;
}

interface Import {
  readonly target: string;
  readonly line: number;
}

/** What an instruction file imports with `@path`, outside of code. */
export function listImports(text: string): readonly Import[] {
  const found: Import[] = [];
  let isInFence = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence;
    if (isInFence) continue;
    for (const [, target = ""] of line.replace(/`[^`]*`/g, "").matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[^\s@]+)/g)) {
      const clean = target.replace(/[.,;:)]+$/, "");
      if (/[./]/.test(clean)) found.push({ target: clean, line: index + 1 });
    }
  }
  return found;
}

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

export const baseline: Baseline = {
  readInstructions: (environment, project, activeFile) =>
    readInstructions({ project, clientHome: projects.locateHome(environment), home: environment.HOME, activeFile }),
  readDefinitions(environment, project, tokenizer) {
    const places = { project, clientHome: projects.locateHome(environment) };
    return { agents: readAgents(places, tokenizer), skills: readSkills(places, tokenizer) };
  },
  readServers: (environment, project) => readServerConfigs(project, environment),
};

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const MOST_DEPTH = 6;
const MOST_FILES = 2000;

/** The files below a folder whose name fits, sorted by path; unreadable ones are skipped. */
function listFiles(folder: string, fits: (name: string) => boolean): readonly TextFile[] {
  const found: TextFile[] = [];
  walk(folder, 0, (file) => {
    if (!fits(path.basename(file))) return;
    const read = readPlainFile(file, MAX_FILE_BYTES);
    if (read && read.problem === undefined) found.push({ path: file, text: read.text });
  });
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function walk(folder: string, depth: number, onFile: (file: string) => void, seen = { files: 0 }): void {
  if (depth > MOST_DEPTH || seen.files > MOST_FILES || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(full, depth + 1, onFile, seen);
      else if (entry.isFile() && seen.files++ <= MOST_FILES) onFile(full);
    }
  } catch {
    // A folder that may not be listed is skipped.
  }
}

/** The single-text fields at the head of a definition, and the text below. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Enough of YAML for what clients read: `key: text`, folded and literal blocks, quotes. Lists come as their text. */
export function parseFrontMatter(text: string): FrontMatter {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text };
  const fields: Record<string, string> = {};
  let key = "";
  for (const line of (match[1] ?? "").split(/\r?\n/)) {
    const start = /^([\w-]+):[ \t]*(.*)$/.exec(line);
    if (start) {
      key = start[1] ?? "";
      const value = (start[2] ?? "").trim();
      fields[key] = /^[|>][+-]?$/.test(value) ? "" : value.replace(/^(["'])(.*)\1$/, "$2");
    } else if (key !== "" && line.trim() !== "") {
      fields[key] = `${fields[key] ?? ""} ${line.trim()}`.trim();
    }
  }
  return { fields, body: text.slice(match[0].length) };
}
