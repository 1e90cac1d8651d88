import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openLines } from "../open-lines.ts";
import { readCompactionSettings } from "./disk/compaction-settings.ts";
import { beginsRollout, findCaller, rollouts } from "./disk/rollouts.ts";
import { decidePromptAuthor } from "./prompt-author.ts";
import { createRolloutReader, selectStanding } from "./rollout-reader.ts";
import { codexVocabulary } from "./vocabulary.ts";

export const codex: Host = {
  ...recordsOnly,
  name: "codex",
  title: "Codex",
  program: "codex",
  renderResume: (sessionId) => `codex exec resume ${sessionId} -`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: codexVocabulary,
  decidePromptAuthor,
  wireFormat: "openai-responses",
  headers: { session: "session-id", agent: "thread-id" },
  findCaller,
  readCompactionSettings,

  ...rollouts,

  isOwn: (path, readHead) =>
    path.endsWith(".jsonl") && (/[/\\]rollout-[^/\\]*\.jsonl$/.test(path) || beginsRollout(readHead())),
  openTranscript: (path, options) => openLines(path, createRolloutReader, options),
  selectConversation: selectStanding,
};
