import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openWhole } from "../open-lines.ts";
import { beginsExport, isOwnPath, openCodeSessions, readSession } from "./disk/sessions.ts";
import { parseConversation } from "./parse-conversation.ts";
import { openCodeVocabulary } from "./vocabulary.ts";

export const openCode: Host = {
  ...recordsOnly,
  name: "opencode",
  title: "OpenCode",
  program: "opencode",
  renderResume: (sessionId) => `opencode run --session ${sessionId}`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: openCodeVocabulary,
  // Leaves room for the next answer.
  readCompactionSettings: () => ({ locate: (windowTokens) => windowTokens - 32_000 }),

  ...openCodeSessions,
  usesDatabase: true,

  isOwn: (path, readHead) => isOwnPath(path) || (path.endsWith(".json") && beginsExport(readHead())),
  openTranscript: (path) => openWhole(() => readSession(path), parseConversation),
  // The client deletes what is taken back.
  selectConversation: (entries) => entries.filter(({ uuid }) => uuid !== ""),
};
