import type { Host } from "../host.ts";
import { readApiMessages } from "./api-messages.ts";
import { isCompactionRequest } from "./compaction-request.ts";
import { baseline } from "./disk/baseline/baseline.ts";
import { readCompactionSettings } from "./disk/compaction-settings.ts";
import {
  findTranscript,
  listProject,
  listSessions,
  listTranscripts,
  locateClientHome,
  locateTranscripts,
  nameSession,
} from "./disk/projects.ts";
import { openTranscript } from "./disk/read-entries.ts";
import { scanUsage } from "./disk/scan-usage.ts";
import { selectMainChain } from "./main-chain.ts";
import { decidePromptAuthor } from "./prompt-author.ts";
import { claudeCodeVocabulary } from "./vocabulary.ts";

export const claudeCode: Host = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  renderResume: (sessionId) => `claude -p --resume ${sessionId}`,
  commands: { compact: "/compact", anew: "/clear" },

  vocabulary: claudeCodeVocabulary,
  decidePromptAuthor,
  readMessages: readApiMessages,
  wireFormat: "anthropic",
  isCompactionRequest,
  headers: { session: "x-claude-code-session-id", agent: "x-claude-code-agent-id" },

  homeVariable: { name: "CLAUDE_CONFIG_DIR", otherwise: "~/.claude" },
  locateHome: locateClientHome,
  // Both are in the environment that the client starts servers with (seen in 2.1.197 and 2.1.325).
  findServed: ({ CLAUDE_PROJECT_DIR: project = "", CLAUDE_CODE_SESSION_ID: sessionId = "" }) =>
    project === "" && sessionId === "" ? undefined : { project, sessionId },
  readCompactionSettings: (environment, project) =>
    readCompactionSettings(environment, { clientHome: locateClientHome(environment), project }),

  baseline,

  locateTranscripts,
  listTranscripts,
  listProject,
  listSessions,
  findTranscript,
  nameSession,

  // Its own place is enough: nothing is opened for the many files that lie there.
  isOwn: (path) => /[/\\]projects[/\\]-[^/\\]*[/\\].*\.jsonl$/.test(path),
  openTranscript,
  selectConversation: selectMainChain,
  scanUsage,
};
