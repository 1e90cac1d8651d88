import { existsSync } from "node:fs";
import { renderCount } from "../../core/render-count.ts";
import { writeAtomically } from "../../files/write-file.ts";
import { locateHome } from "../../hosts/catalogue.ts";
import { type FittedWeights, fitWeights } from "../../measure/fit-weights.ts";
import { type LimitMoves, listLimitMoves } from "../../measure/list-limit-moves.ts";
import { locateData, locateWeights } from "../../policy/deeds/data-paths.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { readLimitReadings } from "../../recorded/read-limit-readings.ts";
import type { Terminal } from "./command.ts";
import { renderSafely } from "./style.ts";

export interface LimitReport extends LimitMoves {
  readonly fitted: FittedWeights | undefined;
}

/** What the limit of five hours counts by kind of token, from the person's own readings; where that is sure, the policy finds it from now on. */
export function collectLimits(scanned: readonly ScannedFile[], terminal: Terminal): LimitReport {
  const home = locateHome(terminal.environment);
  const moves = listLimitMoves(
    readLimitReadings(home),
    scanned.flatMap(({ ownSteps }) => ownSteps),
  );
  const fitted = fitWeights(moves.moves);
  if (fitted && existsSync(locateData(home))) writeAtomically(locateWeights(home), `${JSON.stringify(fitted)}\n`);
  return { ...moves, fitted };
}

export function renderStatsLimits({ readings, moves, model, fitted }: LimitReport): string {
  const basis = `${renderCount(moves.length, "move")} of the limit of five hours, from ${renderCount(readings, "reading")}`;
  if (readings === 0)
    return "Nothing is known of your limits: the client tells them to a status line, on a subscription only. plimsoll install --status-line keeps them.";
  if (!fitted)
    return `Not enough yet to say what your subscription counts: ${basis}. Until then "objective": "tokens" counts every token alike.`;
  const { weights, uncertainty } = fitted;
  return [
    `Learned from ${basis}, all with ${renderSafely(model)}. Where a token that is sent or written counts 1:`,
    `  read from the cache  ${weights.read.toFixed(2)} ± ${uncertainty.read.toFixed(2)}`,
    `  answered             ${weights.output.toFixed(2)} ± ${uncertainty.output.toFixed(2)}`,
    fitted.isSure
      ? 'Sure enough to decide by: "objective": "tokens" weighs by it from the next session on.'
      : 'Not sure enough to decide by: "objective": "tokens" counts every token alike until it is.',
    "Nobody publishes these weights. What other machines and the web spent is not recorded here, and counts as an error.",
  ].join("\n");
}
