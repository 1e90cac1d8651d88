import type { Edit } from "../../core/edit.ts";
import { type Message, renderResultText } from "../../core/message.ts";
import { createSessionStore, type SessionStore } from "../../files/artifacts/create-session-store.ts";
import { type ReadSettings, readSettings } from "../../files/project-settings.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { locateData } from "../../policy/actions/data-paths.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import type { Vocabulary } from "../../session/action.ts";
import { createQuotedHandles } from "../../survive/recall/quoted-handles.ts";
import type { RecallPort } from "../../survive/recall/recall.ts";
import type { Format } from "../../wire/conversation.ts";

/** A client's format of messages, and its tools. */
export interface Speech {
  readonly format: Format;
  readonly vocabulary: Vocabulary & CallVocabulary;
  /** The model's name for the tool that returns originals. */
  readonly recallTool: string;
}

/** A session of a client in whose process we run. */
export interface AgentSession extends ReadSettings {
  readonly speech: Speech;
  readonly project: string;
  readonly store: SessionStore;
  readonly totals: { folds: number; savedTokens: number; compactions: number };
  /** The last results of each command class, if they are to be combined. */
  groups: OutputGroups;
}

interface AgentSessionPlace {
  readonly speech: Speech;
  readonly project: string;
  readonly sessionId: string;
  /** Plimsoll's own settings and data, the same for every client. */
  readonly configFolder: string;
}

export function openAgentSession({ speech, project, sessionId, configFolder }: AgentSessionPlace): AgentSession {
  return {
    speech,
    project,
    ...readSettings(process.env, configFolder, project),
    store: createSessionStore({ project, dataFolder: locateData(configFolder), sessionId }),
    totals: { folds: 0, savedTokens: 0, compactions: 0 },
    groups: [],
  };
}

/** `history`: everything the client still has of the conversation, including what left the window; `decided`: what replaces it in a request. */
export function createSessionPort(
  { store }: AgentSession,
  history: () => readonly Message[],
  decided: () => readonly Edit[],
): RecallPort {
  return {
    stored: store.read,
    called: (handle) => findResult(history(), handle.replace(/^call:/, "")),
    own: store.own,
    quoted() {
      const quoted = createQuotedHandles();
      for (const { blocks } of history()) for (const block of blocks) quoted.feed(block);
      return [...quoted.list(), ...decided().flatMap(({ handles }) => handles)];
    },
  };
}

function findResult(messages: readonly Message[], callId: string): readonly string[] | undefined {
  const results = messages.flatMap(({ blocks }) => blocks).filter((block) => block.kind === "toolResult");
  const found = results.find((result) => result.callId === callId);
  return found && [renderResultText(found)];
}
