import { clipLine } from "../../core/clip-text.ts";
import { createArtifactStore } from "../../files/artifacts.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import type { HookContext, HookInput } from "./hook.ts";

/** The newest; older ones are found by the tool `recall`, by `plimsoll artifacts`, and by looking into the folder. */
const MAX_NAMED = 10;
const MAX_COMMAND = 80;

/** Folded outputs of this session that a summary does not name, a line each with the file and the handle to read them by. */
export function listKeptOutputs({ sessionId }: HookInput, context: HookContext, summary: string): readonly string[] {
  if (context.project === "" || sessionId === "") return [];
  const { artifacts } = createArtifactStore(context.project, context.nowMs, locateData(context.configFolder)).list();
  return artifacts
    .filter((artifact) => artifact.sessionId === sessionId && !summary.includes(artifact.path))
    .slice(-MAX_NAMED)
    .map(
      ({ tool, command, path, handle }) =>
        `- Folded output of ${command === "" ? tool : `\`${clipLine(command, MAX_COMMAND)}\``}, whole in ${path} (${handle})`,
    );
}
