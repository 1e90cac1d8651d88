import path from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "../../src/core/json.ts";
import { CliError } from "../../src/entry/cli/command.ts";
import { type KnownPolicy, toKnown } from "../../src/entry/cli/replay/replay-file.ts";
import type { Policy } from "../../src/replay/policy.ts";
import { LAB_POLICIES } from "./catalogue.ts";
import { type EntryPoint, walkEntryPoint } from "./entry-point.ts";
import { ENTRY_POINTS } from "./entry-points.ts";

export interface LoadedPolicy extends KnownPolicy {
  readonly policy: Policy | EntryPoint;
}

function load(policy: Policy | EntryPoint): LoadedPolicy {
  if (!("open" in policy)) return { ...toKnown(policy), policy };
  const { name, about, beside: extras } = policy;
  return {
    name,
    about,
    ...(extras && { beside: extras }),
    policy,
    walk: (subject, options) => walkEntryPoint(subject, policy, options),
  };
}

/** All policies there are by name: ours, our entry points, then those of the module. Threads load the same. */
export async function loadPolicies(module: string | undefined): Promise<ReadonlyMap<string, LoadedPolicy>> {
  const known = new Map<string, LoadedPolicy>(
    [...LAB_POLICIES, ...ENTRY_POINTS].map((policy) => [policy.name, load(policy)]),
  );
  if (module === undefined) return known;
  for (const policy of await importPolicies(module)) {
    if (known.has(policy.name))
      throw new CliError(
        `${path.basename(module)} brings a policy "${policy.name}", and there is one: give it another name`,
      );
    known.set(policy.name, load(policy));
  }
  return known;
}

async function importPolicies(module: string): Promise<readonly Policy[]> {
  const loaded: unknown = await import(pathToFileURL(module).href).catch((error: unknown) => {
    throw new CliError(`cannot load ${module}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const policies: unknown = isNamespace(loaded) ? loaded.policies : undefined;
  if (Array.isArray(policies) && policies.length > 0 && policies.every(isPolicy)) return policies;
  throw new CliError(
    `${module} exports no policies: it needs "export const policies = [{ name, about, create }]"; docs/research/replay.md shows one`,
  );
}

function isNamespace(value: unknown): value is { readonly policies?: unknown } {
  return typeof value === "object" && value !== null;
}

function isPolicy(value: unknown): value is Policy {
  if (!isObject(value)) return false;
  const { name, about }: { name?: unknown; about?: unknown } = value;
  return typeof name === "string" && /^[\w:+.@/-]{1,60}$/.test(name) && typeof about === "string" && hasCreate(value);
}

function hasCreate(value: object): boolean {
  return "create" in value && typeof value.create === "function";
}
