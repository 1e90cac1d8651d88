import { readCompactionSettings } from "../hosts/claude-code/disk/compaction-settings.ts";
import { locateClientHome } from "../hosts/claude-code/disk/projects.ts";
import type { MeterReading } from "../hosts/claude-code/disk/read-meter.ts";
import { assessHealth, type Health } from "../measure/health.ts";
import type { Profile } from "../measure/level.ts";
import type { Terminal } from "./command.ts";

/** The health of a session with the person's own compaction settings. */
export function assessSession({ transcript }: MeterReading, terminal: Terminal, profile?: Profile): Health {
  const folders = { clientHome: locateClientHome(terminal.environment), project: transcript.cwd || terminal.directory };
  const settings = readCompactionSettings(terminal.environment, folders);
  return assessHealth(transcript.meter, { settings, ...(profile ? { profile } : {}) });
}
