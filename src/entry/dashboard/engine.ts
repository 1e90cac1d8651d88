import { createArtifactStore } from "../../files/artifacts/artifacts.ts";
import { hostOf, nameSession } from "../../hosts/catalogue.ts";
import {
  type Followed,
  followMeasures,
  followSession,
  type RecordedSession,
  type TranscriptReading,
} from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { createCalendar } from "../../recorded/calendar.ts";
import { NO_HISTORY, readHistory } from "../../recorded/history.ts";
import { findLastReplay } from "../../recorded/last-replay.ts";
import { passOverSubagents } from "../../recorded/own-data.ts";
import { lookAroundSession, nothingAround } from "../person/advise-session.ts";
import { type LookedAround, lookAround } from "../person/look-around.ts";
import { type CatalogueOptions, createCatalogue, type KnownFile, type KnownSession, nameKey } from "./catalogue.ts";
import type { Watched } from "./describe-head.ts";
import { chooseFirst, describeHeavy, describeLookBack, describeNow, keepAdvice } from "./describe-now.ts";
import {
  describeBlock,
  describeCompactions,
  describeOriginal,
  describeRequest,
  describeSession,
} from "./describe-session.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeSpend } from "./describe-spend.ts";
import { openJournals } from "./journals.ts";
import type { PageQuery } from "./question.ts";
import { readWhatIf, watchReplay } from "./watch-replay.ts";
import type { FirstAdvice, NowMessage, NowSession, ShownOriginal, ShownProgress } from "./wire.ts";

export type DashboardEngine = ReturnType<typeof createEngine>;

export interface Advance {
  readonly hasMore: boolean;
  readonly isChanged: boolean;
  readonly progress: ShownProgress;
  /** The running sessions, if one of them has changed. */
  readonly now: NowMessage | undefined;
}

export interface EngineOptions extends CatalogueOptions {
  readonly directory: string;
  /** The replay to show; by default the newest of the person's own. */
  readonly replay: string | undefined;
  /** Whether all of the clients' sessions are shown, not just a named folder. */
  readonly isOwn?: boolean;
}

/** A session without additions for this long is over or paused. */
const RUNNING_MS = 10 * 60_000;
/** A file that was only copied or touched has no request in the last hour. */
const AT_WORK_MS = 60 * 60_000;
const MOST_RUNNING = 4;
const MINUTE_MS = 60_000;
/** How many of the newest files are tried if none runs: the first may have no request yet. */
const MOST_TRIED = 5;
const MOST_FOLLOWED = 6;
/** Between two scans of the folders. For large folders, scanning takes at most a tenth of the time. */
const LEAST_PAUSE_MS = 250;
const PAUSE_PER_COST = 10;

