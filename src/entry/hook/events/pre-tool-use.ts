import { textField } from "../../../core/json.ts";
import { type HookCall, parseHookCall } from "../../../hosts/claude-code/hook-input.ts";
import { READING_TOOLS, WORKER_TOOLS } from "../../../hosts/claude-code/tool-names.ts";
import { type Hook, type HookAnswer, type HookContext, NOTHING } from "../hook.ts";

/** Keeps ignored files out of the window and, if the person asked for it, refuses calls at a full window. */
export const preToolUse: Hook = async (context) => {
  const call = parseHookCall(context.raw);
  const ignored = await findIgnored(context, call);
  if (ignored !== undefined) return deny(call, ignored);
  const expensive = await priceDispatch(context, call);
  if (expensive !== undefined) return expensive;
  if (!context.settings.blocksAtRed || context.agentId !== "") return NOTHING;
  const { blockAtRed } = await import("../block-at-red.ts");
  return blockAtRed(context, call);
};

/** The user sees what an expensive worker costs before it is sent; they can still refuse the call. */
async function priceDispatch(context: HookContext, { tool, input }: HookCall): Promise<HookAnswer | undefined> {
  if (!WORKER_TOOLS.includes(tool) || !context.settings.hasAdvisories || context.settings.blocksAtRed) return undefined;
  const prompt = textField(input, "prompt");
  if (prompt.length < LEAST_CHARACTERS) return undefined;
  const { dispatched } = await import("../../../policy/steps/dispatched.ts");
  const { findModelId } = await import("../load/read-load.ts");
  const [line] = dispatched(prompt, findModelId(context));
  return line?.kind === "warn" ? { systemMessage: `plimsoll: ${line.text}` } : undefined;
}

/** Below this length no prompt is expensive. */
const LEAST_CHARACTERS = 20_000;

async function findIgnored(context: HookContext, call: HookCall): Promise<string | undefined> {
  const { settings, project } = context;
  if (!settings.guardsIgnored || project === "" || !READING_TOOLS.includes(call.tool)) return undefined;
  const { guardIgnored } = await import("../guard-ignored.ts");
  return guardIgnored(context, call);
}

function deny({ tool }: HookCall, why: string): HookAnswer {
  return {
    output: { permissionDecision: "deny", permissionDecisionReason: why },
    actions: [{ kind: "blocked", tool, why }],
  };
}
