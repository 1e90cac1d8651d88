import type { JsonObject } from "../../core/json.ts";
import type { TokenWeights } from "../../core/layer.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { LedgerStyle } from "../../layers/ledger/describe-call.ts";
import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import type { HealthOptions } from "../../measure/health.ts";
import type { Status } from "../../measure/status-line.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import type { InjectionState, PolicyState } from "../../policy/policy-state.ts";
import type { RateLimit } from "../../policy/rules/rate-limits.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import type { Opened } from "../../policy/steps/opened.ts";
import type { Breaker } from "./breaker.ts";
import type { CacheLife } from "./cache-life.ts";
import type { Life, PendingCompaction } from "./compaction/life.ts";
import type { Engine } from "./engine.ts";
import type { Journal } from "./journal.ts";
import { type KnownConversation, renderMemoryFile } from "./memory-file.ts";
import type { Shelf } from "./originals/keep-original.ts";
import type { Screen } from "./screen.ts";
import type { Watch } from "./watch.ts";

/** One session that the module is aboard of. */
export interface Live {
  readonly sessionId: string;
  readonly nowMs: () => number;
  /** Above the folders of cold tasks. */
  readonly coldHome: string;
  readonly root: string;
  /** The session's private data folder. */
  readonly folder: string;
  /** Where results go that leave the window; in the person's own folder alone, since anybody may have put what is in the project. */
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
  /** Of `tell.ts`. */
  window: {
    /** Why it begins with the next prompt, where it does: then it must be told what it has to hold. */
    readonly opening: Opened["why"] | undefined;
    /** What stands before the first answer: it stays in every window that we make. */
    readonly standing: InjectionState | undefined;
  };
  /** The account's limits, as last measured. */
  limits: readonly RateLimit[];
  /** The ignore file, read at the first call. */
  ignoreRules: { readonly text: string; readonly isDefault: boolean } | undefined;
  /** Changed by the transitions of `life.ts` alone. */
  life: Life;
  conversation: KnownConversation;
  breaker: Breaker;
  readonly steering: Steering;
  readonly screen: Screen;
  /** What the person sees, of `status.ts`. */
  shown: {
    readonly status: string;
    /** The part of it that is in the hint line below the prompt: all or nothing. */
    readonly hint: string;
    /** They were told that nothing can be kept, and so nothing is done. */
    readonly isIdle: boolean;
    /** When their budgets were last checked, and what they came to. */
    readonly budgetCheckedMs: number;
    readonly spent: Pick<Status, "todayUsd" | "budget">;
  };
  /** Whether the client runs the person's PreCompact hooks when it is asked to compact next to nothing. */
  runsOwnHooks: boolean;
}

/** What the person wants done before the client compacts by itself, and what was said of it since the last compaction. */
interface Steering {
  /** Off by `/plimsoll off`: neither the price nor a line of the person's own brings anything about. */
  isOn: boolean;
  /** What brings the next compaction about, where something does. */
  by: PendingCompaction["steeredBy"];
  /** Why it is brought about; empty where the client or the person does. */
  why: string;
  /** The session was resumed where rows occur twice: the next request is to be compacted first. */
  isTidyDue: boolean;
  readonly said: Set<"asked" | "below" | "pays" | "waits">;
  /** Steps of the session at the last compaction: they must keep their distance. */
  stepsAtLast: number | undefined;
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
  const { folder, watch, policy, window, conversation, life, journal } = live;
  const { checkpoints: _, ...known } = { ...conversation, dueRepair: life.repair?.due ?? "" };
  const memory = { watch: watch.save(), policy, standing: window.standing, ...known };
  await $.fs.write(`${folder}/${SESSION_FILES.moduleState}`, renderMemoryFile(memory));
  await journal.flush();
}
