import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** A namespace of its own starts with loopback down; API and client both run inside, so they still meet. */
const COMMAND = "unshare";
const ARGUMENTS: readonly string[] = ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** True where this user may create a network namespace and bring loopback up in it. */
export async function canIsolate(): Promise<boolean> {
  return promisify(execFile)(COMMAND, [...ARGUMENTS, "true"]).then(
    () => true,
    () => false,
  );
}

/** Runs this program again with no network but loopback. Returns its exit code. */
export async function rerunIsolated(args: readonly string[]): Promise<number> {
  const self = [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
  const child = spawn(COMMAND, [...ARGUMENTS, ...self, ...args], { stdio: "inherit" });
  const [exitCode] = await once(child, "exit");
  return typeof exitCode === "number" ? exitCode : 1;
}
