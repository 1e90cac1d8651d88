import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { readPlainFile } from "../../files/private-files.ts";
import type { RuleFile } from "../../policy/rules/fit-rules.ts";
import type { HookContext } from "./hook.ts";

/** Ours, and where the seed has them. The client loads `.claude/rules` by itself, so those are never told again. */
const FOLDERS: readonly string[] = [".plimsoll/rules", "rules"];
const MAX_FILES = 50;
const MAX_FILE_BYTES = 1_000_000;

/** A folder that is called `rules` is ours to read only where somebody wrote a settings file of ours into the project. */
export function readRules({ project }: HookContext): readonly RuleFile[] {
  if (project === "") return [];
  const isInvited = existsSync(path.join(project, ".plimsoll", "settings.json"));
  return (isInvited ? FOLDERS : FOLDERS.slice(0, 1)).flatMap((folder) =>
    listNames(path.join(project, folder)).flatMap((name): readonly RuleFile[] => {
      const found = readPlainFile(path.join(project, folder, name), MAX_FILE_BYTES);
      return found === undefined || found.problem !== undefined
        ? []
        : [{ name: `${folder}/${name}`, text: found.text }];
    }),
  );
}

/** The last plan by name, as a path from the project; empty where there is none. */
export function findPlan({ project }: HookContext): string {
  const plans = listNames(path.join(project, ".plimsoll")).filter((name) => name.startsWith("plan-"));
  const last = plans.at(-1);
  return last === undefined ? "" : `.plimsoll/${last}`;
}

function listNames(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".md") && !name.startsWith("."));
    return names.sort().slice(0, MAX_FILES);
  } catch {
    return [];
  }
}
