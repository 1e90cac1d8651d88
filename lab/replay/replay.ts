import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CliError, type Command, defineCommand, type Terminal } from "../../src/entry/cli/command.ts";
import { choosePolicies, REPLAY_OPTIONS, REPLAY_PATHS, runReplay } from "../../src/entry/cli/commands/replay.ts";
import type { KnownPolicy } from "../../src/entry/cli/replay/replay-file.ts";
import { readSession } from "../../src/hosts/catalogue.ts";
import type { NamedCheck } from "../../src/replay/check-dollars.ts";
import type { Marks } from "../../src/replay/prompt-cache.ts";
import { LAB_POLICIES } from "./catalogue.ts";
import { checkEstimator } from "./check-estimator.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { findModule } from "./find-module.ts";
import { loadPolicies } from "./load-policies.ts";
import { renderCheck } from "./render-check.ts";
import { renderEntryPoints } from "./render-entry-points.ts";
import { renderPlot } from "./render-plot.ts";
import { renderSpread } from "./render-spread.ts";
import { type CheckedSession, countByShare, summariseCheck } from "./summarise-check.ts";

const MARKS: readonly Marks[] = ["client", "atEdit"];

/** The product's replay with rivals, variants and entry points as rows, checks of the simulator, and a picture. */
export const labReplayCommand: Command = defineCommand({
  name: "replay",
  summary: "What any context policy would have cost and lost on recorded sessions, without asking a model",
  positional: REPLAY_PATHS,
  options: {
    policies: {
      value: "A,B,C",
      help: `those alone, beside native: ${[...LAB_POLICIES, ...ENTRY_POINTS].map(({ name }) => name).join(", ")}`,
    },
    doors: { help: "also each door as it runs, with what it cannot see or do; takes several times as long" },
    marks: { value: "WHERE", help: "where requests are marked for the prompt cache", choices: MARKS },
    check: { help: "also the simulator itself against the recorded usage, with its errors" },
    plot: { value: "FILE.svg", help: "also net dollars against need left behind, as a picture" },
    with: { value: "MODULE.mjs", help: "further policies: a module that exports policies" },
    ...REPLAY_OPTIONS,
  },
  examples: {
    "npm run lab -- replay SESSIONS --min-steps 20 --plot frontier.svg":
      "shorter sessions in the totals, and a picture of what nothing beats",
    "npm run lab -- replay SESSIONS --doors --policies plimsoll":
      "what module, hooks, gateway and library would each have done, beside the policy that they follow",
    "npm run lab -- replay SESSIONS --policies native --check":
      "how far the simulator can be trusted on these sessions",
  },
  async run(invocation, terminal) {
    const module = findModule(invocation.values.get("with"), terminal);
    const known = await loadPolicies(module);
    const policies = chooseRows(known, invocation.values.get("policies"), invocation.flags.has("doors"));
    const plot = findPlot(invocation.values.get("plot"), terminal);
    const marks = MARKS.find((name) => name === invocation.values.get("marks")) ?? "client";
    const isChecked = invocation.flags.has("check");
    await runReplay(invocation, terminal, {
      policies,
      module,
      marks,
      isKept: false,
      isHeldToBill: false,
      extend(report, { checks }) {
        const check = isChecked ? summariseCheck(checks.map(readErrors), report.minSteps) : undefined;
        if (plot !== undefined) writeFileSync(plot, renderPlot(report));
        const texts = [
          renderSpread(report, terminal),
          renderEntryPoints(report, terminal),
          ...(check ? [renderCheck(check, terminal)] : []),
        ];
        return {
          check,
          texts: texts.filter((text) => text !== ""),
          notes: plot === undefined ? [] : [`Plot written: ${path.basename(plot)}`],
        };
      },
    });
  },
});

/** Reads the session once more: the product has no use for these errors, and does not keep them. */
function readErrors(session: NamedCheck): CheckedSession {
  return { ...session, estimatorErrors: countByShare(checkEstimator(readSession(session.path).recording)) };
}

const ENTRY_POINT_NAMES: ReadonlySet<string> = new Set(ENTRY_POINTS.map(({ name }) => name));

/** Entry points take long: they are rows where they are asked for, together or by name. */
function chooseRows(
  known: ReadonlyMap<string, KnownPolicy>,
  given: string | undefined,
  hasEntryPoints: boolean,
): ReadonlyMap<string, KnownPolicy> {
  if (given !== undefined)
    return choosePolicies(known, [given, ...(hasEntryPoints ? ENTRY_POINT_NAMES : [])].join(","));
  return new Map([...known].filter(([name]) => hasEntryPoints || !ENTRY_POINT_NAMES.has(name)));
}

/** Asked for before the work, so that nobody waits for minutes to learn of a typing error. */
function findPlot(given: string | undefined, terminal: Terminal): string | undefined {
  if (given === undefined) return undefined;
  const file = path.resolve(terminal.directory, given);
  if (!file.endsWith(".svg")) throw new CliError(`--plot writes SVG: name a file that ends in .svg, not "${given}"`);
  if (!statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`there is no folder ${path.dirname(given)} to write the plot into: make it first`);
  return file;
}
