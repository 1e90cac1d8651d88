import { readFileSync } from "node:fs";
import { isObject, type JsonObject, listField, numberField, objectField, textField } from "../../core/json.ts";
import { renderFailure } from "../../core/render-failure.ts";
import type { ClientDollars } from "../../replay/client-dollars.ts";

export type WhatIf = Replayed | { readonly status: "none"; readonly why: string; readonly command: string };

/** What the replay did not say is `undefined`. */
export interface Replayed {
  readonly status: "replayed";
  readonly policies: readonly PolicyTotal[];
  /** Billed, simulated and Plimsoll's dollars by client, over all replayed sessions. */
  readonly clients: readonly ClientDollars[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** The number of sessions and projects in the totals. */
  readonly sessions: number | undefined;
  readonly projects: number | undefined;
  /** Sessions with fewer requests are in no total. */
  readonly minRequests: number | undefined;
}

/** One policy over all replayed sessions. */
export interface PolicyTotal {
  readonly policy: string;
  readonly about: string;
  readonly netUsd: number;
  /** The part of `netUsd` for fetching back and reading again what was not in the window. */
  readonly fetchUsd: number | undefined;
  /** The share of what was needed later that was neither in view nor stored. */
  readonly coldLost: number | undefined;
  /** The share of what was needed later that was behind a handle, one request away. */
  readonly coldRecoverable: number | undefined;
  /** As a share of the cost with the client's own compaction, with the 90 % interval of the resamples. */
  readonly relative: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** The view gets replays only through here: the answer of `plimsoll replay --json`, stored in a file. */
export function readWhatIf(file: string | undefined): WhatIf {
  const none = (why: string): WhatIf => ({ status: "none", why, command: "plimsoll replay" });
  if (file === undefined) return none("Your sessions have not been replayed yet.");
  try {
    const replayed = parseReplay(JSON.parse(readFileSync(file, "utf8")));
    return replayed.policies.length > 0 ? replayed : none("The saved replay contains no totals for any policy.");
  } catch (error) {
    return none(`The saved replay cannot be read: ${renderFailure(error)}.`);
  }
}

export function parseReplay(answer: unknown): Replayed {
  const report = isObject(answer) ? answer : {};
  const rowsOf = (name: string): readonly JsonObject[] => listField(report, name).filter(isObject);
  const all = rowsOf("groups").find((group) => textField(group, "name") === "all") ?? {};
  return {
    status: "replayed",
    policies: rowsOf("policies").flatMap(parsePolicy),
    clients: rowsOf("clients").map(parseClient),
    leftOut: rowsOf("leftOut").map((row) => ({ name: textField(row, "name"), why: textField(row, "why") })),
    sessions: numberField(all, "sessions"),
    projects: numberField(all, "repositories"),
    minRequests: numberField(report, "minSteps"),
  };
}

function parseClient(row: JsonObject): ClientDollars {
  const count = (name: string): number => numberField(row, name) ?? 0;
  return {
    client: textField(row, "client"),
    sessions: count("sessions"),
    billedUsd: numberField(row, "billedUsd"),
    recordedUsd: count("recordedUsd"),
    simulatedUsd: count("simulatedUsd"),
    ownUsd: count("ownUsd"),
    savedUsd: count("savedUsd"),
  };
}

/** Leaves out what is not a policy. */
function parsePolicy(total: JsonObject): readonly PolicyTotal[] {
  const policy = textField(total, "name");
  const netUsd = numberField(total, "netUsd");
  if (policy === "" || netUsd === undefined) return [];
  const relative = objectField(total, "relative") ?? {};
  const interval = objectField(relative, "netInterval") ?? {};
  const [recoveryUsd, rereadUsd] = [numberField(total, "recoveryUsd"), numberField(total, "rereadUsd")];
  return [
    {
      policy,
      about: textField(total, "about"),
      netUsd,
      fetchUsd: recoveryUsd === undefined ? rereadUsd : recoveryUsd + (rereadUsd ?? 0),
      coldLost: numberField(total, "coldLost"),
      coldRecoverable: numberField(total, "coldRecoverable"),
      relative: numberField(relative, "netUsd"),
      low: numberField(interval, "low"),
      high: numberField(interval, "high"),
    },
  ];
}
