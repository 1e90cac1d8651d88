import path from "node:path";
import type { Unused } from "../../../recorded/audit/find-unused.ts";
import { toName } from "../../../recorded/audit/weigh-tools.ts";
import type { Audit } from "../audit/judge-baseline.ts";
import type { Terminal } from "../command.ts";
import { readRecord } from "./installation-record.ts";
import { type Change, type OwnText, planOwnTexts, planTexts } from "./plan-settings.ts";
import { locateSettings, readSettingsFile, refuseLink } from "./settings-file.ts";

/** Without this skill the client says the same, and more, in a tool description: 17 kB in every request of 2.1.325. */
const COSTS_MORE_OFF = new Set(["workflow-authoring"]);

/** The person's own settings for one project; the client keeps them out of git. */
const FILE = path.join(".claude", "settings.local.json");

export const isTrimmed = (file: string): boolean => file.endsWith(FILE);

export interface Trim {
  readonly change: Change;
  readonly off: readonly Unused[];
  /** Stays on, because no setting reaches it, or because it needs an explicit request. */
  readonly kept: readonly Unused[];
}

export function locateTrimmed(project: string): string {
  const file = path.join(project, FILE);
  refuseLink(file);
  return file;
}

/** The lines that switch unused things off in this project; instructions only if asked for. */
export function planTrim(audit: Audit, asked: ReadonlySet<Unused>, terminal: Terminal): Trim {
  const file = readSettingsFile(locateTrimmed(audit.project));
  const record = readRecord(locateSettings(terminal).configFolder);
  const known = record?.files.find((one) => one.path === file.path)?.own ?? [];
  const off: Unused[] = [];
  const kept: Unused[] = [];
  const wanted: OwnText[] = [];
  for (const one of audit.unused) {
    const text = asked.has(one) ? toSetting(one, audit) : undefined;
    if (!text) kept.push(one);
    else if (planOwnTexts(file.settings, [text], []).edits.length > 0) {
      off.push(one);
      wanted.push(text);
    }
  }
  return { change: planTexts(file, wanted, known), off, kept };
}

/**
 * The setting that removes a thing from the requests, as seen in 2.1.197 and 2.1.325 (`test/client/trim.test.ts`). A denied tool
 * disappears. Denying a server removes its tools but not its instructions, so a server is switched off where its name is known.
 * No setting reaches a single skill of a plugin. A skill that is switched off still runs when the person types its name.
 */
function toSetting({ kind, name }: Unused, { servers, instructions }: Audit): OwnText | undefined {
  const list = (text: OwnText["text"], ...to: readonly string[]): OwnText => ({ path: to, text, isListed: true });
  const deny = (rule: string): OwnText => list(rule, "permissions", "deny");
  if (kind === "agent") return deny(`Agent(${name})`);
  if (kind === "tool") return deny(name);
  if (kind === "skill")
    return name.includes(":") || COSTS_MORE_OFF.has(name)
      ? undefined
      : { path: ["skillOverrides", name], text: "user-invocable-only", isListed: false };
  if (kind === "instructions") {
    const isPlain = instructions.some((one) => one.path === name && one.importedBy === undefined);
    return isPlain && !/[*?[\]{}!]/.test(name) ? list(name, "claudeMdExcludes") : undefined;
  }
  const server = servers.find((one) => `mcp__${toName(one.name)}` === name);
  if (!server) return deny(name);
  return server.scope === "project"
    ? list(server.name, "disabledMcpjsonServers")
    : list({ serverName: server.name }, "deniedMcpServers");
}
