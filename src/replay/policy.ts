import type { Edit } from "../core/edit.ts";
import type { Block, Message } from "../core/message.ts";
import type { Usage } from "../core/usage.ts";
import type { Original } from "../layers/history/originals.ts";
import type { Needs } from "./needs.ts";
import type { ReplayCacheLife } from "./prompt-cache.ts";
import type { ReplaySession } from "./session.ts";

export interface StepView {
  readonly step: number;
  /** The conversation as it would be sent, with earlier decisions applied. */
  readonly messages: readonly Message[];
  /** How many of the messages were sent with the previous request. */
  readonly sentMessages: number;
  /** Their size, without the base. */
  readonly tokens: number;
  readonly baseTokens: number;
  readonly windowTokens: number;
  readonly countTokens: (message: Message) => number;
  readonly nowMs: number;
  readonly model: string;
  /** The request will be rewritten in any case. */
  readonly isCold: boolean;
  /** Share of the cache writes with the long lifetime. */
  readonly share1h: number;
  /** Usage of the previous request according to the simulated cache; absent before the first. */
  readonly lastUsage?: Usage | undefined;
}

export interface ReplayDecision {
  readonly edits: readonly Edit[];
  /** The whole conversation to send, from policies that have it: their edits are not applied again. Recorded blocks in it are the identical objects. */
  readonly view?: readonly Message[];
  /** What was left in the view although it could have gone: one reason for each time. */
  readonly left?: readonly string[];
  /** The content that the edits removed, for the store; what is not stored cannot be fetched. */
  readonly originals?: readonly Original[];
  /**
   * Only for the theoretical limit, which is not a policy: the blocks in the view, whether or not a provider would accept it. Everything
   * else can be fetched.
   */
  readonly standing?: readonly Block[];
  /** Old exchanges were removed, and whether the work was at a boundary. */
  readonly collapse?: { readonly isAtBoundary: boolean };
  /** A model was asked: one request over the view with this many output tokens; `isAhead`: before the pause, while the cache was warm. */
  readonly asked?: { readonly outputTokens: number; readonly blockedMs: number; readonly isAhead?: boolean };
  /** The model's words are unknown: from here on only price and cut are reported. */
  readonly isWordless?: boolean;
}

export const NOTHING_TO_DO: ReplayDecision = { edits: [] };

export interface Planner {
  plan(occasion: StepView): ReplayDecision;
}

/** What a policy may know about a session beforehand. Only the clairvoyant ones look at `needs`. */
export interface Briefing {
  readonly session: ReplaySession;
  readonly needs: Needs;
}

/** Under which circumstances a row plays a session, where these are not the recorded ones. */
export interface ReplayTerms {
  /** Lifetime of its cache entries. */
  readonly life?: ReplayCacheLife;
  /** The model whose prices and cache rules apply to every request. */
  readonly pricedAs?: string;
  /** What else differs in the session itself, as a smaller system prompt. */
  readonly adapt?: (subject: Briefing) => Briefing;
  /** The row that it is compared with, if not `native`: the client alone under the same circumstances. */
  readonly beside?: string;
}

export interface Policy extends ReplayTerms {
  readonly name: string;
  /** One sentence for the table's legend, with the constants and their source. */
  readonly about: string;
  /** The name of the same policy with the recorded lifetime, which it is in a client that cannot be set to another. */
  readonly lifeOf?: string;
  create(briefing: Briefing): Planner;
}
