// `npm run lab -- replay|reading|solved|bench …`: builds the lab from its sources and runs it.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildBench, buildLab } from "./build-lab.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
const isBench = words[0] === "bench";
const program = isBench ? await buildBench() : await buildLab(path.join(root, "lab/dist"));
// Paths are meant from where npm was called.
const cwd = process.env.INIT_CWD ?? process.cwd();
const { status } = spawnSync(process.execPath, [program, ...(isBench ? words.slice(1) : words)], {
  cwd,
  stdio: "inherit",
});
process.exit(status ?? 1);
