import { CliError, type CommandAnswer, type Invocation, type Terminal } from "../../command.ts";
import { joinLines, renderSafely } from "../../print/style.ts";
import { askFirst, refuseUnconfirmed } from "../confirm.ts";
import { findOwnFiles, type OwnFiles, removeOwnFiles, renderOwnFiles } from "../own-files.ts";
import type { AgentPlan } from "./agent.ts";
import { findAgent, findOnlyAgent } from "./catalogue.ts";

type Task = "install" | "uninstall";
type Status = "done" | "already" | "planned" | "unconfirmed" | "by-agent";

/** Handles `--agent AGENT` if another agent was named, or if the person uses only another one; `undefined` if not. */
export async function handleAgent(
  task: Task,
  invocation: Invocation,
  terminal: Terminal,
): Promise<CommandAnswer | undefined> {
  const { flags, values } = invocation;
  const given = ["module", "classic", "status-line"].find((name) => flags.has(name));
  const isForFirst = given !== undefined || ["agent", "program", "cache-life"].some((name) => values.has(name));
  const only = task === "install" && !isForFirst ? await findOnlyAgent(terminal) : undefined;
  const found = await findAgent(invocation, terminal, only);
  if (found === undefined) return undefined;
  if (given !== undefined) throw new CliError(`--${given} is for Claude Code only: leave it out when you pass --agent`);
  const { agent } = found;
  if (only !== undefined)
    terminal.remark(
      `Claude Code was not found here, so this is about the agent ${only}. For Claude Code pass --module.\n`,
    );
  const plan = task === "install" ? agent.planInstall(found) : agent.planRemoval(found);
  const find = () => findOwnFiles(terminal, agent.name, task === "install" || flags.has("keep"));
  const own = find();
  const shown = { plan, task, own };
  const status = await decide(shown, flags, terminal);
  const lines = (status === "done" && (await plan.carryOut?.())) || [];
  const isCleared = status === "done" && task === "uninstall" && own.isRemoved;
  if (isCleared) removeOwnFiles(find(), terminal);
  // Do not mention a copy that was deleted with the rest.
  const said = isCleared ? lines.filter((line) => !line.includes(".plimsoll-backup-")) : lines;
  const { file, line, notes } = plan;
  return {
    json: { agent: agent.name, status: status === "done" ? `${task}ed` : status, file, line, notes, said },
    text: () => render(shown, status, said),
    failure: refuseUnconfirmed(status, task),
  };
}

interface Shown {
  readonly plan: AgentPlan;
  readonly task: Task;
  readonly own: OwnFiles;
}

async function decide(shown: Shown, flags: ReadonlySet<string>, terminal: Terminal): Promise<Status> {
  const { plan, task, own } = shown;
  if (plan.status !== "due") return plan.status;
  if (!plan.asksFirst && !own.isRemoved && !flags.has("dry-run")) return "done";
  const question = task === "install" ? "Install?" : "Uninstall?";
  const status = await askFirst(() => render(shown, "planned", []), question, { flags, terminal });
  return status === "agreed" ? "done" : status;
}

function render({ plan, task, own }: Shown, status: Status, said: readonly string[]): string {
  const { file, line, notes } = plan;
  const indent = (text: string): string => `  ${renderSafely(text)}`.trimEnd();
  const lines = line.trimEnd().split("\n").map(indent);
  if (file === null) return joinLines("Run:", "", lines, "", notes);
  const name = renderSafely(file);
  if (status === "already" && line === "") return `${name} does not mention Plimsoll: nothing was changed.`;
  if (status === "already") return joinLines(`${name} already contains:`, "", lines, "", "Nothing was changed.");
  const isDone = status === "done";
  const verb = task === "install" ? ["contains", "would contain"] : ["no longer contains", "would no longer contain"];
  return joinLines(
    `${name} ${verb[isDone ? 0 : 1]}:`,
    "",
    lines,
    notes.length > 0 && ["", "Plimsoll uses the agent's own commands for this change:", "", ...notes.map(indent)],
    "",
    task === "uninstall" && renderOwnFiles(own, isDone),
    isDone ? said.map(renderSafely) : "Nothing was changed.",
  );
}
