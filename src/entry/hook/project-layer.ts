import type { JsonObject } from "../../core/json.ts";
import { layerOf, readProjectLayer } from "../../files/project-settings.ts";
import { locateData } from "../../policy/actions/data-paths.ts";
import type { HookContext } from "./hook.ts";

/** The project's settings as far as the person agreed to them. In its own file, because few projects have any. */
export function projectLayer({ project, configFolder }: Pick<HookContext, "project" | "configFolder">): JsonObject {
  return layerOf(readProjectLayer(project, locateData(configFolder)));
}
