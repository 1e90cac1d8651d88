import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

export interface HookRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly remarks: string;
}

export interface HookProgram {
  /** The plugin's folder, complete: `--plugin-dir` takes it. */
  readonly plugin: string;
  start(event: string, input: unknown, env: Readonly<Record<string, string>>): ChildProcess;
  run(event: string, input: unknown, env: Readonly<Record<string, string>>): Promise<HookRun>;
}

/** The command hooks as they are shipped, built for this test file and gone with it. */
export function createHookProgram(): HookProgram {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-hook-"));
  const plugin = path.join(folder, "plugin-classic");
  mkdirSync(plugin);
  for (const part of [".claude-plugin", ".mcp.json", "hooks", "README.md"])
    cpSync(path.join(ROOT, "plugin-classic", part), path.join(plugin, part), { recursive: true });
  execFileSync(process.execPath, [path.join(ROOT, "scripts/build-plugins.mjs"), "--classic", plugin]);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start: HookProgram["start"] = (event, input, env) => {
    const child = spawn(process.execPath, [path.join(plugin, "dist/hook.cjs"), event], {
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    // One that was killed or is switched off does not read to the end.
    child.stdin.on("error", () => {});
    child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
    return child;
  };
  return { plugin, start, run: (event, input, env) => watch(start(event, input, env)) };
}

function watch(child: ChildProcess): Promise<HookRun> {
  const heard = { output: "", remarks: "" };
  child.stdout?.on("data", (bytes: Buffer) => {
    heard.output += bytes.toString("utf8");
  });
  child.stderr?.on("data", (bytes: Buffer) => {
    heard.remarks += bytes.toString("utf8");
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, ...heard }));
  });
}
