import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isObject, type JsonObject, listField, objectField, textField, textListField } from "../../../../core/json.ts";
import { readRegularFile } from "../../../../files/read-regular-file.ts";
import type { ReadServers, ServerConfig, ServerTransport } from "../../../baseline.ts";
import type { Environment } from "../../../host.ts";
import { projects } from "../projects.ts";

/** The client's own file contains the history of every project. */
const MAX_BYTES = 256 << 20;

export function readServerConfigs(project: string, environment: Environment): ReadServers {
  const { entries, switches, problems } = readEntries(project, environment);
  return { servers: entries.map((entry) => parseServer(entry, switches, environment)), problems };
}

/** Servers whose tools are to be in front by their configuration, by the names that the model sees. */
export function listPinnedServers(project: string, environment: Environment): readonly string[] {
  return readEntries(project, environment)
    .entries.filter(({ value }) => isObject(value) && value.alwaysLoad === true)
    .map(({ name }) => name.replace(/[^a-zA-Z0-9_-]/g, "_"));
}

function readEntries(project: string, environment: Environment) {
  const problems: { readonly path: string; readonly why: string }[] = [];
  const read = (file: string): JsonObject => {
    try {
      if (!existsSync(file)) return {};
      const text = readRegularFile(file, MAX_BYTES);
      if (text === undefined) throw new Error("no file, or none that anybody wrote");
      const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
      if (isObject(value)) return value;
      problems.push({ path: file, why: "is not a JSON object" });
    } catch (error) {
      problems.push({ path: file, why: error instanceof SyntaxError ? "is not JSON" : "cannot be read" });
    }
    return {};
  };
  const clientHome = projects.locateHome(environment);
  // In its folder if that was moved, otherwise next to it.
  const clientFile = path.join(environment.CLAUDE_CONFIG_DIR || environment.HOME || homedir(), ".claude.json");
  const projectFile = path.join(project, ".mcp.json");
  const client = read(clientFile);
  const known = objectField(client, "projects") ?? {};
  const own = objectField(known, project) ?? {};
  const ofProject = ["settings.local.json", "settings.json"].map((name) => read(path.join(project, ".claude", name)));
  const settingsFile = path.join(clientHome, "settings.json");
  const settings = read(settingsFile);
  const switches = readSwitches([own, settings], ofProject, isTrusted(known, project));
  const found = [
    ...listEntries(own, { scope: "local", file: clientFile }),
    ...listEntries(read(projectFile), { scope: "project", file: projectFile }),
    ...listEntries(client, { scope: "user", file: clientFile }),
    ...listEntries(settings, { scope: "user", file: settingsFile }),
  ];
  // Of several servers with one name the client takes the narrowest.
  const first = new Map<string, Entry>();
  for (const entry of found) if (!first.has(entry.name)) first.set(entry.name, entry);
  return { entries: [...first.values()], switches, problems };
}

interface Entry extends Pick<ServerConfig, "name" | "scope" | "file"> {
  readonly value: unknown;
}

function listEntries(holder: JsonObject, place: Pick<Entry, "scope" | "file">): readonly Entry[] {
  return Object.entries(objectField(holder, "mcpServers") ?? {}).map(([name, value]) => ({ name, value, ...place }));
}

interface Switches {
  readonly disabled: ReadonlySet<string>;
  readonly disabledOfProject: ReadonlySet<string>;
  readonly approved: ReadonlySet<string>;
  readonly approvesAll: boolean;
}

/** Whether the person has told the client that they trust the project's folder, or one above it. */
function isTrusted(known: JsonObject, project: string): boolean {
  for (let folder = project; ; folder = path.dirname(folder)) {
    if (objectField(known, folder)?.hasTrustDialogAccepted === true) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

/** A repository could approve its own servers: until the person trusts its folder, what its files say only switches off. */
function readSwitches(person: readonly JsonObject[], ofProject: readonly JsonObject[], trusts: boolean): Switches {
  const holders = [...person, ...ofProject];
  const approving = trusts ? holders : person;
  const names = (key: string, from: readonly JsonObject[] = holders): ReadonlySet<string> =>
    new Set(from.flatMap((holder) => textListField(holder, key)));
  return {
    disabled: new Set([
      ...names("disabledMcpServers"),
      ...holders
        .flatMap((holder) => listField(holder, "deniedMcpServers"))
        .map((entry) => (isObject(entry) ? textField(entry, "serverName") : "")),
    ]),
    disabledOfProject: names("disabledMcpjsonServers"),
    approved: names("enabledMcpjsonServers", approving),
    approvesAll: approving.some(({ enableAllProjectMcpServers }) => enableAllProjectMcpServers === true),
  };
}

function parseServer({ name, scope, file, value }: Entry, switches: Switches, environment: Environment): ServerConfig {
  const isOfProject = scope === "project";
  const { transport, problem } = parseTransport(value, environment);
  return {
    name,
    scope,
    file,
    transport,
    problem,
    isDisabled: switches.disabled.has(name) || (isOfProject && switches.disabledOfProject.has(name)),
    isApproved: !isOfProject || switches.approvesAll || switches.approved.has(name),
  };
}

function parseTransport(
  value: unknown,
  environment: Environment,
): { readonly transport: ServerTransport | undefined; readonly problem: string | undefined } {
  const fail = (problem: string) => ({ transport: undefined, problem });
  if (!isObject(value)) return fail("its entry is not an object");
  const missing: string[] = [];
  /** `${NAME}` and `${NAME:-default}`, as the client replaces them in a server's entry. */
  const expand = (text: string): string =>
    text.replace(/\$\{([^}]+)\}/g, (whole, inside: string) => {
      const [, name = "", fallback] = /^([^:]*)(?::-(.*))?$/s.exec(inside) ?? [];
      const found = environment[name] ?? fallback;
      if (found === undefined) missing.push(name);
      return found ?? whole;
    });
  const transport = toTransport(value, expand);
  if (!transport)
    return fail(`its entry has neither a command nor a url of a known type (${textField(value, "type")})`);
  if (missing.length > 0) return fail(`the variable ${missing.join(", ")} is not set`);
  return { transport, problem: undefined };
}

function toTransport(value: JsonObject, expand: (text: string) => string): ServerTransport | undefined {
  const type = textField(value, "type");
  const command = textField(value, "command");
  const url = textField(value, "url");
  const texts = (key: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(objectField(value, key) ?? {}).map(([name, text]) => [name, expand(String(text))]),
    );
  if (command !== "" && (type === "" || type === "stdio")) {
    const args = textListField(value, "args").map(expand);
    return { kind: "stdio", command: expand(command), args, env: texts("env") };
  }
  if (url === "" || !["http", "sse", "streamable-http", ""].includes(type)) return undefined;
  return { kind: type === "sse" ? "sse" : "http", url: expand(url), headers: texts("headers") };
}
