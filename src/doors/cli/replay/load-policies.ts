import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "../../../core/json-fields.ts";
import { POLICIES } from "../../../replay/catalogue.ts";
import type { Door } from "../../../replay/door.ts";
import type { Policy } from "../../../replay/policy.ts";
import { CliError } from "../command.ts";
import { DOORS } from "./doors.ts";

export interface LoadedPolicy {
  readonly policy: Policy | Door;
  /** Of the module that it came from, so that a changed module is not taken for the old one; empty for our own. */
  readonly origin: string;
}

/** All policies there are by name: ours, our doors, then those of the module. Threads load the same. */
export async function loadPolicies(module: string | undefined): Promise<ReadonlyMap<string, LoadedPolicy>> {
  const known = new Map<string, LoadedPolicy>(
    [...POLICIES, ...DOORS].map((policy) => [policy.name, { policy, origin: "" }]),
  );
  if (module === undefined) return known;
  const origin = createHash("sha256").update(readFileSync(module)).digest("hex").slice(0, 16);
  for (const policy of await importPolicies(module)) {
    if (known.has(policy.name))
      throw new CliError(
        `${path.basename(module)} brings a policy "${policy.name}", and there is one: give it another name`,
      );
    known.set(policy.name, { policy, origin });
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
    `${module} exports no policies: it needs "export const policies = [{ name, about, create }]"; docs/replay.md shows one`,
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
