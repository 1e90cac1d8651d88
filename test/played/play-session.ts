import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { trimBase } from "../../lab/replay/trim-base.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import type { Talk } from "../client/render-command.ts";
import { type ClientResult, runClient } from "../client/run-client.ts";
import { createWorkspace } from "../client/workspace.ts";
import { chooseModel } from "./choose-model.ts";
import { createRecordedApi, type PlayedRequest } from "./recorded-api.ts";
import type { SessionScript } from "./script-session.ts";
import { writePlugins } from "./write-plugins.ts";

/** `installed`: the module with the smaller base and, in the repositories to which `install` proposes it, the split cache life. */
export type ArmName = "installed" | "module" | "client" | "client@100k";

export const ARMS: readonly ArmName[] = ["installed", "module", "client", "client@100k"];

export const hasModule = (arm: ArmName): boolean => arm === "installed" || arm === "module";

export interface PlayedRun {
  readonly arm: ArmName;
  readonly requests: readonly PlayedRequest[];
  readonly result: ClientResult;
  /** The client's HOME and project with all that was put away there, until `remove()`. */
  readonly home: string;
  readonly cwd: string;
  /** How often the client waited where the recording goes on: turns that it ended by itself. */
  readonly urged: number;
  readonly isComplete: boolean;
  remove(): Promise<void>;
}

export interface Playing {
  readonly session: ReplaySession;
  readonly script: SessionScript;
  readonly arm: ArmName;
  /** Whether `installed` has the cache life that `install` proposes. */
  readonly isLifeProposed?: boolean;
  readonly timeoutMs?: number;
  /** The project's own folder: a bundle lies elsewhere than where it was written. */
  readonly project?: string;
}

/** Plays one recorded session through the real client: its answers from the API, its results from its tools, its prompts in order. */
export async function playSession(playing: Playing): Promise<PlayedRun> {
  const { script, arm, timeoutMs = 40 * 60_000, project = join(import.meta.dirname, "../..") } = playing;
  const session = arm === "installed" ? trimBase(playing.session) : playing.session;
  const workspace = await createWorkspace();
  const { home, cwd, root } = workspace;
  const plugins = await writePlugins(script, {
    root,
    sources: join(project, "test/played/plugins"),
    module: hasModule(arm) ? join(project, "plugin") : undefined,
  });
  const person = createPerson(script, {
    answered: () => recorded.answered(),
    noteTime: (atMs) => writeFileSync(plugins.promptClock, String(atMs)),
  });
  const recorded = createRecordedApi({ session, script }, (step) => {
    writeFileSync(plugins.clock, String(script.steps[step]?.atMs ?? 0));
    person.typeAhead(step);
  });
  const api = await createScriptedApi(recorded.scenario);
  const result = await runClient({
    version: "2.1.325",
    model: chooseModel(session),
    prompts: [],
    talk: person.talk,
    home,
    cwd,
    apiUrl: api.url,
    args: plugins.folders.flatMap((folder) => ["--plugin-dir", folder]),
    env: renderEnv(playing),
    timeoutMs,
  });
  await api.close();
  return {
    arm,
    requests: recorded.list(api.requests),
    result,
    home,
    cwd,
    urged: person.urged(),
    isComplete: recorded.answered() >= script.steps.length,
    remove: workspace.remove,
  };
}

/** A client that ends every turn by itself would be urged for ever. */
const MOST_URGES = 25;
const URGE = "Continue.";

/** The person's side of a play: says what was said, when the client waits, or while it works where that was so. */
function createPerson(
  { steps }: SessionScript,
  { answered, noteTime }: { readonly answered: () => number; readonly noteTime: (atMs: number) => void },
) {
  let saidUpTo = -1;
  let urged = 0;
  let say: (content: unknown) => void = () => {};
  const talk: Talk = {
    open(given) {
      say = given;
    },
    next() {
      const at = answered();
      const step = steps[at];
      if (step === undefined || urged > MOST_URGES) return undefined;
      noteTime(step.promptAtMs);
      if (saidUpTo < at && step.prompt.length > 0) {
        saidUpTo = at;
        return step.prompt;
      }
      urged++;
      return URGE;
    },
  };
  return {
    talk,
    urged: () => urged,
    /** What was typed while tools ran waits in the client's queue until their results are there. */
    typeAhead(step: number): void {
      const next = steps[step + 1];
      const isWorking = steps[step]?.answer.some(({ type }) => type === "tool_use");
      if (!isWorking || next === undefined || next.prompt.length === 0) return;
      saidUpTo = step + 1;
      say(next.prompt);
    },
  };
}

function renderEnv({ session, arm, isLifeProposed }: Playing): Record<string, string> {
  const longLived = session.steps.filter(({ share1h }) => share1h > 0.5).length;
  const isSplit = arm === "installed" && isLifeProposed === true;
  return {
    ...(arm === "client@100k" ? { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } : {}),
    ...(isSplit || longLived > session.steps.length / 2 ? { ENABLE_PROMPT_CACHING_1H: "1" } : {}),
    ...(isSplit ? { CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL: "5m" } : {}),
  };
}
