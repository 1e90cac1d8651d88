import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openLines } from "../open-lines.ts";
import { beginsSession, isOwnPath, piSessions } from "./disk/sessions.ts";
import { createSessionReader, selectBranch } from "./session-reader.ts";
import { piVocabulary } from "./vocabulary.ts";

export const pi: Host = {
  ...recordsOnly,
  name: "pi",
  title: "pi",
  program: "pi",
  renderResume: (sessionId) => `pi -p --session ${sessionId}`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: piVocabulary,
  // pi compacts so many tokens before the end of the window.
  readCompactionSettings: () => ({ locate: (windowTokens) => windowTokens - 16_384 }),

  ...piSessions,

  isOwn: (path, readHead) => path.endsWith(".jsonl") && (isOwnPath(path) || beginsSession(readHead())),
  openTranscript: (path, options) => openLines(path, createSessionReader, options),
  selectConversation: selectBranch,
};
