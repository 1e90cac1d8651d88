import type { Level } from "../../measure/level.ts";
import { renderStatusLine, STATUS_COLUMNS, type Status } from "../../measure/status-line.ts";
import type { HookContext } from "./hook.ts";

const COLOURS: Readonly<Record<Level, string>> = { GREEN: "32", YELLOW: "33", ORANGE: "38;5;208", RED: "31" };

/** As wide as the terminal allows where it is known, and without colours for who wants none (https://no-color.org). */
export function paintStatus(status: Status, { env, settings }: Pick<HookContext, "env" | "settings">): string {
  const columns = Number(env.COLUMNS);
  const { head, rest } = renderStatusLine(status, columns > 0 ? columns : STATUS_COLUMNS, settings.statusLine);
  return env.NO_COLOR ? `${head}${rest}` : `\u001b[${COLOURS[status.level]}m${head}\u001b[0m${rest}`;
}
