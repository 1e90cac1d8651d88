import { type HookCall, parseHookCall } from "../../../hosts/claude-code/hook-input.ts";
import { type Hook, type HookAnswer, type HookContext, NOTHING } from "../hook.ts";

/** Keeps ignored files out of the window and, if the person asked for it, refuses calls at a full window. */
export const preToolUse: Hook = async (input, context) => {
  const call = parseHookCall(input.raw);
  const ignored = await findIgnored(input.directory, context, call);
  if (ignored !== undefined) return deny(call, ignored);
  if (!context.settings.blocksAtRed || input.agentId !== "") return NOTHING;
  const { blockAtRed } = await import("../block-at-red.ts");
  return blockAtRed(input, context, call);
};

/** Tools that bring files into the window. For others the guard is not started. */
const GUARDED: readonly string[] = ["Read", "Grep", "Glob", "LS", "Bash", "PowerShell", "NotebookRead"];

async function findIgnored(directory: string, context: HookContext, call: HookCall): Promise<string | undefined> {
  const { settings, project } = context;
  if (!settings.guardsIgnored || project === "" || !GUARDED.includes(call.tool)) return undefined;
  const { guardIgnored } = await import("../guard-ignored.ts");
  return guardIgnored(call, project, directory);
}

function deny({ tool }: HookCall, why: string): HookAnswer {
  return {
    output: { permissionDecision: "deny", permissionDecisionReason: why },
    deeds: [{ kind: "blocked", tool, why }],
  };
}
