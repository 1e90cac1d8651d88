import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openLines } from "../open-lines.ts";
import { beginsSession, copilotSessions } from "./disk/sessions.ts";
import { createEventReader } from "./event-reader.ts";
import { copilotVocabulary } from "./vocabulary.ts";

export const copilot: Host = {
  ...recordsOnly,
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  renderResume: (sessionId) => `copilot --resume ${sessionId}`,
  commands: { compact: "/compact", anew: "/clear" },

  vocabulary: copilotVocabulary,

  ...copilotSessions,

  isOnlyRead: true,
  recordsUsage: false,
  isOwn: (path, readHead) => path.endsWith(".jsonl") && beginsSession(readHead()),
  openTranscript: (path, options) => openLines(path, createEventReader, options),
  selectConversation: (entries) => entries.filter(({ uuid, isSidechain }) => uuid !== "" && !isSidechain),
};
