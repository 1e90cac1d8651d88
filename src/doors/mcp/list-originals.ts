import type { StoredArtifact } from "../../files/keep-artifact.ts";
import { pageText } from "../../survive/recall/page-text.ts";
import type { ServerSession } from "./server-session.ts";

/** What this session folded, oldest first. */
export function listOriginals(session: ServerSession): readonly StoredArtifact[] {
  const id = session.sessionId();
  return session.originals.list().artifacts.filter(({ sessionId }) => id === "" || sessionId === id);
}

export function renderOriginals(session: ServerSession, page: number | undefined): string {
  const rows = [...listOriginals(session)]
    .reverse()
    .map(({ handle, bytes, tool, command, generated }) =>
      `${handle} ${bytes} bytes, ${generated.slice(0, 19)}, ${tool} ${command.replace(/\s+/g, " ").slice(0, 120)}`.trimEnd(),
    );
  if (rows.length === 0) return "Nothing was folded in this session.";
  const found = pageText(rows.join("\n"), { page });
  const where = found.pages === 1 ? "" : `, page ${found.page} of ${found.pages}`;
  return `[${rows.length} originals, the newest first${where}]\n${found.text}\n[end]`;
}
