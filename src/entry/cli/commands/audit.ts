import path from "node:path";
import { findWaiting, openAgreedFiles } from "../../../files/agreed-files.ts";
import { readModeText } from "../../../files/mode-files.ts";
import { locateTrust } from "../../../files/node-agreement.ts";
import { nodeProjectFiles } from "../../../files/node-project-files.ts";
import { listPassedRules, readNotes, readSurroundings } from "../../../files/project-reader.ts";
import type { ServerConfig, ServerTransport } from "../../../hosts/baseline.ts";
import { requireBaseline } from "../../../hosts/catalogue.ts";
import { dedupeFiles } from "../../../library/prompt/instructions/dedupe-files.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { isMode } from "../../../policy/mode/parse-active-mode.ts";
import { INITIAL_POLICY } from "../../../policy/policy-state.ts";
import { opened } from "../../../policy/steps/opened.ts";
import { renderNotes } from "../../../policy/surroundings.ts";
import { checkConflicts } from "../../../recorded/lint/check-instructions.ts";
import { readAudit } from "../audit/read-audit.ts";
import { renderAudit } from "../audit/render-audit.ts";
import { type Command, defineCommand, type Invocation, type Terminal } from "../command.ts";
import { canAsk, confirm } from "../install/confirm.ts";
import { locateSettings } from "../install/settings-file.ts";
import { joinLines, renderSafely } from "../print/style.ts";
import { PROJECT_OPTION, requireProject } from "../require-session.ts";

/** What a session that works on one file receives: the client's instruction files in order, and what Plimsoll adds, verbatim. */
async function describePath(project: string, given: string, terminal: Terminal) {
  const active = path.resolve(terminal.directory, given);
  const { files: all } = requireBaseline(terminal.hosts).readInstructions(terminal.environment, project, active);
  const { duplicates } = dedupeFiles(all);
  return {
    path: path.relative(project, active) || ".",
    files: all.map(({ path: file, scope, text }) => ({
      path: file,
      scope,
      characters: text.length,
      sameAs: duplicates.find((one) => one.path === file)?.sameAs ?? null,
    })),
    conflicts: checkConflicts(all, []).map(({ what }) => what),
    told: await renderInjected(project, terminal),
    passed: await listPassedRules(nodeProjectFiles, project),
  };
}

/** What we add to a new session's first request, made by the same step as in the client. */
async function renderInjected(project: string, terminal: Terminal): Promise<string> {
  const trust = locateTrust(project, locateData(locateSettings(terminal).configFolder));
  const store = openAgreedFiles(nodeProjectFiles, trust);
  const notes = await readNotes(store, project);
  const nowMs = terminal.nowMs();
  const { commands } = opened(INITIAL_POLICY, {
    why: "startup",
    surroundings: await readSurroundings(store, project, async (mode) =>
      isMode(mode) ? readModeText(mode) : undefined,
    ),
    nowMs,
    notes: (beganMs) => renderNotes(notes, { nowMs, beganMs }),
    memory: notes.memory,
    waiting: await findWaiting(nodeProjectFiles, trust),
    model: () => "",
  });
  return commands.flatMap((one) => (one.kind === "tell" || one.kind === "warn" ? [one.text] : [])).join("\n\n");
}

function renderPath(described: Awaited<ReturnType<typeof describePath>>): string {
  const { files, conflicts, told: injected, passed } = described;
  return joinLines(
    `Instruction files for ${renderSafely(described.path)}, in the order in which the agent loads them:`,
    files.map(({ path: file, scope, characters, sameAs }, index) => {
      const adds = sameAs === null ? `${characters} characters` : `nothing, because it repeats ${renderSafely(sameAs)}`;
      return `${index + 1}. ${renderSafely(file)} (${scope}) adds ${adds}`;
    }),
    files.length === 0 && "none",
    conflicts.map((what) => `conflict: ${renderSafely(what)}`),
    "",
    injected === "" ? "Plimsoll adds nothing at the start of a session." : "At the start of a session, Plimsoll adds:",
    injected.split("\n").map(renderSafely),
    passed.length > 0 &&
      `Not used: ${passed.map(renderSafely).join(", ")}. Plimsoll reads the project's rules folder only if the file .plimsoll/settings.json exists (a file that contains only {} is enough).`,
  );
}

export const auditCommand: Command = defineCommand({
  name: "audit",
  summary:
    "Shows how many tokens every request contains before your first prompt (MCP servers, agents, skills, instructions), and how to reduce them",
  options: {
    ...PROJECT_OPTION,
    path: {
      value: "FILE",
      help: "show only the instructions that apply to this file: the instruction files in order, conflicts, duplicates, and what Plimsoll adds",
    },
    yes: { help: "also start the project's MCP servers that you have not approved in the agent" },
    "no-start": { help: "start no MCP server (for a project that you do not trust)" },
  },
  examples: {
    "plimsoll audit": "starts, measures and stops the MCP servers; shows the startup context and how to reduce it",
    "plimsoll audit --path src/index.ts": "shows which instructions apply to that file",
    "plimsoll audit --no-start --json": "reads only files and recorded sessions, and prints JSON",
  },
  async run(invocation, terminal) {
    const project = requireProject(invocation, terminal);
    const about = invocation.values.get("path");
    if (about !== undefined) {
      const described = await describePath(project, about, terminal);
      return { json: described, text: () => renderPath(described) };
    }
    const start = (configs: readonly ServerConfig[]) => askBeforeStart(configs, invocation, terminal);
    const audit = await readAudit(project, terminal, invocation.flags.has("no-start") ? undefined : start);
    return { json: audit, text: () => renderAudit(audit, terminal) };
  },
});

function renderTransport(transport: ServerTransport): string {
  return transport.kind === "stdio" ? [transport.command, ...transport.args].join(" ") : transport.url;
}

/** Asks before starting programs, and before reaching addresses, that come with the project and that the person has not approved in the client. */
async function askBeforeStart(
  configs: readonly ServerConfig[],
  { flags }: Invocation,
  terminal: Terminal,
): Promise<readonly ServerConfig[]> {
  const isAsked = ({ isApproved, isDisabled, transport }: ServerConfig): boolean =>
    !isApproved && !isDisabled && transport !== undefined;
  const asked = configs.filter(isAsked);
  if (asked.length === 0 || flags.has("yes")) return configs;
  if (canAsk(terminal)) {
    for (const { name, transport } of asked)
      if (transport) terminal.remark(`${renderSafely(`${name}: ${renderTransport(transport)}`)}\n`);
    const question = "This project defines servers that you have not approved in the agent. Start them anyway?";
    if (await confirm(question, terminal)) return configs;
  }
  const problem = "not approved in the agent, so it was not started; --yes starts it";
  return configs.map((config) => (isAsked(config) ? { ...config, transport: undefined, problem } : config));
}
