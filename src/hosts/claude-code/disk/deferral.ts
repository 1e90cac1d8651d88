import { mkdirSync } from "node:fs";
import path from "node:path";
import { isObject, listField, numberField, objectField, textField, textListField } from "../../../core/json.ts";
import { writePrivateFile } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { withLock } from "../../../files/with-lock.ts";
import type { Tokenizer } from "../../../models/tokens.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { chooseDeferred, type DeferredTool } from "../../../policy/choose-deferred.ts";
import type { Environment } from "../../host.ts";
import { listDefinitionTexts, parseFrontMatter } from "./baseline/baseline.ts";
import { listPinnedServers } from "./baseline/read-server-configs.ts";
import { nameProjectFolder, projects } from "./projects.ts";
import { readToolEvidence } from "./tool-evidence.ts";

/** Which tools wait behind the tool search: written down in one session of a project, for its next one to begin with. */
export interface DeferralFile {
  readonly tools: readonly DeferredTool[];
  /** Called after they had been deferred: these stay in front for good. */
  readonly returned: readonly string[];
}

/** A file of another layout counts as none: it is written anew from the records. */
const FORMAT = 1;
const MOST_BYTES = 1 << 20;

export function locateDeferral(environment: Environment, project: string): string {
  return path.join(locateData(projects.locateHome(environment)), "base", `${nameProjectFolder(project)}.json`);
}

/** Nothing is deferred without such a file, or with one that cannot be understood. */
function readDeferral(file: string): DeferralFile {
  const read = readObject(file, MOST_BYTES);
  if (read?.format !== FORMAT) return { tools: [], returned: [] };
  const tools = listField(read, "tools")
    .filter(isObject)
    .map((tool) => ({ name: textField(tool, "name"), tokens: numberField(tool, "tokens") ?? 0 }))
    .filter(({ name }) => name !== "");
  return { tools, returned: textListField(read, "returned") };
}

/** What a session begins with: what was written down, without what is to stay in front by today's settings and files. */
export function readDeferred(environment: Environment, project: string): readonly DeferredTool[] {
  const { tools } = readDeferral(locateDeferral(environment, project));
  if (tools.length === 0) return [];
  const isKept = readKept(environment, project);
  return tools.filter(({ name }) => !isKept(name));
}

/** Decides anew from the records, for the next session. */
export async function renewDeferral(environment: Environment, project: string, tokenizer: Tokenizer): Promise<void> {
  const { records, isEnough } = await readToolEvidence(environment, project, tokenizer);
  const isKept = readKept(environment, project);
  change(environment, project, ({ tools, returned }) => ({
    tools: isEnough
      ? chooseDeferred(records, { before: tools, isKept: (name) => isKept(name) || returned.includes(name) })
      : [],
    returned,
  }));
}

/** A deferred tool was called: from the next session on it is in front. */
export function returnToFront(environment: Environment, project: string, called: string): void {
  change(environment, project, ({ tools, returned }) => ({
    tools: tools.filter(({ name }) => name !== called),
    returned: [...new Set([...returned, called])],
  }));
}

/** Two sessions of a project may do this at the same time. */
function change(environment: Environment, project: string, follow: (before: DeferralFile) => DeferralFile): void {
  const file = locateDeferral(environment, project);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  withLock(`${file}.lock`, () =>
    writePrivateFile(file, JSON.stringify({ format: FORMAT, ...follow(readDeferral(file)) })),
  );
}

/** Nearly all work needs these, the tool search among them; a miss would cost more than their schemas. */
export const ALWAYS_IN_FRONT: ReadonlySet<string> = new Set(["Bash", "Read", "Edit", "Write", "ToolSearch"]);
const OURS = /^mcp__(?:plugin_)?plimsoll/;

/** What stays in front whatever the evidence says: allowed in the settings, pinned in a server's configuration, or named by a skill or an agent. */
function readKept(environment: Environment, project: string): (name: string) => boolean {
  const clientHome = projects.locateHome(environment);
  const allowed = [
    ...["settings.local.json", "settings.json"].map((name) => path.join(project, ".claude", name)),
    path.join(clientHome, "settings.json"),
  ].flatMap((file) => listAllowed(file));
  const texts = listDefinitionTexts({ project, clientHome });
  // The client's own file may be large, and only servers are pinned there.
  let pinned: readonly string[] | undefined;
  const isOfServer = (name: string, servers: readonly string[]): boolean =>
    servers.some((server) => name.startsWith(`${server}__`));
  const isPinned = (name: string): boolean => {
    pinned ??= listPinnedServers(project, environment).map((server) => `mcp__${server}`);
    return isOfServer(name, pinned);
  };
  return (name) =>
    ALWAYS_IN_FRONT.has(name) ||
    OURS.test(name) ||
    allowed.includes(name) ||
    texts.some((text) => text.includes(name) && listNamedTools(text).includes(name)) ||
    (name.startsWith("mcp__") && (isOfServer(name, allowed) || isPinned(name)));
}

/** Names in its list of tools, in code, or called a tool: the names of some tools are plain words. */
function listNamedTools(text: string): readonly string[] {
  const { fields, body } = parseFrontMatter(text);
  const listed = `${fields.tools ?? ""} ${fields["allowed-tools"] ?? ""}`.match(/\w[\w-]*/g) ?? [];
  const said = [...body.matchAll(/`(\w[\w-]*)`|\b(\w[\w-]*) tool\b|\b(mcp__[\w-]+)/g)];
  return [...listed, ...said.flatMap(([, ...names]) => names.filter((name) => name !== undefined))];
}

/** `Bash(npm run *)` allows Bash; `mcp__maps` and `mcp__maps__*` every tool of that server. */
function listAllowed(file: string): readonly string[] {
  const permissions = objectField(readObject(file, MOST_BYTES) ?? {}, "permissions") ?? {};
  return textListField(permissions, "allow").map((rule) => rule.replace(/\(.*$/s, "").replace(/__\*$/, ""));
}
