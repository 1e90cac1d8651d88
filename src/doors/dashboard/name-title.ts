import { shortenId } from "../cli/find-session.ts";

/** What a session is called: its title, or that it has none and the beginning of its id, by which every command finds it. */
export function nameTitle(title: string, id: string): string {
  return title || `Untitled (${shortenId(id)})`;
}
