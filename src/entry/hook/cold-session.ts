import type { ColdSession } from "../../files/cold-tasks.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { assessHealth } from "../../measure/health.ts";
import { locateColdHome } from "../../survive/cold-tasks/cold-paths.ts";
import { type ColdMoment, measureColdMoment } from "../../survive/cold-tasks/is-look-due.ts";
import type { HookContext } from "./hook.ts";
import type { SessionData } from "./session-data.ts";
import { readLineSettings } from "./status/read-line-settings.ts";

export function coldSessionOf({ sessionId, configFolder, env, nowMs }: HookContext): ColdSession {
  return { store: nodeProjectFiles, home: locateColdHome(configFolder, env.HOME), sessionId, nowMs: nowMs() };
}

export function measureCold(data: SessionData, context: HookContext): ColdMoment {
  return measureColdMoment(
    assessHealth(data.meter(), { profile: context.settings.profile, settings: readLineSettings(context) }),
  );
}
