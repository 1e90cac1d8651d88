import { readFileSync } from "node:fs";
import { isObject, type JsonObject, listField, numberField, objectField, textField } from "../../core/json.ts";
import { renderFailure } from "../../core/render-failure.ts";
import type { ClientDollars } from "../../replay/client-dollars.ts";

/** What other policies would have made of the person's own sessions, or why that is not known. */
export type WhatIf =
  | { readonly status: "none"; readonly why: string; readonly command: string }
  | {
      readonly status: "replayed";
      readonly policies: readonly PolicyTotal[];
      /** What was billed, what is simulated, and Plimsoll, by client; over all sessions that are replayed. */
      readonly clients: readonly ClientRow[];
      /** Sessions that are in no sum, and why. */
      readonly leftOut: readonly { readonly name: string; readonly why: string }[];
      /** What the totals go over; `null` where the answer does not say. */
      readonly sessions: number | null;
      readonly projects: number | null;
      /** Sessions with fewer requests stand in no total. */
      readonly minRequests: number | null;
    };

/** The dollars of one client's sessions; `null` for what the replay did not say. */
export interface ClientRow extends Omit<ClientDollars, "billedUsd"> {
  readonly billedUsd: number | null;
}

/** One policy over all replayed sessions; `null` for whatever the replay did not tell. */
export interface PolicyTotal {
  readonly policy: string;
  readonly about: string;
  readonly netUsd: number;
  /** Of `netUsd`: for fetching back and reading again what was not at hand. */
  readonly fetchUsd: number | null;
  /** Of what was needed later: neither in view nor kept anywhere. */
  readonly coldLost: number | null;
  /** Of what was needed later: behind a handle, one request away. */
  readonly coldRecoverable: number | null;
  /** As a share of what the client alone costs, with the interval that nine of ten resamples lie in. */
  readonly relative: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const COMMAND = "plimsoll replay";

/** Everything that the view knows of replays comes through here: the answer of `plimsoll replay --json`, kept in a file. */
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

/** What is no policy is left out. */
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