/** Everything that reads: a thread of its own in the server, the current thread in tests. */
export function createEngine(options: EngineOptions) {
  const calendar = createCalendar(options.environment);
  const journals = openJournals(options);
  const followed = new Map<string, Followed<RecordedSession>>();
  const measured = new Map<string, Followed<TranscriptReading>>();
  const catalogue = createCatalogue({
    ...options,
    findHeld: (key) => followed.get(key),
    readKept: () => (options.isOwn ? readHistory(options.environment) : NO_HISTORY),
  });
  let nextListMs: number | undefined;
  let lastStamp: string | undefined;
  // Files that went away since the last run are noticed by saving, which otherwise waits for a change.
  let isSaved = false;
  let looked: (LookedAround & { readonly minute: number }) | undefined;
  let joined: readonly KnownSession[] | undefined;
  const forget = (): void => {
    looked = undefined;
    joined = undefined;
  };
  const advice = keepAdvice(options);
  const replay = watchReplay({ ...options, isOwn: options.isOwn === true && options.replay === undefined });

  const follow = (key: string, file: TranscriptFile): Followed<RecordedSession> => {
    // If the thread dies over this file, the next thread must know which one it was.
    if (!followed.has(key)) options.onLook?.(file.path);
    return keepNewest(followed, key, () => followSession(hostOf(file.path), file.path));
  };
  const isRunning = ({ file, lastMs = file.modifiedMs }: KnownFile): boolean =>
    options.nowMs() - file.modifiedMs < RUNNING_MS && options.nowMs() - lastMs < AT_WORK_MS;
  const watch = (key: string): Watched | undefined => {
    const knownFile = catalogue.find(key);
    if (!knownFile) return undefined;
    const { file } = knownFile;
    if (!catalogue.isSmall(file))
      throw new Error("This transcript is too large to show in detail; its cost is complete");
    const actions = journals.actions(nameSession(file.path));
    return { key, file, isRunning: isRunning(knownFile), followed: follow(key, file), actions };
  };
  const known = () => (joined ??= catalogue.sessions((file) => journals.injected(nameSession(file.path))));
  const look = (): LookedAround => {
    const minute = Math.floor(options.nowMs() / MINUTE_MS);
    if (looked?.minute !== minute) {
      // The sample is not the person's work.
      const scanned = catalogue.progress().isSample ? [] : known().map((one) => one.scanned);
      looked = { ...lookAround(scanned, options), minute };
    }
    return looked;
  };
  const listRecent = (): readonly TranscriptFile[] => {
    const isRecent = new Set(isReady() ? look().look?.files : []);
    return catalogue.files().flatMap(({ file }) => (isReady() && !isRecent.has(file.path) ? [] : [file]));
  };
  const isReady = (): boolean => catalogue.progress().phase === "ready";
  const reportProgress = (): ShownProgress => ({ ...catalogue.progress(), replay: replay.status() });
  const save = (): void => {
    catalogue.save();
    // Files that are gone count from now on by what was kept of them.
    forget();
    isSaved = true;
  };

  const rank = () => {
    const main = passOverSubagents(
      catalogue.files().filter(({ file, isEmpty }) => file.bytes > 0 && !isEmpty),
      ({ file }) => file,
    );
    const running = main.filter(isRunning).slice(0, MOST_RUNNING);
    const candidates = running.length > 0 ? running : main.slice(0, MOST_TRIED);
    const unknown = (running.length > 0 ? running : main.slice(0, 1)).find(({ lastMs }) => lastMs === undefined);
    return { running, candidates, unknown };
  };
  /**
   * A copied file's own time says nothing, so whether it is the newest shows only in its accounts. The first files are read for
   * all purposes at once; if they were not the newest, the others follow later.
   */
  const chooseShown = (): ReturnType<typeof rank> => {
    let ranked = rank();
    for (let tries = 0; ranked.unknown && followed.size < MOST_RUNNING && tries < MOST_RUNNING; tries++) {
      const { key, file } = ranked.unknown;
      if (catalogue.isSmall(file)) follow(key, file);
      catalogue.scan(key);
      ranked = rank();
    }
    return ranked;
  };

  /** Returns whether a session had to be read first. Reading is a slice of its own, so that questions need not wait for describing, too. */
  const readAhead = ({ running, candidates, unknown }: ReturnType<typeof rank>): boolean => {
    const shown = unknown ? [] : running.length > 0 ? running : candidates.slice(0, 1);
    const unread = shown.find(({ key, file }) => catalogue.isSmall(file) && !followed.has(key));
    if (unread) catalogue.attempt(unread.key, () => void follow(unread.key, unread.file).read());
    return unread !== undefined;
  };

  const reportFirst = (sessions: readonly NowSession[]): FirstAdvice | undefined => {
    if (!options.isOwn || !isReady() || catalogue.progress().isSample) return undefined;
    const around = { ...look(), unused: lookAroundSession(look(), options).unused, replay: replay.state() };
    return chooseFirst(sessions, (key) => catalogue.find(key)?.file.path, around, { nowMs: options.nowMs(), calendar });
  };
  const reportNow = ({ running, candidates, unknown }: ReturnType<typeof rank>): NowMessage | undefined => {
    if (unknown) return undefined;
    const all = options.isOwn && isReady() ? lookAroundSession(look(), options) : nothingAround;
    // Advice depends on how long ago the last request was, and on the accounts of all sessions.
    const around = `${Math.floor(options.nowMs() / MINUTE_MS)} ${all.unused?.savedUsd} ${all.paidTwice?.again.usd} ${replay.state().status}`;
    const files = candidates.map(
      ({ key, file }) => `${key} ${file.bytes} ${file.modifiedMs} ${journals.stamp(nameSession(file.path))}`,
    );
    const stamp = [running.length, around, ...files].join();
    if (stamp === lastStamp) return undefined;
    lastStamp = stamp;
    const sessions: NowSession[] = [];
    for (const { key, file } of candidates) {
      if (running.length === 0 && sessions.length > 0) break;
      const session = catalogue.attempt(key, () => {
        if (!catalogue.isSmall(file)) {
          const reading = keepNewest(measured, key, () => followMeasures(hostOf(file.path), file.path)).read();
          return describeHeavy({ key, file, isRunning: running.length > 0 }, reading, options);
        }
        const watched = watch(key);
        if (!watched) return undefined;
        const state = {
          stamp: `${file.bytes} ${file.modifiedMs} ${around}`,
          around: catalogue.progress().isSample ? undefined : all,
          transcript: watched.file.path,
          read: watched.followed.read,
        };
        return describeNow(watched, advice.find(key, state), options);
      });
      if (session && session.requests > 0) sessions.push(session);
    }
    return { atMs: options.nowMs(), first: reportFirst(sessions), sessions };
  };

  return {
    /** The answer as JSON; `undefined` if there is nothing of that name. */
    ask(question: PageQuery): unknown {
      switch (question.view) {
        case "sessions":
          return describeSessions(known(), look(), ({ file }) => {
            const knownFile = catalogue.find(nameKey(file.path));
            return knownFile !== undefined && isRunning(knownFile);
          });
        case "spend":
          return describeSpend(known(), { calendar, range: question.range, nowMs: options.nowMs() });
        case "look-back":
          return describeLookBack(look(), replay.state(), { nowMs: options.nowMs(), calendar });
        case "what-if":
          return readWhatIf(options.replay ?? (options.isOwn ? findLastReplay(options.environment) : undefined));
        default:
          return askOne(question, watch(question.key), options);
      }
    },
    /** Continues pending work for about `sliceMs`; `isWatched` while a page is open. */
    advance(sliceMs: number, isWatched = false): Advance {
      const startMs = options.clockMs();
      const isFirst = nextListMs === undefined;
      let isChanged = false;
      if (nextListMs === undefined || startMs >= nextListMs) {
        isChanged = catalogue.list();
        isChanged = journals.list() || isChanged;
        nextListMs = options.clockMs() + Math.max(LEAST_PAUSE_MS, (options.clockMs() - startMs) * PAUSE_PER_COST);
      }
      // Send what the indexes know before reading anything: the newest session may be long.
      if (isFirst) return { hasMore: true, isChanged, progress: reportProgress(), now: undefined };
      isChanged = replay.look(listRecent, isWatched && isReady()) || isChanged;
      if (isChanged) forget();
      // Running sessions first, because a person waits for them. Their advice takes longer and follows.
      const shown = chooseShown();
      const isReading = readAhead(shown);
      const now = isReading ? undefined : reportNow(shown);
      if (!now && !isReading && advice.work()) lastStamp = undefined;
      let hasMore = true;
      while (hasMore && options.clockMs() - startMs < sliceMs) {
        hasMore = catalogue.work();
        isChanged ||= hasMore;
      }
      if (isChanged) forget();
      isSaved &&= !isChanged;
      if (!hasMore && !isSaved) save();
      return { hasMore: hasMore || isReading, isChanged, progress: reportProgress(), now };
    },
    save: (): void => save(),
  };
}

