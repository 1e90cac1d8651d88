import type { Edit } from "../core/edit.ts";
import type { Block, Message } from "../core/message.ts";
import type { Usage } from "../core/usage.ts";
import type { Original } from "../layers/history/originals.ts";
import type { Needs } from "./needs.ts";
import type { ReplayCacheLife } from "./prompt-cache.ts";
import type { ReplaySession } from "./session.ts";

/** What a policy is told before each request. */
export interface StepView {
  readonly step: number;
  /** The conversation as it would be sent: what was decided before has been carried out. */
  readonly messages: readonly Message[];
  /** How many of the messages were sent with the request before. */
  readonly sentMessages: number;
  /** What they weigh, without the base. */
  readonly tokens: number;
  readonly baseTokens: number;
  readonly windowTokens: number;
  readonly countTokens: (message: Message) => number;
  readonly nowMs: number;
  readonly model: string;
  /** The request will be written anew whatever is decided. */
  readonly isCold: boolean;
  /** How much of the writing is for the long life time. */
  readonly share1h: number;
  /** What the answer to the request before said of it, as the simulated cache has it; absent before the first. */
  readonly lastUsage?: Usage | undefined;
}

/** What a policy does before a request. */
export interface ReplayDecision {
  readonly edits: readonly Edit[];
  /** The whole conversation as it leaves, where it is known as such and not as edits. What is recorded in it is the very block. */
  readonly view?: readonly Message[];
  /** What was left in the view although it could have gone: one reason for each time. */
  readonly left?: readonly string[];
  /** What the edits took out, for the store; what is not stored cannot be fetched. */
  readonly originals?: readonly Original[];
  /** A limit is no policy: it says what stands in the view, whatever a provider would say to it. All else can be fetched. */
  readonly standing?: readonly Block[];
  /** Old exchanges went, and whether the work stood at a boundary. */
  readonly collapse?: { readonly isAtBoundary: boolean };
  /** A model was asked: its own request over the view, and so many tokens that it wrote. */
  readonly asked?: { readonly outputTokens: number; readonly blockedMs: number };
  /** The model's words are not known: from here on only price and cut are told. */
  readonly isWordless?: boolean;
}

export const NOTHING_TO_DO: ReplayDecision = { edits: [] };

/** One session's memory of a policy. */
export interface Planner {
  plan(occasion: StepView): ReplayDecision;
}

/** What a policy may know of a session beforehand. Only the clairvoyant ones look at `needs`. */
export interface Briefing {
  readonly session: ReplaySession;
  readonly needs: Needs;
}

export interface Policy {
  readonly name: string;
  /** One sentence for the table's legend, with the constants and where they come from. */
  readonly about: string;
  /** How long what its requests leave in the cache lives; as recorded by default. */
  readonly life?: ReplayCacheLife;
  /** Whose prices and cache rules every request has; those of its own model by default. */
  readonly pricedAs?: string;
  create(briefing: Briefing): Planner;
}
