import type { JsonObject } from "../../core/json.ts";
import type { ModuleApi } from "./module-api.ts";
import { placeStatus, type ShownStatus } from "./screen.ts";

/** What the engine wants of the client: a name, and what its call takes. */
export interface Op {
  readonly name: string;
  readonly text: string;
  readonly given: JsonObject;
  readonly status: ShownStatus;
  readonly line?: Line;
}

/** Where the client compacts, and the client's own values if these are not. */
interface Line {
  readonly window: string | undefined;
  readonly percent: string | undefined;
  readonly own?: Line;
}

type CarryOn = (e: JsonObject) => Promise<unknown>;

/** In order; those that take long run next to each other. */
export function performAll($: ModuleApi, ops: readonly Op[], next?: CarryOn): Promise<readonly object[]> {
  return Promise.all(ops.map((op) => perform($, op, next)));
}

/** Each call is spelled, because the client reads here what this module may do. No proxy may see what goes to the engine (`direct`). */
async function perform($: ModuleApi, { name, text, given, status, line }: Op, next?: CarryOn): Promise<object> {
  const calls: Readonly<Record<string, () => unknown>> = {
    next: () => next?.(given),
    id: () => $.session.id(),
    root: () => $.session.root(),
    model: () => $.session.model(),
    version: () => $.session.version(),
    usage: () => $.session.usage(),
    messages: () => $.session.messages(given),
    append: () => $.session.append(given),
    fork: () => $.model.fork(given),
    direct: () => Promise.all([$.env.set("no_proxy", text), $.env.set("NO_PROXY", text)]),
    tool: () => $.tool.register(given),
    command: () => $.command.register(given),
    ask: () => $.ui.ask(text, given),
    log: () => $.ui.log(text),
    status: () => placeStatus($, status),
    line: () => setLine($, line),
  };
  try {
    return { value: await calls[name]?.() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** The client's own values, while the engine has set others to start a compaction. */
export let ownLine: Line | undefined;

/** Where the client compacts: before every request it reads both variables anew. Without values its own again. */
export async function setLine($: ModuleApi, line: Line | undefined = ownLine): Promise<void> {
  if (line === undefined) return;
  ownLine = line.own;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", line.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", line.percent);
}
