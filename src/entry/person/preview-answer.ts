import path from "node:path";
import { openAgreedFiles } from "../../files/agreed-files.ts";
import { createSessionStore } from "../../files/artifacts/create-session-store.ts";
import { type ColdSession, readColdTasks, writeColdTasks } from "../../files/cold-tasks.ts";
import { readModeText } from "../../files/mode-files.ts";
import { locateTrust } from "../../files/node-agreement.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readSurroundings } from "../../files/project-reader.ts";
import { readSettings } from "../../files/project-settings.ts";
import { readQuietly } from "../../files/read-regular-file.ts";
import { HOSTS, locateHome } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { BEFORE_FILE } from "../../measure/attribution.ts";
import { locateData, locateSession, SESSION_FILES } from "../../policy/actions/data-paths.ts";
import { isMode } from "../../policy/mode/parse-active-mode.ts";
import { renderNote } from "../../policy/note.ts";
import { INITIAL_POLICY } from "../../policy/policy-state.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { opened } from "../../policy/steps/opened.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { locateColdHome } from "../../survive/cold-tasks/cold-paths.ts";
import { measureColdMoment } from "../../survive/cold-tasks/is-look-due.ts";
import { renderSummaries } from "../../survive/cold-tasks/plan-cold-tasks.ts";
import { answerWindow } from "../engine/compaction/answer-window.ts";
import type { Answer, AnswerOptions } from "../engine/compaction/plan-answer.ts";
import { type RecordedWindow, readRecordedWindow } from "../engine/compaction/recorded-window.ts";
import { toHanded } from "../engine/compaction/rewound.ts";
import { parseMemory } from "../engine/memory-file.ts";
import { RECALL_TOOL } from "../module/names.ts";

export type CompactionPlace = SessionPlace & IndexSurroundings & { readonly transcript: string };

/** What a compaction now would be answered with. */
export interface PreviewedAnswer extends Pick<Answer, "tail" | "keptExchanges"> {
  readonly settings: Settings;
  readonly window: RecordedWindow;
  readonly root: string;
  /** As the client is handed them: what stays of the opening, the record with the ledger, the last exchanges. */
  readonly messages: readonly unknown[];
  /** The record and the ledger, as one text. */
  readonly text: string;
  readonly model: string;
  /** Of the window now; `undefined` if no request is recorded yet. */
  readonly measuredTokens: number | undefined;
  readonly baseTokens: number;
}

/** What every window is given again: a mode, rules, notes on finished tasks. Finding it takes a moment, and it weighs the same before and after. */
type SaidAgain = Pick<AnswerOptions, "standing" | "finished">;
type PreviewedSession = ReturnType<typeof readPreviewed>;

const MAX_BYTES = 64 << 20;

/** The answer to a compaction now, by the function that answers one in a running session. Nothing is stored. */
export function previewAnswer(recorded: RecordedSession, place: CompactionPlace): PreviewedAnswer {
  return answerNow(readPreviewed(recorded, place), place, {});
}

/** The same with what the window is given again. */
export async function previewWhole(recorded: RecordedSession, place: CompactionPlace): Promise<PreviewedAnswer> {
  const session = readPreviewed(recorded, place);
  const standing = await findStanding(session, place);
  return answerNow(session, place, { standing, finished: await findFinished(session, place) });
}

