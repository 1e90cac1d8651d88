import { isObject, type JsonObject, objectField } from "../../core/json.ts";
import type { TokenWeights } from "../../core/layer.ts";
import { quietly } from "../../core/quietly.ts";
import type { TrustedPlace } from "../../files/agreed-files.ts";
import type { SessionStore } from "../../files/artifacts/create-session-store.ts";
import type { IgnoreRulesText } from "../../guard/decide-ignored.ts";
import { readMeter } from "../../hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { LedgerStyle } from "../../layers/ledger/describe-call.ts";
import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import type { ReportedLimit } from "../../measure/describe-limits.ts";
import type { HealthOptions } from "../../measure/health.ts";
import type { MeterState } from "../../measure/meter.ts";
import type { Status } from "../../measure/status-line.ts";
import { SESSION_FILES } from "../../policy/actions/data-paths.ts";
import type { Due } from "../../policy/collapse-due.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import type { InjectionState, PolicyState } from "../../policy/policy-state.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import type { Opened } from "../../policy/steps/opened.ts";
import type { Fact } from "../../survive/receipt/fact.ts";
import type { CacheLife } from "./cache-life.ts";
import type { ClientPort } from "./client-port.ts";
import type { Breaker } from "./compaction/breaker.ts";
import { type EngineMessage, weighMessage } from "./compaction/compaction-event.ts";
import type { Life, PendingCompaction } from "./compaction/life.ts";
import { lastNote, type NoteState } from "./compaction/note-state.ts";
import type { Journal } from "./journal.ts";
import type { Machine } from "./machine.ts";
import { type KnownConversation, renderMemoryFile } from "./memory-file.ts";
import type { Watch } from "./watch.ts";

export interface Live extends Omit<Machine, "createSessionStore"> {
  readonly sessionId: string;
  readonly coldHome: string;
  readonly root: string;
  readonly trust: TrustedPlace;
  /** The session's own, also for results that leave the window: anyone may have put what is in the project. */
  readonly folder: string;
  readonly transcript: string;
  settings: Settings;
  /** Where the person's own settings are. */
  readonly settingsFile: string;
  watch: Watch;
  readonly store: SessionStore;
  readonly journal: Journal;
  /** The client's folder for outputs that are too large for it. */
  readonly toolResults: string;
  /** Inputs of running calls, for the folds of their results. */
  readonly inputs: Map<string, JsonObject>;
  /** The last results of each command class, if they are to be combined. */
  groups: OutputGroups;
  readonly health: HealthOptions;
  /** Whether the client is made to compact before its next request. */
  readonly line: { isLowered: boolean };
  /** How long the account's cache lives; a guess from the environment until the transcript has shown it. */
  cacheLife: CacheLife;
  /** What the person's subscription counts, learned from their own readings. */
  readonly learned: TokenWeights | undefined;
  /** How often the person's models fetch originals back after a compaction, and where that is counted; the rate holds for the session. */
  readonly recalls: { readonly file: string; readonly rate: number | undefined };
  /** `savedTokens` counts results that are still in the window. */
  readonly totals: { folds: number; savedTokens: number; compactions: number };
  policy: PolicyState;
  window: {
    /** Set if a window begins with the next prompt: the model must then be given what the window has to hold. */
    readonly opening: Opened["why"] | undefined;
    /** What was injected before the first answer: it stays in every window that we make. */
    readonly standing: InjectionState | undefined;
  };
  limits: readonly ReportedLimit[];
  /** Tools that wait behind the client's tool search; the same for the whole session, so that its prefix stays. */
  readonly deferred: ReadonlySet<string>;
  ignoreRules: IgnoreRulesText | undefined;
  life: Life;
  note: NoteState;
  /** While the client summarises: what its summary must not lose, and what of it the window is told as it begins. */
  boundary: { readonly facts: readonly Fact[]; readonly said: string } | undefined;
  conversation: KnownConversation;
  /** What is known of each subagent's, by the client's id for it, the newest last. */
  readonly agents: Map<string, KnownConversation>;
  breaker: Breaker;
  /** Runs out when the cache has surely expired without another request. */
  breakTimer: NodeJS.Timeout | undefined;
  readonly steering: Steering;
  /** What the person sees; used by `status.ts`. */
  shown: {
    readonly status: string;
    /** The person was told that nothing can be stored, and so nothing is done. */
    readonly isIdle: boolean;
    readonly budgetCheckedMs: number;
    readonly spent: Pick<Status, "todayUsd" | "budget">;
  };
  /** Whether the client runs the person's PreCompact hooks when it is asked to compact next to nothing. */
  runsOwnHooks: boolean;
}

/** How compactions are started before the client's own, and what was said about that since the last one. */
interface Steering {
  /** Off by `/plimsoll off`: neither the price nor the person's own line starts a compaction. */
  isOn: boolean;
  by: PendingCompaction["steeredBy"];
  /** Why the next compaction is started, in words; empty if the client or the person starts it. */
  why: string;
  /** The session was resumed with rows that occur twice: it is compacted before the next request. */
  isTidyDue: boolean;
  readonly said: Set<"asked" | "below" | "loops" | "pays" | "waits">;
  /** Steps of the session at the last compaction: the next one must keep its distance. */
  stepsAtLast: number | undefined;
  /** The model said that a piece of work is done, and that pays: until the result of that call has come in. */
  asked: Due | undefined;
  /** Numbers of calls at each compaction of this process, by which loops are noticed. */
  compactedAt: readonly number[];
}

export function styleOf(root: string, { policy }: Settings): LedgerStyle {
  return { vocabulary: claudeCodeVocabulary, root, ...POLICY_SETTINGS[policy] };
}

export function roomOf({ watch }: Live): { readonly lineTokens: number; readonly baseTokens: number } {
  return { lineTokens: watch.health().compactionPointTokens, baseTokens: watch.baseTokens() };
}

/** Tokens of the last request; an estimate if the client does not know. */
export async function readContextTokens(
  $: ClientPort,
  live: Live,
  messages: readonly EngineMessage[],
): Promise<number> {
  // In a session that was just resumed we have seen no request yet.
  const measured = live.watch.contextTokens() ?? readUsage(await $.session.usage().catch(() => undefined));
  return Math.round(measured ?? messages.reduce((sum, row) => sum + weighMessage(row), live.watch.baseTokens()));
}

export function readUsage(usage: unknown): number | undefined {
  const tokens = isObject(usage) ? objectField(usage, "context")?.tokens : undefined;
  return typeof tokens === "number" && tokens > 0 ? tokens : undefined;
}

/** What a transcript says of its window; `undefined` if it cannot be read. */
export function readQuietMeter(transcript: string): MeterState | undefined {
  return quietly(() => readMeter(transcript).transcript.meter, undefined);
}

/** Saves the state for a later process. A failure costs the memory, never the turn. */
export async function saveLive(live: Live): Promise<void> {
  const { folder, files, watch, policy, window, conversation, life } = live;
  const { checkpoints: _, ...known } = { ...conversation, dueRepair: life.repair?.due ?? "" };
  const memory = {
    watch: watch.save(),
    policy,
    standing: window.standing,
    deferred: [...live.deferred],
    note: lastNote(live.note),
    lineTokens: watch.health().compactionPointTokens,
    ...known,
  };
  await files.write(`${folder}/${SESSION_FILES.moduleState}`, renderMemoryFile(memory), { isDurable: false });
}
