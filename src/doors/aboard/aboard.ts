import path from "node:path";
import { readOwnLayer } from "../../files/own-settings.ts";
import { layerOf, readProjectLayer } from "../../files/project-settings.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import type { OutputGroups } from "../../policy/group-outputs.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../../policy/settings/settings.ts";
import type { Vocabulary } from "../../session/action.ts";
import type { Format } from "../../wire/conversation.ts";
import { createShelf, type Shelf } from "./shelf.ts";

/** How a client speaks: its messages and its tools. */
export interface Speech {
  readonly format: Format;
  readonly vocabulary: Vocabulary & CallVocabulary;
  /** As the model sees the tool that gives originals back. */
  readonly recallTool: string;
}

/** A session that a door is aboard of, in the client's own process. */
export interface Aboard {
  readonly speech: Speech;
  readonly project: string;
  readonly settings: Settings;
  readonly shelf: Shelf;
  readonly nowMs: () => number;
  /** What a page of each question that was asked of `recall` holds. */
  readonly pageSizes: Map<string, number>;
  readonly totals: { folds: number; savedTokens: number; compactions: number };
  /** The last results of each command class, where they are to be combined. */
  groups: OutputGroups;
}

export interface Boarding {
  readonly speech: Speech;
  readonly project: string;
  readonly sessionId: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Plimsoll's own settings and data lie here, whichever client it is aboard of. */
  readonly configFolder: string;
  readonly nowMs?: () => number;
}

export function board({ speech, project, sessionId, environment, configFolder, nowMs = Date.now }: Boarding): Aboard {
  return {
    speech,
    project,
    settings: (environment.PLIMSOLL_OFF ?? "") === "" ? readSettings(configFolder, project) : OFF,
    shelf: createShelf({ project, dataFolder: locateData(configFolder), sessionId, nowMs }),
    nowMs,
    pageSizes: new Map(),
    totals: { folds: 0, savedTokens: 0, compactions: 0 },
    groups: [],
  };
}

const OFF: Settings = { ...DEFAULT_SETTINGS, isOn: false };

/** The person's, then the project's, as far as the person agreed to it. */
function readSettings(configFolder: string, project: string): Settings {
  const own = layerOf(readOwnLayer(path.join(configFolder, "plimsoll.json")));
  return parseSettings([own, layerOf(readProjectLayer(project, locateData(configFolder)))], 1).settings;
}
