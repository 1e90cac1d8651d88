import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findWaiting, openAgreedFiles } from "../../files/agreed-files.ts";
import { readModeText } from "../../files/mode-files.ts";
import { locateTrust } from "../../files/node-agreement.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readSurroundings } from "../../files/project-reader.ts";
import type { ProjectStore } from "../../files/save-project-state.ts";
import { locateData } from "../../policy/actions/data-paths.ts";
import { isMode } from "../../policy/mode/parse-active-mode.ts";
import type { Surroundings } from "../../policy/surroundings.ts";
import type { HookContext } from "./hook.ts";

export function openProject({ project, configFolder }: Pick<HookContext, "project" | "configFolder">): ProjectStore {
  return openAgreedFiles(nodeProjectFiles, locateTrust(project, locateData(configFolder)));
}

export function listWaiting({ project, configFolder }: HookContext): ReturnType<typeof findWaiting> {
  return findWaiting(nodeProjectFiles, locateTrust(project, locateData(configFolder)));
}

export function readHere(context: HookContext): Promise<Surroundings> {
  const { project, pluginRoot } = context;
  const readText = async (mode: string): Promise<string | undefined> => {
    // A mode is one of three words, never text from a file, so it cannot lead out of the folder.
    const file = path.join(pluginRoot, "contexts", `${mode}.md`);
    if (pluginRoot !== "" && existsSync(file)) return readFileSync(file, "utf8");
    return isMode(mode) ? readModeText(mode) : undefined;
  };
  return readSurroundings(openProject(context), project, readText);
}
