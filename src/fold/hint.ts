/** What is known about an output apart from its text. Every field is a guess that the text may overrule. */
export interface Hint {
  readonly tool?: string | undefined;
  /** What was run or asked: a shell line, a search pattern. */
  readonly command?: string | undefined;
  readonly path?: string | undefined;
}

/** The extension of the file that was read, lower-case without the dot: from the path, or from the argument of `cat` and the like. */
export function extensionOf({ path, command }: Hint): string {
  const named = path ?? findPrintedFile(command ?? "");
  return /\.([a-z0-9]{1,10})$/i.exec(named.trim())?.[1]?.toLowerCase() ?? "";
}

/** The programs of a shell line, one per stage: `cd a && FOO=1 go test ./... | tail` gives `cd`, `go test`, `tail`. */
export function listPrograms(command: string): readonly string[] {
  return command
    .slice(0, 2000)
    .split(/&&|\|\||[|;\n]/)
    .map(nameProgram)
    .filter((name) => name !== "");
}

/** Words that come before a program. */
const WRAPPERS: ReadonlySet<string> = new Set(["sudo", "time", "timeout", "env", "nohup", "command", "exec", "xargs"]);
/** Programs whose first argument says what they do. */
const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(
  "git go cargo npm pnpm yarn bun npx uv docker kubectl make mise just mvn gradle dotnet python python3 node gh".split(
    " ",
  ),
);

function nameProgram(stage: string): string {
  const words = stage.trim().split(/\s+/);
  let at = 0;
  while (at < words.length && (WRAPPERS.has(words[at] ?? "") || /^(?:[A-Za-z_]\w*=|\d|-)/.test(words[at] ?? ""))) at++;
  const program = (words[at] ?? "").split("/").at(-1) ?? "";
  if (!WITH_SUBCOMMAND.has(program)) return program;
  const rest = words.slice(at + 1).filter((word) => !word.startsWith("-"));
  return [program, ...rest.slice(0, rest[0] === "run" ? 2 : 1)].join(" ");
}

/** The kind of call, for counting repeats: the tool's name, for a shell with its first real program: `Bash git diff`. */
export function nameCommandClass(tool: string, command = ""): string {
  if (!/^(?:bash|shell|powershell|exec|run_command)$/i.test(tool)) return tool;
  const program = listPrograms(command).find((name) => !SETTING_UP.has(name));
  return program === undefined ? tool : `${tool} ${program}`;
}

const SETTING_UP: ReadonlySet<string> = new Set(["cd", "export", "source", "set", "echo", "sleep", "pushd", "#"]);

function findPrintedFile(command: string): string {
  const stage = command.split(/[|;&\n]/).find((part) => /^\s*(?:cat|head|tail|sed|bat|less|nl)\s/.test(part));
  return stage?.trim().split(/\s+/).at(-1) ?? "";
}