function answerNow(session: PreviewedSession, { transcript, nowMs }: CompactionPlace, again: SaidAgain) {
  const { recorded, health, settings, root, dataFolder, isOfModule, window } = session;
  const { memory, conversation } = window;
  const measuredTokens = health.nextTokens ?? health.usedTokens;
  const { parts = {} } = attributeSession(recorded).at(-1) ?? {};
  // Limited to this window: a transcript may begin in the middle of a session, so that its first request has too many tokens.
  const baseTokens = Math.min(parts.base ?? parts[BEFORE_FILE] ?? 0, measuredTokens ?? 0);
  const { messages, record, tail, keptExchanges } = answerWindow(
    {
      window: isOfModule ? window : { ...window, conversation: { ...conversation, opening: [] } },
      happened: window.happened,
      vocabulary: recorded.host.vocabulary,
      policy: settings.policy,
      model: recorded.recording.steps.at(-1)?.model ?? "",
      root,
      recallTool: isOfModule ? RECALL_TOOL : "",
      transcript,
      store: createSessionStore({ project: root, dataFolder, sessionId: recorded.transcript.sessionId }, nowMs),
      marked: memory?.policy.told ?? {},
      room: {
        lineTokens: memory?.lineTokens ?? health.compactionPointTokens,
        baseTokens: memory?.watch.baseTokens ?? baseTokens,
      },
    },
    { ...again, note: renderNote(memory?.note ?? "", { isEarlier: true }) },
  );
  const measured = { model: health.model, measuredTokens, baseTokens };
  return { settings, window, root, messages: toHanded(messages), tail, keptExchanges, text: record, ...measured };
}

/** A session as its transcript and what the module wrote down of it show it. */
function readPreviewed(recorded: RecordedSession, place: CompactionPlace) {
  const { environment, directory, transcript } = place;
  const { sessionId, cwd } = recorded.transcript;
  const isOfModule = recorded.host.name === HOSTS[0].name;
  const configFolder = locateHome(environment);
  const root = (isOfModule && findRoot(recorded, transcript)) || cwd;
  const folder = isOfModule ? locateSession(configFolder, sessionId) : undefined;
  const saved = folder === undefined ? "" : readQuietly(`${folder}/${SESSION_FILES.moduleState}`, MAX_BYTES);
  return {
    recorded,
    settings: readSettings({}, configFolder, root || directory).settings,
    window: readRecordedWindow(recorded, { transcript, memory: parseMemory(saved) }),
    health: assessSession(recorded, place),
    root,
    dataFolder: locateData(configFolder),
    coldHome: locateColdHome(configFolder, environment.HOME),
    isOfModule,
  };
}

/** The folder that the session was started in, after which its transcript's folder is named: the work may have gone elsewhere since. */
function findRoot({ entries }: RecordedSession, transcript: string): string | undefined {
  const name = path.basename(path.dirname(transcript));
  return entries.find(({ cwd }) => cwd !== "" && cwd.replaceAll(/[^0-9A-Za-z]/g, "-") === name)?.cwd;
}

async function findStanding(session: PreviewedSession, { nowMs }: CompactionPlace): Promise<string> {
  const { root, dataFolder, health, window, isOfModule } = session;
  if (!isOfModule) return "";
  const files = openAgreedFiles(nodeProjectFiles, locateTrust(root, dataFolder));
  const { policy = INITIAL_POLICY, standing } = window.memory ?? {};
  const step = opened(policy, {
    why: "compact",
    surroundings: await readSurroundings(files, root, async (mode) => (isMode(mode) ? readModeText(mode) : undefined)),
    stands: window.conversation.opening.length > 0 ? standing : undefined,
    nowMs: nowMs(),
    notes: () => "",
    model: () => health.model,
  });
  return step.commands.flatMap((command) => (command.kind === "tell" ? [command.text] : [])).join("\n\n");
}

/** What would be written down of finished tasks before the window is emptied is kept in memory here. */
async function findFinished(session: PreviewedSession, { nowMs }: CompactionPlace): Promise<string> {
  const { recorded, coldHome: home, health, window, isOfModule } = session;
  if (!isOfModule) return "";
  const { state } = window.happened;
  const written = new Map<string, { readonly text: string }>();
  const store: ColdSession["store"] = {
    read: async (file, maxBytes) => written.get(file) ?? nodeProjectFiles.read(file, maxBytes),
    kindOf: async (file) => (written.has(file) ? "file" : nodeProjectFiles.kindOf(file)),
    write: async (file, text) => void written.set(file, { text }),
  };
  const cold = { store, home, sessionId: recorded.transcript.sessionId, nowMs: nowMs() };
  await writeColdTasks(cold, { ...measureColdMoment(health), isLast: true }, () => state);
  return renderSummaries(await readColdTasks(cold, state));
}
