import { lstatSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { readPlainFile } from "../../files/private-files.ts";
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
const MAX_SETTINGS_BYTES = 1 << 16;

/** The person's, then the project's, which comes from anybody: behind a link it is not the project's. */
function readSettings(configFolder: string, project: string): Settings {
  const own = path.join(project, ".plimsoll");
  const isLink = lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const inProject = isLink ? {} : readObject(path.join(own, "settings.json"));
  return parseSettings([readObject(path.join(configFolder, "plimsoll.json")), inProject], 1).settings;
}

function readObject(file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readPlainFile(file, MAX_SETTINGS_BYTES)?.text || "{}");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
