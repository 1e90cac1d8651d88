/** If red: the packed program needs a network, a home or a dependency to run. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const { folder } = createTemporaryFolder();
const packed = path.join(folder, "packed");
const home = path.join(folder, "home");
/** Without a network where the system lets us take it away. */
const withoutNetwork = spawnSync("unshare", ["-rn", "true"]).status === 0 ? ["unshare", "-rn"] : [];

beforeAll(() => {
  for (const each of [home, path.join(folder, "empty")]) mkdirSync(each);
  const { status, stderr } = spawnSync("node", ["scripts/pack-program.mjs", packed], { cwd: ROOT, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  cpSync(packed, path.join(folder, "empty"), { recursive: true });
});

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const [program = "", ...rest] = [...withoutNetwork, ...words];
  return spawnSync(program, rest, {
    cwd: path.join(folder, "empty"),
    env: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", npm_config_offline: "true", ...environment },
    encoding: "utf8",
  });
}

describe("the packed command line, in an empty folder without a network", () => {
  it("is one file, alone and in a package without dependencies", () => {
    expect(readdirSync(packed).map((name) => name.replace(/-[\d.]+tgz$/, "-VERSION.tgz"))).toEqual([
      "plimsoll-VERSION.tgz",
      "plimsoll.cjs",
    ]);
  });

  it("shows the sample to a person without sessions, the second time from what it unpacked", () => {
    for (let times = 0; times < 2; times++) {
      const { status, stdout, stderr } = run(["node", "plimsoll.cjs"]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("the sample session");
    }
    expect(readdirSync(path.join(home, ".cache/plimsoll"))).toHaveLength(1);
  });

  it("reads a session, knows the dashboard, and says why it cannot install", () => {
    const sample = path.join(ROOT, "samples/demo-session.jsonl");
    expect(JSON.parse(run(["node", "plimsoll.cjs", "stats", sample, "--json"]).stdout).totals.requests).toBeGreaterThan(
      0,
    );
    expect(run(["node", "plimsoll.cjs", "install", "--dry-run"]).stderr).toContain("this copy has no plugins");
    expect(run(["node", "plimsoll.cjs", "dashboard", "--help"]).status).toBe(0);
  });

  it("is what npx runs from the package", () => {
    const [name = ""] = readdirSync(packed);
    const { stdout, stderr } = run(["npx", "--yes", `./${name}`, "--version"]);
    expect(stdout.trim(), stderr).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("runs where the home cannot be written, and leaves nothing behind", () => {
    const temporary = path.join(folder, "tmp");
    mkdirSync(temporary);
    // Even root cannot write below a device.
    const { status, stdout } = run(["node", "plimsoll.cjs", "--version"], { HOME: "/dev/null", TMPDIR: temporary });
    expect({ status, stdout: stdout.trim() }).toMatchObject({ status: 0 });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
