import path from "node:path";
import type { Edit } from "../../core/edit.ts";
import { type Message, renderResultText } from "../../core/message.ts";
import { locateArtifacts, locateDataArtifacts } from "../../files/artifacts/artifact-folder.ts";
import { type ArtifactToKeep, keepArtifact, type StoredArtifact } from "../../files/artifacts/keep-artifact.ts";
import { openProjectOriginals, readStored } from "../../files/artifacts/originals.ts";
import { layerOf, readOwnLayer, readProjectLayer } from "../../files/project-settings.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../../policy/settings/settings.ts";
import type { Vocabulary } from "../../session/action.ts";
import { createQuotedHandles } from "../../survive/recall/quoted-handles.ts";
import type { RecallPort, Stored } from "../../survive/recall/recall.ts";
import type { Format } from "../../wire/conversation.ts";

/** Stores what leaves a conversation: in the project, or in Plimsoll's own data if the project is not writable. */
interface AboardStore {
  /** `undefined` if it could not be stored: then it must not leave. */
  keep(original: ArtifactToKeep): StoredArtifact | undefined;
  /** By the digits that a handle shows. */
  read(digits: string): Stored | undefined;
  /** What this session stored. */
  own(): readonly string[];
}

function createShelf(project: string, dataFolder: string, sessionId: string): AboardStore {
  const folders = [locateArtifacts(project, dataFolder), locateDataArtifacts(dataFolder)];
  const originals = openProjectOriginals({ project, dataFolder, sessionIds: () => [sessionId] });
  return {
    keep(original) {
      for (const folder of folders) {
        const kept = keepArtifact(folder, { sessionId, ...original }, Date.now());
        if (kept.ok) return kept.value;
      }
      return undefined;
    },
    read: (digits) => readStored(originals, digits),
    own: () => originals.handlesOf(sessionId),
  };
}

/** A client's format of messages, and its tools. */
export interface Speech {
  readonly format: Format;
  readonly vocabulary: Vocabulary & CallVocabulary;
  /** The model's name for the tool that returns originals. */
  readonly recallTool: string;
}

/** A session of a client in whose process we run. */
export interface Aboard {
  readonly speech: Speech;
  readonly project: string;
  readonly settings: Settings;
  /** Why the project's own settings are not used; empty if they are, or if there are none. */
  readonly settingsProblem: string;
  readonly shelf: AboardStore;
  readonly totals: { folds: number; savedTokens: number; compactions: number };
  /** The last results of each command class, if they are to be combined. */
  groups: OutputGroups;
}

interface Boarding {
  readonly speech: Speech;
  readonly project: string;
  readonly sessionId: string;
  /** Plimsoll's own settings and data, the same for every client. */
  readonly configFolder: string;
}

export function board({ speech, project, sessionId, configFolder }: Boarding): Aboard {
  return {
    speech,
    project,
    ...((process.env.PLIMSOLL_OFF ?? "") === "" ? readSettings(configFolder, project) : OFF),
    shelf: createShelf(project, locateData(configFolder), sessionId),
    totals: { folds: 0, savedTokens: 0, compactions: 0 },
    groups: [],
  };
}

type ReadSettings = Pick<Aboard, "settings" | "settingsProblem">;

const OFF: ReadSettings = { settings: { ...DEFAULT_SETTINGS, isOn: false }, settingsProblem: "" };

/** The person's settings, then the project's as far as the person agreed to them. */
function readSettings(configFolder: string, project: string): ReadSettings {
  const own = layerOf(readOwnLayer(path.join(configFolder, "plimsoll.json")));
  const inProject = readProjectLayer(project, locateData(configFolder));
  const problem = inProject !== undefined && "problem" in inProject ? inProject.problem : "";
  return {
    settings: parseSettings([own, layerOf(inProject)], 1).settings,
    settingsProblem: problem === "" ? "" : `.plimsoll/settings.json: ${problem}`,
  };
}

/** `history`: everything the client still has of the conversation, including what left the window; `decided`: what replaces it in a request. */
export function createAboardPort(
  { shelf }: Aboard,
  history: () => readonly Message[],
  decided: () => readonly Edit[],
): RecallPort {
  return {
    stored: shelf.read,
    called: (handle) => findResult(history(), handle.replace(/^call:/, "")),
    own: shelf.own,
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
