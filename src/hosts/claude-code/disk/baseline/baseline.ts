import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { readInstructionFiles } from "../../../../files/instruction-files.ts";
import { listFiles } from "../../../../files/list-files.ts";
import { readPlainText } from "../../../../files/private-files.ts";
import { findIgnored, parseIgnoreRules } from "../../../../guard/gitignore.ts";
import type { InstructionFile, Scope } from "../../../../library/prompt/instructions/instruction-file.ts";
import { MEMORY_INDEX_FILE } from "../../../../library/prompt/memory/memory-index.ts";
import { estimateTextTokens, type Tokenizer } from "../../../../models/tokens.ts";
import type { Baseline, Definition, Instructions, LoadedInstruction } from "../../../baseline.ts";
import type { Environment } from "../../../host.ts";
import { nameProjectFolder, projects } from "../projects.ts";
import { readServerConfigs } from "./read-server-configs.ts";

/** As seen in requests of 2.1.197 and 2.1.325; `AGENTS.md` is loaded only if one of these imports it. */
const NAMES = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
const ORGANISATION_FILE = "/etc/claude-code/CLAUDE.md";
const MAX_FILE_BYTES = 1_000_000;
const MOST_HOPS = 5;

const MOST_DEPTH = 6;
const MOST_FILES = 2000;

type Places = Readonly<Record<"project" | "clientHome", string>>;

export function readInstructions(
  { project, clientHome }: Places,
  home: string = homedir(),
  activeFile?: string,
): Instructions {
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
  for (const file of files) follow({ ...file, importedBy: undefined }, loaded, home);
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
    const text = readPlainText(full, MAX_FILE_BYTES);
    if (text === undefined) continue;
    const imported = { scope: file.scope, path: full, text, importedBy: { path: file.path, line } };
    follow(imported, loaded, home, hops + 1);
  }
}

function readRules(
  folder: string,
  scope: Scope,
  inside: string,
): readonly { readonly file: InstructionFile; readonly isScoped: boolean }[] {
  return readTexts(folder, (name) => name.endsWith(".md")).map((file) => {
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
  const text = readPlainText(file, MAX_FILE_BYTES);
  return text === undefined ? undefined : { scope: "user", path: file, text };
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

export function readAgents(places: Places, tokenizer: Tokenizer): readonly Definition[] {
  return readKind(places, "agents").map((file) => define(file, path.basename(file.path, ".md"), tokenizer));
}

export function readSkills(places: Places, tokenizer: Tokenizer): readonly Definition[] {
  return readKind(places, "skills").map((file) => define(file, path.basename(path.dirname(file.path)), tokenizer));
}

/** The texts of every agent, command and skill of the project and the person. */
export function listDefinitionTexts(places: Places): readonly string[] {
  return KINDS.flatMap((kind) => readKind(places, kind)).map(({ text }) => text);
}

const KINDS = ["agents", "commands", "skills"] as const;

function readKind({ project, clientHome }: Places, kind: (typeof KINDS)[number]): readonly TextFile[] {
  const fits = (name: string): boolean => (kind === "skills" ? name === "SKILL.md" : name.endsWith(".md"));
  const folders = [path.join(project, ".claude", kind), path.join(clientHome, kind)];
  return folders.flatMap((folder) => readTexts(folder, fits));
}

function define(file: TextFile, byPath: string, tokenizer: Tokenizer): Definition {
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

const locate = (environment: Environment, project: string): Places => ({
  project,
  clientHome: projects.locateHome(environment),
});

export const baseline: Omit<Baseline, "readToolEvidence" | "readDeferred"> = {
  readInstructions: (environment, project, activeFile) =>
    readInstructions(locate(environment, project), environment.HOME, activeFile),
  readDefinitions: (environment, project, tokenizer) => ({
    agents: readAgents(locate(environment, project), tokenizer),
    skills: readSkills(locate(environment, project), tokenizer),
  }),
  readServers: (environment, project) => readServerConfigs(project, environment),
};

type TextFile = Readonly<Record<"path" | "text", string>>;

/** The files below a folder whose name fits, sorted by path; unreadable ones are skipped. */
function readTexts(folder: string, fits: (name: string) => boolean): readonly TextFile[] {
  return listFiles(folder, fits, MOST_DEPTH)
    .map((file) => file.path)
    .filter((file) => file !== folder)
    .slice(0, MOST_FILES)
    .sort()
    .flatMap((file) => {
      const text = readPlainText(file, MAX_FILE_BYTES);
      return text === undefined ? [] : [{ path: file, text }];
    });
}

/** Enough of YAML for what clients read: `key: text`, folded and literal blocks, quotes. Lists come as their text. */
export function parseFrontMatter(text: string): {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
} {
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
