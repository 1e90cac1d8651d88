import { nameSession } from "../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { shortenId } from "../cli/find-session.ts";

/** What a session is called: its title, or that it has none and the beginning of its id, by which every command finds it. */
export function nameTitle(title: string, file: TranscriptFile): string {
  return title || `Untitled (${shortenId(nameSession(file.path))})`;
}
