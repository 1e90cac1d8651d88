import { readQuietly } from "../files/read-regular-file.ts";
import { locateRecalls } from "../policy/actions/data-paths.ts";
import { parseRecalls, type RecallFigures } from "../policy/recall-rate.ts";

const MOST_BYTES = 1 << 20;

/** How often originals were fetched back after compactions, by project; nothing if that was never counted. */
export function readRecalls(configFolder: string): RecallFigures {
  return parseRecalls(readQuietly(locateRecalls(configFolder), MOST_BYTES));
}