function askOne(question: Extract<PageQuery, { key: string }>, watched: Watched | undefined, options: EngineOptions) {
  if (!watched) return undefined;
  switch (question.view) {
    case "session":
      return describeSession(watched, options);
    case "compactions":
      return describeCompactions(watched.followed.read(), watched.actions);
    case "request":
      return describeRequest(watched.followed.read().recording, question.request);
    case "block":
      return describeBlock(watched.followed.read().recording, question.request, question.block);
    case "fold":
      return readFold(watched, question.handle, options);
  }
}

function readFold({ followed, actions }: Watched, handle: string, { nowMs }: EngineOptions): ShownOriginal | undefined {
  const isOwn = actions.some((action) => action.kind === "folded" && action.handle === handle);
  const { cwd } = followed.read().transcript;
  if (!isOwn || cwd === "") return undefined;
  const read = createArtifactStore(cwd, nowMs).read(handle);
  if (!read.ok) return describeOriginal(handle, `The original cannot be read: ${read.problem.detail}`);
  return describeOriginal(handle, new TextDecoder().decode(read.value.bytes));
}

/** Keeps the few most recently used values. */
function keepNewest<Value>(held: Map<string, Value>, key: string, make: () => Value): Value {
  const value = held.get(key) ?? make();
  held.delete(key);
  held.set(key, value);
  for (const oldest of [...held.keys()].slice(0, -MOST_FOLLOWED)) held.delete(oldest);
  return value;
}
