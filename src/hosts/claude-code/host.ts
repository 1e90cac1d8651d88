import { type Message, renderResultText } from "../../core/message.ts";
import type { Host } from "../host.ts";
import { baseline } from "./disk/baseline/baseline.ts";
import { readCompactionSettings } from "./disk/compaction-settings.ts";
import { readDeferred } from "./disk/deferral.ts";
import { projects } from "./disk/projects.ts";
import { openTranscript } from "./disk/read-entries.ts";
import { scanUsage } from "./disk/scan-usage.ts";
import { readToolEvidence } from "./disk/tool-evidence.ts";
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
  restoresFiles: true,
  setsCacheLife: true,
  decidePromptAuthor,
  wireFormat: "anthropic",
  isCompactionRequest,
  headers: { session: "x-claude-code-session-id", agent: "x-claude-code-agent-id" },

  ...projects,
  // Both are in the environment of servers that the client starts (seen in 2.1.197 and 2.1.325).
  findServed: ({ CLAUDE_PROJECT_DIR: project = "", CLAUDE_CODE_SESSION_ID: sessionId = "" }) =>
    project === "" && sessionId === "" ? undefined : { project, sessionId },
  readCompactionSettings: (environment, project) =>
    readCompactionSettings(environment, { clientHome: projects.locateHome(environment), project }),

  baseline: { ...baseline, readToolEvidence, readDeferred },

  // The path is enough, so none of the many files there is opened.
  isOwn: (path) => /[/\\]projects[/\\]-[^/\\]*[/\\].*\.jsonl$/.test(path),
  openTranscript,
  selectConversation: selectMainChain,
  scanUsage,
};

/** What the client writes when it wants its history summarised; on newer models a system message may follow. */
const MARKS: readonly string[] = ["CRITICAL: Respond with TEXT ONLY", "create a detailed summary"];

function isCompactionRequest(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === "user");
  const text = (last?.blocks ?? []).map((block) =>
    block.kind === "text" ? block.text : block.kind === "toolResult" ? renderResultText(block) : "",
  );
  return MARKS.every((mark) => text.some((part) => part.includes(mark)));
}
