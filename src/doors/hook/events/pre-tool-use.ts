import { type HookCall, parseHookCall } from "../../../hosts/claude-code/hook-input.ts";
import { type Hook, type HookAnswer, type HookContext, NOTHING } from "../hook.ts";

/** Keeps ignored files out of the window and, if the person asked for it, refuses calls at a full window. */
export const preToolUse: Hook = async (context) => {
  const call = parseHookCall(context.raw);
  const ignored = await findIgnored(context, call);
  if (ignored !== undefined) return deny(call, ignored);
  if (!context.settings.blocksAtRed || context.agentId !== "") return NOTHING;
  const { blockAtRed } = await import("../block-at-red.ts");
  return blockAtRed(context, call);
};

/** Tools that bring files into the window. For others the guard is not started. */
const GUARDED: readonly string[] = ["Read", "Grep", "Glob", "LS", "Bash", "PowerShell", "NotebookRead"];

async function findIgnored(context: HookContext, call: HookCall): Promise<string | undefined> {
  const { settings, project } = context;
  if (!settings.guardsIgnored || project === "" || !GUARDED.includes(call.tool)) return undefined;
  const { guardIgnored } = await import("../guard-ignored.ts");
  return guardIgnored(context, call);
}

function deny({ tool }: HookCall, why: string): HookAnswer {
  return {
    output: { permissionDecision: "deny", permissionDecisionReason: why },
    deeds: [{ kind: "blocked", tool, why }],
  };
}
