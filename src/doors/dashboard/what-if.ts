import { readFileSync } from "node:fs";
import type { JsonObject } from "../../core/json.ts";
import { isObject, numberField, textField } from "../../core/json-fields.ts";
import { renderFailure } from "../../core/render-failure.ts";

/** What other policies would have made of the person's own sessions, or how to find out. */
export type WhatIf =
  | { readonly status: "none"; readonly why: string; readonly command: string }
  | { readonly status: "replayed"; readonly policies: readonly PolicyTotal[] };

/** One policy over all replayed sessions. Needs are counts or shares, as the replay gave them; `null` where it gave none. */
export interface PolicyTotal extends Readonly<Record<PolicyField, number | null>> {
  readonly policy: string;
}

type PolicyField = (typeof FIELDS)[number];

const FIELDS = [
  "netUsd",
  "sendUsd",
  "recoveryUsd",
  "rereadUsd",
  "tokensSent",
  "peakTokens",
  "prefixBusts",
  "compactions",
  "hotRetained",
  "coldRetained",
  "coldRecoverable",
  "coldLost",
  "fatal",
  "editLineRecall",
  "planMsP95",
] as const;

const COMMAND = "plimsoll replay && plimsoll dashboard";

/** Everything that the view knows of replays comes through here: the answer of `plimsoll replay --json`, kept in a file. */
export function readWhatIf(file: string | undefined): WhatIf {
  if (file === undefined)
    return { status: "none", why: "No replay has been given to this page yet.", command: COMMAND };
  try {
    const policies = parseReplay(JSON.parse(readFileSync(file, "utf8")));
    if (policies.length > 0) return { status: "replayed", policies };
    return { status: "none", why: "The file holds no totals of policies.", command: COMMAND };
  } catch (error) {
    return { status: "none", why: `The replay cannot be read: ${renderFailure(error)}`, command: COMMAND };
  }
}

/** The policies of `plimsoll replay --json`, or totals listed or keyed by the policy's name; what is no policy is left out. */
export function parseReplay(answer: unknown): readonly PolicyTotal[] {
  const totals: unknown = isObject(answer) ? (answer.policies ?? answer.totals) : answer;
  if (Array.isArray(totals))
    return totals
      .filter(isObject)
      .flatMap((total) => parseTotal(textField(total, "policy") || textField(total, "name"), total));
  if (!isObject(totals)) return [];
  return Object.entries(totals).flatMap(([policy, total]) => (isObject(total) ? parseTotal(policy, total) : []));
}

function parseTotal(policy: string, total: JsonObject): readonly PolicyTotal[] {
  if (policy === "" || numberField(total, "netUsd") === undefined) return [];
  const read = (field: PolicyField): number | null => numberField(total, field) ?? null;
  return [
    {
      policy,
      netUsd: read("netUsd"),
      sendUsd: read("sendUsd"),
      recoveryUsd: read("recoveryUsd"),
      rereadUsd: read("rereadUsd"),
      tokensSent: read("tokensSent"),
      peakTokens: read("peakTokens"),
      prefixBusts: read("prefixBusts"),
      compactions: read("compactions"),
      hotRetained: read("hotRetained"),
      coldRetained: read("coldRetained"),
      coldRecoverable: read("coldRecoverable"),
      coldLost: read("coldLost"),
      fatal: read("fatal"),
      editLineRecall: read("editLineRecall"),
      planMsP95: read("planMsP95"),
    },
  ];
}
