import { listPrograms } from "./hint.ts";

/** What kind of call it was, for counting repeats: a tool's name, for a shell also its first real program: `Bash git diff`. */
export function nameCommandClass(tool: string, command = ""): string {
  if (!/^(?:bash|shell|powershell|exec|run_command)$/i.test(tool)) return tool;
  const program = listPrograms(command).find((name) => !SETTING_UP.has(name));
  return program === undefined ? tool : `${tool} ${program}`;
}

const SETTING_UP: ReadonlySet<string> = new Set(["cd", "export", "source", "set", "echo", "sleep", "pushd", "#"]);
