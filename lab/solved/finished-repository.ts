import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Check, Finished, SolvedTask } from "./task.ts";

/** Longer than any finished repository needs; an endless loop of a worker's ends here. */
const PROBE_TIMEOUT_MS = 20_000;

/** Every attempt has its own time, so that one endless loop costs one check. */
const PROBE_HEAD = `
const probed = {};
const within = (work) => Promise.race([work, new Promise((_, fail) => setTimeout(() => fail(new Error("late")), 1500))]);
async function attempt(name, work) {
  try { probed[name] = await within(Promise.resolve().then(work)); } catch (error) { probed[name + "!"] = String(error?.message ?? error); }
}
const load = (file) => import(new URL(file, "file://" + process.cwd() + "/").href);
`;
const PROBE_END = "\nconsole.log('\\nPROBED ' + JSON.stringify(probed)); process.exit(0);\n";

/** Runs the task's probe in a finished repository. */
function openFinished(task: SolvedTask, repository: string): Finished {
  return {
    probed: probe(task, repository),
    text(name) {
      try {
        return readFileSync(path.join(repository, name), "utf8");
      } catch {
        return "";
      }
    },
  };
}

export interface CheckResult extends Pick<Check, "id" | "kind"> {
  readonly isHeld: boolean;
}

/** What the hidden checks say of a finished repository. A check that throws does not hold. */
export function runChecks(task: SolvedTask, repository: string): readonly CheckResult[] {
  const finished = openFinished(task, repository);
  return task.checks.map(({ id, kind, holds }) => {
    try {
      return { id, kind, isHeld: holds(finished) };
    } catch {
      return { id, kind, isHeld: false };
    }
  });
}

function probe(task: SolvedTask, repository: string): Finished["probed"] {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-probe-"));
  try {
    const file = path.join(folder, "probe.mjs");
    writeFileSync(file, PROBE_HEAD + task.probe + PROBE_END);
    const output = execFileSync(process.execPath, [file], {
      cwd: repository,
      encoding: "utf8",
      timeout: PROBE_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(output.split("\nPROBED ").at(-1) ?? "{}");
  } catch {
    return {};
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
