import { readFileSync } from "node:fs";
import { isObject, type JsonObject, listField, numberField, objectField, textField } from "../../core/json.ts";
import { renderFailure } from "../../core/render-failure.ts";
import type { ClientDollars } from "../../replay/client-dollars.ts";

export type WhatIf =
  | { readonly status: "none"; readonly why: string; readonly command: string }
  | {
      readonly status: "replayed";
      readonly policies: readonly PolicyTotal[];
      /** Billed, simulated and Plimsoll's dollars by client, over all replayed sessions. */
      readonly clients: readonly ClientRow[];
      readonly leftOut: readonly { readonly name: string; readonly why: string }[];
      /** The number of sessions and projects in the totals; `null` if the answer does not say. */
      readonly sessions: number | null;
      readonly projects: number | null;
      /** Sessions with fewer requests are in no total. */
      readonly minRequests: number | null;
    };

/** The cost of one client's sessions; `null` if the replay did not say. */
export interface ClientRow extends Omit<ClientDollars, "billedUsd"> {
  readonly billedUsd: number | null;
}

/** One policy over all replayed sessions; `null` for what the replay did not say. */
export interface PolicyTotal {
  readonly policy: string;
  readonly about: string;
  readonly netUsd: number;
  /** The part of `netUsd` for fetching back and reading again what was not in the window. */
  readonly fetchUsd: number | null;
  /** The share of what was needed later that was neither in view nor stored. */
  readonly coldLost: number | null;
  /** The share of what was needed later that was behind a handle, one request away. */
  readonly coldRecoverable: number | null;
  /** As a share of the cost with the client's own compaction, with the 90 % interval of the resamples. */
  readonly relative: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const COMMAND = "plimsoll replay";

/** The view gets replays only through here: the answer of `plimsoll replay --json`, stored in a file. */
export function readWhatIf(file: string | undefined): WhatIf {
  if (file === undefined) return { status: "none", why: "Your sessions have not been replayed yet.", command: COMMAND };
  try {
    const answer: unknown = JSON.parse(readFileSync(file, "utf8"));
    const policies = parseReplay(answer);
    if (policies.length > 0)
      return { status: "replayed", policies, ...parseDollars(answer), ...describeExtent(answer) };
    return { status: "none", why: "The saved replay contains no totals for any policy.", command: COMMAND };
  } catch (error) {
    return { status: "none", why: `The saved replay cannot be read: ${renderFailure(error)}.`, command: COMMAND };
  }
}

function describeExtent(answer: unknown) {
  const all = isObject(answer)
    ? listField(answer, "groups")
        .filter(isObject)
        .find((group) => textField(group, "name") === "all")
    : undefined;
  return {
    sessions: (all && numberField(all, "sessions")) ?? null,
    projects: (all && numberField(all, "repositories")) ?? null,
    minRequests: (isObject(answer) ? numberField(answer, "minSteps") : undefined) ?? null,
  };
}

function parseDollars(answer: unknown) {
  const listOf = (name: string): readonly JsonObject[] =>
    isObject(answer) ? listField(answer, name).filter(isObject) : [];
  const clients = listOf("clients").map((row): ClientRow => {
    const usd = (name: string): number => numberField(row, name) ?? 0;
    return {
      client: textField(row, "client"),
      sessions: usd("sessions"),
      billedUsd: numberField(row, "billedUsd") ?? null,
      recordedUsd: usd("recordedUsd"),
      simulatedUsd: usd("simulatedUsd"),
      ownUsd: usd("ownUsd"),
      savedUsd: usd("savedUsd"),
    };
  });
  const leftOut = listOf("leftOut").map((row) => ({ name: textField(row, "name"), why: textField(row, "why") }));
  return { clients, leftOut };
}

/** Leaves out what is not a policy. */
export function parseReplay(answer: unknown): readonly PolicyTotal[] {
  if (!isObject(answer)) return [];
  return listField(answer, "policies").filter(isObject).flatMap(parseTotal);
}

function parseTotal(total: JsonObject): readonly PolicyTotal[] {
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
      fetchUsd: recoveryUsd === undefined && rereadUsd === undefined ? null : (recoveryUsd ?? 0) + (rereadUsd ?? 0),
      coldLost: numberField(total, "coldLost") ?? null,
      coldRecoverable: numberField(total, "coldRecoverable") ?? null,
      relative: numberField(relative, "netUsd") ?? null,
      low: numberField(interval, "low") ?? null,
      high: numberField(interval, "high") ?? null,
    },
  ];
}
