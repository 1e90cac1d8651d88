/** `plimsoll stats` next to the newest `ccusage` that runs here, as a person would run both, on the same files. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CORPUS, hasCorpus } from "./corpus.ts";
import { median, timeInterleaved } from "./measure.ts";

const ROUNDS = 9;
const PEERS = path.join(import.meta.dirname, "peers");
const PLIMSOLL = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

export async function run(): Promise<void> {
  if (!hasCorpus) return console.log("skipped: no recorded sessions beside the project");
  if (!existsSync(PLIMSOLL)) throw new Error("build first: npm run build");
  const ccusage = path.join(PEERS, "node_modules/ccusage/src/cli.js");
  if (!existsSync(ccusage))
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: PEERS, stdio: "ignore" });
  const home = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  // Certificates are loaded at every start when this is set, which is no work of either.
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const env = { ...environment, CLAUDE_CONFIG_DIR: home };
  const node = (words: readonly string[]): string =>
    execFileSync(process.execPath, words, { env, maxBuffer: 1 << 28 }).toString();
  try {
    cpSync(CORPUS, path.join(home, "projects"), { recursive: true });
    const ours = (): string => node([PLIMSOLL, "stats", "--json"]);
    const theirs = (): string => node([ccusage, "daily", "--offline", "--json"]);
    const forget = (): void => rmSync(path.join(home, "data"), { recursive: true, force: true });
    const first = (): void => {
      forget();
      ours();
    };
    const times = await timeInterleaved(
      { first, again: () => void ours(), theirs: () => void theirs(), bare: () => void node(["-e", "0"]) },
      ROUNDS,
    );
    const [firstMs, againMs, theirsMs, bareMs] = [times.first, times.again, times.theirs, times.bare].map(median);
    const compare = (ms = 0): string => `${ms.toFixed(0)} ms, ratio ${(ms / (theirsMs ?? 1)).toFixed(2)}`;
    console.log(`ccusage daily ${theirsMs?.toFixed(0)} ms; bare node ${bareMs?.toFixed(0)} ms`);
    console.log(`plimsoll stats, nothing indexed: ${compare(firstMs)}; again: ${compare(againMs)} (at most 1)`);
    compareTotals(JSON.parse(ours()).totals, JSON.parse(theirs()).totals);
  } finally {
    rmSync(home, { recursive: true });
  }
}

function compareTotals(ours: Record<string, number>, theirs: Record<string, number>): void {
  const pairs = [
    ["input", "inputTokens", "inputTokens"],
    ["cache write", "cacheWriteTokens", "cacheCreationTokens"],
    ["cache read", "cacheReadTokens", "cacheReadTokens"],
    ["output", "outputTokens", "outputTokens"],
    ["dollars", "totalUsd", "totalCost"],
  ] as const;
  for (const [name, our, their] of pairs) {
    const [left = 0, right = 0] = [ours[our], theirs[their]];
    console.log(`  ${name}: ${left.toFixed(2)} and ${right.toFixed(2)}, difference ${(left - right).toFixed(2)}`);
  }
}
