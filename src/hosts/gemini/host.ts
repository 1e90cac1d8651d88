import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openWhole } from "../open-lines.ts";
import { beginsChat, chats, readChat } from "./disk/chats.ts";
import { parseChat } from "./parse-chat.ts";
import { geminiVocabulary } from "./vocabulary.ts";

export const gemini: Host = {
  ...recordsOnly,
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  renderResume: (sessionId) => `gemini --resume ${sessionId}`,
  commands: { compact: "/compress", anew: "/clear" },

  vocabulary: geminiVocabulary,
  // Half the window, unless `model.compressionThreshold` says otherwise.
  readCompactionSettings: () => ({ locate: (windowTokens) => Math.floor(windowTokens / 2) }),

  ...chats,

  isOnlyRead: true,
  isOwn: (path, readHead) => /\.jsonl?$/.test(path) && beginsChat(readHead()),
  openTranscript: (path) => openWhole(() => readChat(path), parseChat),
  selectConversation: (entries) => entries.filter(({ uuid }) => uuid !== ""),
};
