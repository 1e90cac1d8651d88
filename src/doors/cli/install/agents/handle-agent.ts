import { CliError, type CommandAnswer, type Invocation, type Terminal } from "../../command.ts";
import { renderSafely } from "../../print/style.ts";
import { isWanted, unconfirmed } from "../confirm.ts";
import { findOwnFiles, type OwnFiles, removeOwnFiles, renderOwnFiles } from "../own-files.ts";
import type { AgentPlan } from "./agent.ts";
import { findAgent } from "./catalogue.ts";

type Task = "install" | "uninstall";
type Status = "installed" | "uninstalled" | "already" | "planned" | "unconfirmed" | "by-agent";

/** Handles `--host AGENT` if another agent was named; `undefined` if none was. */
export async function handleAgent(
  task: Task,
  invocation: Invocation,
  terminal: Terminal,
): Promise<CommandAnswer | undefined> {
  const found = await findAgent(invocation, terminal);
  if (found === undefined) return undefined;
  refuseOthers(invocation);
  const { agent } = found;
  const { flags } = invocation;
  const plan = task === "install" ? agent.planInstall(found) : agent.planRemoval(found);
  const find = () => findOwnFiles(terminal, agent.name, task === "install" || flags.has("keep"));
  const own = find();
  const status = await decide(task, plan, { flags, terminal, own });
  const told = status === "installed" || status === "uninstalled" ? await plan.carryOut() : [];
  const isCleared = status === "uninstalled" && own.isRemoved;
  if (isCleared) removeOwnFiles(find(), terminal);
  // Do not mention a copy that was deleted with the rest.
  const said = isCleared ? told.filter((line) => !line.includes(".plimsoll-backup-")) : told;
  const { file, line, notes } = plan;
  return {
    json: { agent: agent.name, status, file, line, notes, said },
    text: () => render({ plan, task, status, said, own }),
    failure: status === "unconfirmed" ? unconfirmed(task) : undefined,
  };
}

/** Options for Claude Code only would have no effect here. */
function refuseOthers({ flags, values }: Invocation): void {
  const given = ["scope", "module", "classic", "status-line"].find((name) => flags.has(name) || values.has(name));
  if (given !== undefined) throw new CliError(`--${given} is for Claude Code only: leave it out when you pass --host`);
}

interface Asking {
  readonly flags: ReadonlySet<string>;
  readonly terminal: Terminal;
  readonly own: OwnFiles;
}

async function decide(task: Task, plan: AgentPlan, { flags, terminal, own }: Asking): Promise<Status> {
  if (plan.status !== "due") return plan.status;
  if (flags.has("dry-run")) return "planned";
  const done = task === "install" ? "installed" : "uninstalled";
  if ((plan.asksFirst !== true && !own.isRemoved) || flags.has("yes")) return done;
  const shown = render({ plan, task, status: "planned", said: [], own });
  const question = task === "install" ? "Install?" : "Uninstall?";
  return (await isWanted(shown, question, { flags, terminal })) ? done : "unconfirmed";
}

interface Shown {
  readonly plan: AgentPlan;
  readonly task: Task;
  readonly status: Status;
  readonly said: readonly string[];
  readonly own: OwnFiles;
}

function render({ plan, task, status, said, own }: Shown): string {
  const { file, line, notes } = plan;
  const indent = (text: string): string => `  ${renderSafely(text)}`.trimEnd();
  const lines = line.trimEnd().split("\n").map(indent);
  if (file === null) return ["Run:", "", ...lines, "", ...notes].join("\n");
  const name = renderSafely(file);
  if (status === "already" && line === "") return `${name} does not mention Plimsoll: nothing was changed.`;
  if (status === "already") return [`${name} already contains:`, "", ...lines, "", "Nothing was changed."].join("\n");
  const isDone = status === "installed" || status === "uninstalled";
  const verb = task === "install" ? ["contains", "would contain"] : ["no longer contains", "would no longer contain"];
  return [
    `${name} ${verb[isDone ? 0 : 1]}:`,
    "",
    ...lines,
    ...(notes.length === 0
      ? []
      : ["", "Plimsoll uses the agent's own commands for this change:", "", ...notes.map(indent)]),
    "",
    ...(task === "uninstall" ? renderOwnFiles(own, isDone) : []),
    ...(isDone ? said.map((one) => renderSafely(one)) : ["Nothing was changed."]),
  ].join("\n");
}
