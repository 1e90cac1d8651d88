import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTextTokens } from "../../src/core/tokens.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import type { ApiRequest } from "../api/api-request.ts";
import type { MessagesBody } from "../api/messages-body.ts";
import { createPromptCache, type ReportedUsage } from "../api/prompt-cache.ts";
import type { Answer, Turn } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { answer, summary } from "../api/turns.ts";
import { type ClientResult, runClient } from "../client/run-client.ts";
import { createWorkspace } from "../client/workspace.ts";
import { chooseModel } from "./choose-model.ts";
import type { SessionScript } from "./script-session.ts";
import { createRequestWeigher } from "./weigh-request.ts";
import { writePlugins } from "./write-plugins.ts";

export type ArmName = "module" | "client" | "client@100k";

export const ARMS: readonly ArmName[] = ["module", "client", "client@100k"];

/** One request that was played: what it weighed, and by which step of the recording it was answered. */
export interface PlayedRequest {
  readonly request: ApiRequest;
  readonly usage: ReportedUsage;
  readonly outputTokens: number;
  readonly step: number;
  readonly model: string;
}

export interface PlayedRun {
  readonly arm: ArmName;
  readonly requests: readonly PlayedRequest[];
  readonly result: ClientResult;
  /** The module's data folder and project, for whoever wants to fetch what left the window. */
  readonly home: string;
  readonly cwd: string;
  /** How often the client waited where the recording goes on: a turn that it ended by itself. */
  readonly urged: number;
  readonly isComplete: boolean;
  remove(): Promise<void>;
}

export interface Playing {
  readonly session: ReplaySession;
  readonly script: SessionScript;
  readonly arm: ArmName;
  readonly timeoutMs?: number;
  /** The project's own folder: a bundle lies elsewhere than where it was written. */
  readonly project?: string;
}

/** About the middle of recorded summaries, for compactions that the recording has none for. */
const SUMMARY_WORDS = 3_000;
const THE_END = "The recording ends here.";
const URGE = "Continue.";

/** Plays one recorded session through the real client: its answers from the API, its results from its tools, its prompts in order. */
export async function playSession(playing: Playing): Promise<PlayedRun> {
  const { session, script, arm, timeoutMs = 8 * 60_000, project = join(import.meta.dirname, "../..") } = playing;
  const workspace = await createWorkspace();
  const plugins = await writePlugins(script, {
    root: workspace.root,
    sources: join(project, "test/played/plugins"),
    module: arm === "module" ? join(project, "plugin") : undefined,
  });
  const { steps } = script;
  const counted: Omit<PlayedRequest, "request">[] = [];
  let answered = 0;
  let prompted = -1;
  let urged = 0;
  let compactions = 0;
  let outputTokens = 0;
  let isMain = true;
  let say: (content: unknown) => void = () => {};

  const setClock = (atMs: number): void => writeFileSync(plugins.clock, String(atMs));
  const here = (): number => Math.min(answered, steps.length - 1);
  const inner = createPromptCache({
    scale: 1,
    nowMs: () => steps[here()]?.atMs ?? 0,
    weigher: createRequestWeigher(session, script),
    expiresWhole: true,
  });
  /** A turn is taken, then counted: only then does the recording go on. */
  const count = (body: MessagesBody): ReportedUsage => {
    const { model = body.model } = steps[here()] ?? {};
    const usage = inner.count({ ...body, model });
    counted.push({ usage, outputTokens, step: answered, model });
    if (isMain) answered++;
    return usage;
  };

  /** What the person typed while the tools ran waits in the client's queue until their results are there. */
  function queueNext(): void {
    const next = steps[answered + 1];
    const isRunning = steps[answered]?.answer.some(({ type }) => type === "tool_use");
    if (!isRunning || next === undefined || next.prompt.length === 0) return;
    prompted = answered + 1;
    say(next.prompt);
  }

  function reply(turn: Answer, written: number, main: boolean): Turn {
    outputTokens = written;
    isMain = main;
    return { ...turn, usage: { output_tokens: Math.round(written) } };
  }

  function answerMain(): Turn {
    const step = steps[answered];
    if (step === undefined) return reply(answer(THE_END), 0, true);
    setClock(step.atMs);
    queueNext();
    return reply({ kind: "answer", content: step.answer }, session.steps[answered]?.outputTokens ?? 0, true);
  }

  function summarise(): Turn {
    const words = script.summaries[compactions++] ?? "progress ".repeat(SUMMARY_WORDS);
    return reply(summary(words), estimateTextTokens(words, session.tokenizer), false);
  }

  const api = await createScriptedApi({
    cache: { count },
    main: answerMain,
    compaction: summarise,
    subagents: [() => reply(answer("As recorded."), 0, false)],
  });

  const result = await runClient({
    version: "2.1.325",
    model: chooseModel(session),
    prompts: [],
    talk: {
      open(given) {
        say = given;
      },
      next() {
        const step = steps[answered];
        if (step === undefined || urged > MOST_URGES) return undefined;
        setClock(step.promptAtMs);
        if (prompted >= answered || step.prompt.length === 0) {
          urged++;
          return URGE;
        }
        prompted = answered;
        return step.prompt;
      },
    },
    home: workspace.home,
    cwd: workspace.cwd,
    apiUrl: api.url,
    args: plugins.folders.flatMap((folder) => ["--plugin-dir", folder]),
    env: renderEnv(session, arm),
    timeoutMs,
  });
  await api.close();
  return {
    arm,
    requests: counted.flatMap((played, index) => {
      const request = api.requests[index];
      return request ? [{ request, ...played }] : [];
    }),
    result,
    home: workspace.home,
    cwd: workspace.cwd,
    urged,
    isComplete: answered >= steps.length,
    remove: workspace.remove,
  };
}

/** A client that ends every turn by itself would be urged for ever. */
const MOST_URGES = 25;

function renderEnv(session: ReplaySession, arm: ArmName): Record<string, string> {
  const written = session.steps.filter(({ share1h }) => share1h > 0.5).length;
  return {
    ...(arm === "client@100k" ? { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } : {}),
    ...(written > session.steps.length / 2 ? { ENABLE_PROMPT_CACHING_1H: "1" } : {}),
  };
}
