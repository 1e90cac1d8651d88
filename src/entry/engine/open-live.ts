import { parseObject } from "../../core/json.ts";
import { locateTrust } from "../../files/node-agreement.ts";
import { readSettings } from "../../files/project-settings.ts";
import { readQuietly } from "../../files/read-regular-file.ts";
import { readApiMessages } from "../../hosts/claude-code/api-messages.ts";
import { parseCompactionSettings } from "../../hosts/claude-code/parse-compaction-settings.ts";
import {
  locateData,
  locateRecalls,
  locateSession,
  locateWeights,
  SESSION_FILES,
} from "../../policy/actions/data-paths.ts";
import { parseWeights } from "../../policy/objective.ts";
import { INITIAL_POLICY } from "../../policy/policy-state.ts";
import { chooseRecallRate } from "../../policy/recall-rate.ts";
import { readRecalls } from "../../recorded/read-recalls.ts";
import { locateColdHome } from "../../survive/cold-tasks/cold-paths.ts";
import { listDeferred } from "./base.ts";
import { readSetLife } from "./cache-life.ts";
import type { ClientPort } from "./client-port.ts";
import { CALM } from "./compaction/breaker.ts";
import { IDLE, repairWaits } from "./compaction/life.ts";
import { NO_NOTE } from "./compaction/note-state.ts";
import { NO_EXTRAS } from "./compaction/row-extras.ts";
import { createJournal } from "./journal.ts";
import { type Live, styleOf } from "./live.ts";
import type { Machine } from "./machine.ts";
import { parseCheckpoints, parseMemory } from "./memory-file.ts";
import { createWatch } from "./watch.ts";

export async function openLive($: ClientPort, machine: Machine): Promise<Live> {
  const { env, nowMs, files, readEnd } = machine;
  // Asked together: the first prompt waits for each answer.
  const [sessionId, root, { version }, model] = await Promise.all([
    $.session.id(),
    $.session.root(),
    $.session.version().catch(() => ({ version: "" })),
    $.session.model().catch(() => ""),
  ]);
  const { HOME: home, CLAUDE_CONFIG_DIR: moved } = env;
  const configFolder = moved ?? `${home ?? ""}/.claude`;
  const folder = locateSession(configFolder, sessionId);
  if (folder === undefined) throw new Error(`not a valid session id: ${sessionId}`);
  const dataFolder = locateData(configFolder);
  const { settings } = readSettings(env, configFolder, root);
  const saved = readQuietly(`${folder}/${SESSION_FILES.moduleState}`, MAX_BYTES);
  const conversation = `${configFolder}/projects/${root.replaceAll(/[^0-9A-Za-z]/g, "-")}/${sessionId}`;
  const memory = parseMemory(saved);
  const { beside: extras = NO_EXTRAS, keptAnswers = [], hasAnswered = false, dueRepair = "" } = memory ?? {};
  const checkpoints = parseCheckpoints(readQuietly(`${folder}/${SESSION_FILES.checkpoints}`, MAX_BYTES));
  const ofClient = readOfClient(configFolder, root);
  const { profile, lineTokens } = settings;
  const { CLAUDE_CODE_AUTO_COMPACT_WINDOW: window, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent } = env;
  const limits = parseCompactionSettings({ window, percent, files: ofClient });
  // The load is judged by where the client compacts, or by the person's own line if that is lower.
  const health = { profile, settings: lineTokens === null ? limits : { ...limits, lineTokens } };
  const watch = createWatch(memory?.watch, styleOf(root, settings), { ...health, model });
  if (memory === undefined) watch.events(readApiMessages(await $.session.messages({ as: "api" }).catch(() => [])));
  const opening = memory === undefined && watch.happened().state.requests.count === 0 ? "startup" : "resume";
  return {
    sessionId,
    env,
    nowMs,
    files,
    readEnd,
    trust: locateTrust(root, dataFolder),
    coldHome: locateColdHome(configFolder, home),
    root,
    folder,
    transcript: `${conversation}.jsonl`,
    settings,
    settingsFile: `${configFolder}/plimsoll.json`,
    watch,
    store: machine.createSessionStore({ project: root, dataFolder, sessionId }, nowMs),
    journal: createJournal(folder, version, nowMs),
    toolResults: `${conversation}/tool-results/`,
    inputs: new Map(),
    groups: [],
    line: { isLowered: false },
    health,
    cacheLife: readSetLife(env, ofClient.map(parseObject)),
    learned: parseWeights(readQuietly(locateWeights(configFolder), MAX_BYTES)),
    recalls: { file: locateRecalls(configFolder), rate: chooseRecallRate(readRecalls(configFolder), root) },
    totals: { folds: 0, savedTokens: 0, compactions: 0 },
    policy: memory?.policy ?? INITIAL_POLICY,
    window: { opening, standing: memory?.standing },
    limits: [],
    deferred: new Set(opening === "startup" && settings.base === "trim" ? listDeferred(env, root) : memory?.deferred),
    ignoreRules: undefined,
    life: repairWaits(IDLE, dueRepair),
    boundary: undefined,
    conversation: { beside: extras, keptAnswers, hasAnswered, checkpoints },
    agents: new Map(),
    note: { ...NO_NOTE, earlier: memory?.note ?? "" },
    breaker: CALM,
    breakTimer: undefined,
    steering: {
      isOn: true,
      isTidyDue: keptAnswers.length > 0,
      said: new Set(),
      by: undefined,
      why: "",
      stepsAtLast: undefined,
      asked: undefined,
      compactedAt: [],
    },
    shown: { status: "", isIdle: false, budgetCheckedMs: 0, spent: {} },
    runsOwnHooks: true,
  };
}

/** What we and the client write there is a few megabytes at most. */
const MAX_BYTES = 64 << 20;

/** The client's own settings, highest precedence first. */
function readOfClient(configFolder: string, root: string): readonly string[] {
  const files = [`${root}/.claude/settings.local`, `${root}/.claude/settings`, `${configFolder}/settings`];
  return files.map((file) => readQuietly(`${file}.json`, MAX_BYTES));
}
