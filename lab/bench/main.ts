/**
 * `npm run lab -- bench NAME... [--OPTION ...]`: runs benchmarks by name, all but the slow ones without a name.
 * Every figure is a median of interleaved rounds in one process or one run, next to its peer or limit: on a shared machine
 * only ratios mean something.
 */
import { run as runBoundary } from "./boundary.bench.ts";
import { run as runClient } from "./client.bench.ts";
import { run as runCompact } from "./compact.bench.ts";
import { run as runConstraints } from "./constraints.bench.ts";
import { run as runConversations } from "./conversations.bench.ts";
import { run as runEconomics } from "./economics.bench.ts";
import { run as runFit } from "./fit-estimator.bench.ts";
import { run as runFold } from "./fold.bench.ts";
import { run as runGateway } from "./gateway.bench.ts";
import { run as runGatewayCapacity } from "./gateway-capacity.bench.ts";
import { run as runGatewayCpu } from "./gateway-cpu.bench.ts";
import { run as runGatewayCrowd } from "./gateway-crowd.bench.ts";
import { run as runGatewaySoak } from "./gateway-soak.bench.ts";
import { run as runHook } from "./hook.bench.ts";
import { run as runHorizon } from "./horizon.bench.ts";
import { run as runIncremental } from "./incremental.bench.ts";
import { run as runLayers } from "./layers.bench.ts";
import { run as runLibrary } from "./library.bench.ts";
import { run as runModule } from "./module.bench.ts";
import { run as runNeedle } from "./needle.bench.ts";
import { run as runParse } from "./parse.bench.ts";
import { run as runPricer } from "./pricer.bench.ts";
import { run as runReceipt } from "./receipt.bench.ts";
import { run as runRepeats } from "./repeats.bench.ts";
import { run as runReplayTables } from "./replay-tables.bench.ts";
import { run as runRetrieval } from "./retrieval.bench.ts";
import { run as runReturns } from "./returns.bench.ts";
import { run as runSession } from "./session.bench.ts";
import { run as runStart } from "./start.bench.ts";
import { run as runState } from "./state.bench.ts";
import { run as runStats } from "./stats.bench.ts";
import { run as runStatusLine } from "./status-line.bench.ts";

const BENCHES: Readonly<Record<string, () => Promise<void> | void>> = {
  parse: runParse,
  pricer: runPricer,
  incremental: runIncremental,
  session: runSession,
  stats: runStats,
  economics: runEconomics,
  fit: runFit,
  fold: runFold,
  receipt: runReceipt,
  gateway: runGateway,
  hook: runHook,
  horizon: runHorizon,
  layers: runLayers,
  compact: runCompact,
  boundary: runBoundary,
  module: runModule,
  start: runStart,
  statusline: runStatusLine,
  returns: runReturns,
  repeats: runRepeats,
  conversations: runConversations,
};

/** Minutes each, or of no use without what they are told: only by name. */
const SLOW: Readonly<Record<string, (options: readonly string[]) => Promise<void> | void>> = {
  client: runClient,
  constraints: runConstraints,
  state: runState,
  "gateway-capacity": runGatewayCapacity,
  "gateway-cpu": runGatewayCpu,
  "gateway-crowd": runGatewayCrowd,
  "gateway-soak": runGatewaySoak,
  library: runLibrary,
  needle: runNeedle,
  "replay-tables": runReplayTables,
  retrieval: runRetrieval,
};
const EVERY = { ...BENCHES, ...SLOW };

const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith("--"));
const asked = firstOption < 0 ? given : given.slice(0, firstOption);
const options = given.slice(asked.length);
if (asked.length === 0 && options.includes("--help")) {
  console.log(`npm run lab -- bench NAME...: ${Object.keys(EVERY).join(", ")}`);
  process.exit(0);
}
const unknown = asked.filter((name) => !(name in EVERY));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(", ")}; there are: ${Object.keys(EVERY).join(", ")}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  console.log(`\n## ${name}`);
  await EVERY[name]?.(options);
}
