import type { JsonObject } from "../../core/json.ts";
import type { TokenWeights } from "../../core/occasion.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { LedgerStyle } from "../../layers/ledger/describe-call.ts";
import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import type { HealthOptions } from "../../measure/health.ts";
import type { Status } from "../../measure/status-line.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import type { InjectionState, PolicyState } from "../../policy/policy-state.ts";
import type { RateLimit } from "../../policy/rules/rate-limits.ts";
import type { Early, Settings } from "../../policy/settings/settings.ts";
import type { Opened } from "../../policy/steps/opened.ts";
import type { SummaryDiff } from "../../survive/receipt/diff-summary.ts";
import type { Repair } from "../../survive/receipt/plan-repair.ts";
import type { Breaker } from "./breaker.ts";
import type { CacheLife } from "./cache-life.ts";
import type { Beside } from "./compaction/beside-rows.ts";
import type { WatchCheckpoint } from "./compaction/rewound.ts";
import type { Engine } from "./engine.ts";
import type { Journal } from "./journal.ts";
import { renderMemoryFile } from "./memory-file.ts";
import type { Shelf } from "./originals/keep-original.ts";
import type { Screen } from "./screen.ts";
import type { Watch, WatchState } from "./watch.ts";

/** One session that the module is aboard of. */
export interface Live {
  readonly sessionId: string;
  readonly nowMs: () => number;
  /** Above the folders of cold tasks. */
  readonly coldHome: string;
  readonly root: string;
  /** The session's private data folder. */
  readonly folder: string;
  /** Where results go that leave the window: the first of these that can be written. */
  readonly archives: readonly string[];
  /** Where the client keeps the conversation, once it has begun. */
  readonly transcript: string;
  readonly settings: Settings;
  watch: Watch;
  readonly shelf: Shelf;
  readonly journal: Journal;
  /** Where the client puts outputs that are too large for it. */
  readonly toolResults: string;
  /** What the calls that are running were given, for the folds of their results. */
  readonly inputs: Map<string, JsonObject>;
  /** The last results of each command class, where they are to be combined. */
  groups: OutputGroups;
  /** By which numbers every load of this session is judged. */
  readonly health: HealthOptions;
  /** The client's own values, put back when nothing is to be brought about. */
  readonly line: { readonly window: string | undefined; readonly percent: string | undefined; isLowered: boolean };
  /** How long the account's cache lives; what the environment says until the transcript has told. */
  cacheLife: CacheLife;
  /** What the person's own readings have shown their subscription to count. */
  readonly learned: TokenWeights | undefined;
  /** What a page of each question that was asked of `recall` holds. */
  readonly pageSizes: Map<string, number>;
  /** `savedTokens` are those of results that are still in view. */
  readonly totals: { folds: number; savedTokens: number; compactions: number };
  /** What the policy remembers from one event to the next. */
  policy: PolicyState;
  /** Why a window begins with the next prompt, where it does: then it must be told what it has to hold. */
  opening: Opened["why"] | undefined;
  /** What stands before the first answer: it stays in every window that we make. */
  standing: InjectionState | undefined;
  /** The account's limits, as last measured. */
  limits: readonly RateLimit[];
  /** The ignore file, read at the first call. */
  ignoreRules: { readonly text: string; readonly isDefault: boolean } | undefined;
  /** The compaction that is under way is answered by us, with what must stand in the new window. */
  isAnswering: boolean;
  /** Why a compaction was brought about; empty where the client or the person did. */
  lastWhy: string;
  /** What stands in the conversation beside the rows that the engine tells. */
  beside: Beside;
  /** Rows of an answer that stood in the middle of a turn when it was compacted; a resumed session finds them twice. */
  keptAnswers: readonly string[];
  breaker: Breaker;
  /** A record of ours stands in the conversation, or did. */
  hasAnswered: boolean;
  checkpoints: readonly WatchCheckpoint[];
  /** The session was resumed where rows occur twice: the next request is to be compacted first. */
  isTidyDue: boolean;
  readonly steering: Steering;
  readonly screen: Screen;
  /** What the window weighs after a compaction that we answered, by estimate, until a request was measured. */
  afterTokens: number | undefined;
  /** The person was told that nothing can be kept, and so nothing is done. */
  isIdleShown: boolean;
  /** When the person's budgets were last checked, and what they came to. */
  budgetCheckedMs: number;
  spent: Pick<Status, "todayUsd" | "budget">;
  /** What the client's status area shows. */
  shownStatus: string;
  /** The part of it that is in the hint line below the prompt: all or nothing. */
  hint: string;
  /** Answered, and not yet seen to be carried out. */
  pending: PendingCompaction | undefined;
  /** Whether the client runs the person's PreCompact hooks when it is asked to compact next to nothing. */
  runsOwnHooks: boolean;
  /** What was put back after the client's own summary, until it is seen to have landed. */
  repairing: Repairing | undefined;
  /** What is to be put back behind the rows that the client kept; empty once it stands there. */
  dueRepair: string;
}

/** What the person wants done before the client compacts by itself, and what was said of it since the last compaction. */
interface Steering {
  early: Early;
  /** Off by `/plimsoll off`: neither the price nor a line of the person's own brings anything about. */
  isOn: boolean;
  /** What brings the next compaction about, where something does. */
  by: "line" | "price" | "loop" | undefined;
  isSaid: boolean;
  hasAskedAbout: boolean;
  /** A compaction that would pay was put off, and it was noted. */
  hasWaited: boolean;
  isLineSaid: boolean;
  /** Steps of the session at the last compaction: they must keep their distance. */
  stepsAtLast: number | undefined;
}

/** A compaction that was answered, until a request shows that the client has carried it out. */
export interface PendingCompaction {
  readonly by: "plimsoll" | "client";
  readonly trigger: string;
  readonly tokensBefore: number;
  /** What the next request should weigh, by estimate. */
  readonly expectedTokens: number;
  readonly recordTokens?: number;
  readonly ms: number;
  readonly why: string;
  /** What brought it about; nothing where the client or the person did. */
  readonly steeredBy: Live["steering"]["by"];
  /** A text that is in the conversation once the client has carried it out. */
  readonly landmark: string;
  /** What was known before it, for when the client has not. */
  readonly before: Pick<Live, "beside" | "keptAnswers"> & { readonly load: WatchState["load"] };
}

interface Repairing {
  readonly compaction: number;
  readonly diff: SummaryDiff;
  readonly repair: Repair;
  /** Of this session, on disk when it was compacted. */
  readonly taskSummaries: number;
}

export function styleOf(root: string, { policy }: Settings): LedgerStyle {
  return { vocabulary: claudeCodeVocabulary, root, ...POLICY_SETTINGS[policy] };
}

/** Between what must stay in a window and where it is compacted. */
export function roomOf({ watch }: Live): { readonly lineTokens: number; readonly baseTokens: number } {
  return { lineTokens: watch.health().compactionPointTokens, baseTokens: watch.baseTokens() };
}

/** Keeps what is known where a later process finds it; a failure costs the memory, never the turn. */
export async function saveLive($: Engine, live: Live): Promise<void> {
  const { folder, watch, policy, standing, beside, keptAnswers, hasAnswered, dueRepair, journal } = live;
  const memory = { watch: watch.save(), policy, standing, beside, keptAnswers, hasAnswered, dueRepair };
  await $.fs.write(`${folder}/${SESSION_FILES.moduleState}`, renderMemoryFile(memory));
  await journal.flush();
}
