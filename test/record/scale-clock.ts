const TIMESTAMP = /"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g;

export interface Clock {
  /** The moment that stays where it is. */
  readonly startMs: number;
  readonly factor: number;
}

/**
 * Makes every gap between timestamps `factor` times as long. A scripted API answers in milliseconds; a person and a
 * model take their time, and the age of a prompt cache depends on it.
 */
export function scaleClock(transcript: string, clock: Clock): string {
  return transcript.replaceAll(TIMESTAMP, (_, stamp: string) => {
    const stretchedMs = clock.startMs + (Date.parse(stamp) - clock.startMs) * clock.factor;
    return `"timestamp":"${new Date(stretchedMs).toISOString()}"`;
  });
}

/** The first timestamp of a transcript; 0 where it has none. */
export function startOf(transcript: string): number {
  const [first] = transcript.matchAll(TIMESTAMP);
  return first?.[1] === undefined ? 0 : Date.parse(first[1]);
}
