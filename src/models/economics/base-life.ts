/** What is known of a conversation when its system prompt and tools are about to be marked for the cache. */
export interface BaseUse {
  /** The account writes for an hour anyway. */
  readonly isHourWritten: boolean;
  /** How many pauses of this conversation have outlived the base. */
  readonly outlived: number;
}

/** One pause may have been the last; whoever has made two works with pauses. */
const LEAST_OUTLIVED = 2;

/**
 * Whether the base is worth an hour where the conversation behind it lives for five minutes. An hour costs 0.75 of the base more, once; a pause that outlives five minutes
 * costs 1.15 of it. Written for an hour from the first request on, a session of a few requests would be up to half dearer, so the first pauses are waited for: the
 * base is written anew then anyway.
 */
export function isBaseWorthAnHour({ isHourWritten, outlived }: BaseUse): boolean {
  return isHourWritten || outlived >= LEAST_OUTLIVED;
}
