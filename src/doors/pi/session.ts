import type { Aboard } from "../aboard/aboard.ts";

/** One session of pi; another begins with `/new`, `/resume` and `/fork`. */
export interface Session {
  readonly id: string;
  readonly aboard: Aboard;
  /** Off by `/plimsoll off`: neither the price nor a line of the person's own brings anything about. */
  isSteering: boolean;
  /** Why a request was last collapsed. */
  readonly whys: string[];
  /** It was said that a collapse would pay; again after the next compaction. */
  isSaid: boolean;
  /** What failed last, for who asks: the agent went on as if nothing had been there. */
  failure: string;
}
