import { readCompactionSettings } from "../hosts/claude-code/disk/compaction-settings.ts";
import { locateClientHome } from "../hosts/claude-code/disk/projects.ts";
import type { MeterReading } from "../hosts/claude-code/disk/read-meter.ts";
import { assessHealth, type Health } from "../measure/health.ts";
import type { Profile } from "../measure/level.ts";

/** Whose settings count: the person's variables, and the project of a session that does not name its own. */
export interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** The health of a session with the person's own compaction settings. */
export function assessSession({ transcript }: MeterReading, place: Place, profile?: Profile): Health {
  const folders = { clientHome: locateClientHome(place.environment), project: transcript.cwd || place.directory };
  const settings = readCompactionSettings(place.environment, folders);
  return assessHealth(transcript.meter, { settings, ...(profile ? { profile } : {}) });
}
