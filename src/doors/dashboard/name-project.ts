import type { TranscriptFile } from "../../hosts/host.ts";

/** The project, with the client beside it where it is not the usual one. */
export function nameProject({ project, client }: TranscriptFile): string {
  return client === undefined ? project : `${project} · ${client}`;
}
