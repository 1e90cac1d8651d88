import type { Reading } from "../hosts/follow-transcript.ts";
import type { Environment } from "../hosts/host.ts";
import { assessHealth, type Health } from "../measure/health.ts";
import type { Profile } from "../measure/level.ts";

/** Whose settings count: the person's variables, and the project of a session that does not name its own. */
export interface Place {
  readonly environment: Environment;
  readonly directory: string;
}

/** The health of a session with the person's own compaction settings. */
export function assessSession(
  { host, transcript }: Pick<Reading, "host" | "transcript">,
  place: Place,
  profile?: Profile,
): Health {
  const settings = host.readCompactionSettings(place.environment, transcript.cwd || place.directory);
  const health = assessHealth(transcript.meter, { settings, ...(profile ? { profile } : {}) });
  return host.recordsUsage === false
    ? { ...health, note: `${host.title} records no usage: tool calls are directional only` }
    : health;
}
