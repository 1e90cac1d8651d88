import { spawn } from "node:child_process";

/** Runs a command of the person's: a text on its standard input, its standard output is the answer. */
export function askCommand(
  command: string,
  text: string,
  options: { cwd?: string; timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      timeout: options.timeoutMs,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
    });
    // A command that reads nothing closes its input early.
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}`))));
    child.stdin.end(text);
  });
}
