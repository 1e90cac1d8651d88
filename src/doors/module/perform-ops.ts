import type { JsonObject } from "../../core/json.ts";
import type { ModuleApi } from "./module-api.ts";
import { placeStatus, type ShownStatus } from "./screen.ts";

/** What the engine wants of the client: a name, and what its call takes. */
export interface Op {
  readonly name: string;
  readonly text: string;
  readonly given: JsonObject;
  readonly status: ShownStatus;
  readonly line?: LineValues;
}

interface LineValues {
  readonly window: string | undefined;
  readonly percent: string | undefined;
}

type CarryOn = (e: JsonObject) => Promise<unknown>;

/** In order; those that take long run next to each other. */
export function performAll($: ModuleApi, next: CarryOn, ops: readonly Op[]): Promise<readonly object[]> {
  return Promise.all(
    ops.map(async (op) => {
      try {
        return { value: await perform($, next, op) };
      } catch (error) {
        return { error: String(error) };
      }
    }),
  );
}

/** Each call is spelled, because the client reads here what this module may do. */
function perform($: ModuleApi, next: CarryOn, op: Op): unknown {
  switch (op.name) {
    case "next":
      return next(op.given);
    case "id":
      return $.session.id();
    case "root":
      return $.session.root();
    case "model":
      return $.session.model();
    case "version":
      return $.session.version();
    case "usage":
      return $.session.usage();
    case "messages":
      return $.session.messages(op.given);
    case "append":
      return $.session.append(op.given);
    case "fork":
      return $.model.fork(op.given);
    case "ask":
      return $.ui.ask(op.text, op.given);
    case "log":
      return $.ui.log(op.text);
    case "status":
      return placeStatus($, op.status);
    case "line":
      return setLine($, op.line);
    default:
      throw new Error(`this module does not know ${op.name}`);
  }
}

/** The client's own values, while the engine has set others to start a compaction. */
let own: LineValues | undefined;

export const isLineLowered = (): boolean => own !== undefined;

/** Where the client compacts: before every request it reads both variables anew. Without values its own again. */
export async function setLine($: ModuleApi, given: LineValues | undefined): Promise<void> {
  if (given === undefined && own === undefined) return;
  const window = await $.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW");
  const percent = await $.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
  own ??= { window, percent };
  const values = given ?? own;
  if (given === undefined) own = undefined;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", values.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", values.percent);
}
