import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readModeText } from "../../files/mode-files.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readNotes, readSurroundings } from "../../files/project-reader.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import { isMode } from "../../policy/mode/mode.ts";
import { locateAgreed } from "../../policy/rules/agreement.ts";
import { renderNotes, type Surroundings } from "../../policy/surroundings.ts";
import type { HookContext } from "./hook.ts";

export function readHere({ project, pluginRoot, configFolder }: HookContext): Promise<Surroundings> {
  const readText = async (mode: string): Promise<string | undefined> => {
    // A mode is one of three words, never what a file says: it cannot lead out of the folder.
    const file = path.join(pluginRoot, "contexts", `${mode}.md`);
    if (pluginRoot !== "" && existsSync(file)) return readFileSync(file, "utf8");
    return isMode(mode) ? readModeText(mode) : undefined;
  };
  return readSurroundings(nodeProjectFiles, project, readText, locateAgreed(locateData(configFolder)));
}

/** What earlier sessions left in the project, for the model, and where one paused. */
export async function readLeft({
  project,
  nowMs,
}: HookContext): Promise<{ readonly render: (beganMs: number) => string; readonly paused: string | undefined }> {
  const notes = await readNotes(nodeProjectFiles, project);
  return { render: (beganMs) => renderNotes(notes, { nowMs: nowMs(), beganMs }), paused: notes.paused };
}
