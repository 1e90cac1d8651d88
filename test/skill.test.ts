/** If red: the skill for agents names a command that does not work. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { packetCommand } from "../src/entry/cli/commands/agents/packet.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { HOME_WRITERS } from "./support/host-homes.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const skill = readFileSync(path.join(import.meta.dirname, "../skills/context-window/SKILL.md"), "utf8");
const commands = [...skill.matchAll(/`plimsoll ([^`]+)`/g)].map(([, line = ""]) => line);
const { folder } = createTemporaryFolder();

function split(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

describe("the skill for agents", () => {
  it("[R186] names when to ask for each command that the seeds wrote for agents", () => {
    expect(commands.map((line) => line.split(" ")[0])).toEqual(["retrieve", "decide", "preview", "packet", "health"]);
    expect(skill).toContain("the tool `recall`");
    // Nobody has measured what a subagent does better with one.
    expect(skill).toMatch(/\(experimental\) \| `plimsoll packet/);
    expect(packetCommand.summary).toMatch(/^Experimental: /);
  });

  it("is carried as one short description", () => {
    expect(/^description: (.*)$/m.exec(skill)?.[1]?.length).toBeLessThanOrEqual(250);
  });

  it.each(commands)("has a line that works as it is written: plimsoll %s", async (line) => {
    const directory = path.join(folder, "work");
    mkdirSync(directory, { recursive: true });
    for (const name of ["a.ts", "b.ts"])
      writeFileSync(path.join(directory, name), "export const tokens = 1; // reject expired\n");
    const transcript = HOME_WRITERS["claude-code"](folder);
    const words = /^(?:packet|health)/.test(line) ? [...split(line), "--transcript", transcript] : split(line);
    const { output, remarks, exitCode } = await runPlimsoll(words, { directory });
    expect({ remarks, exitCode }).toEqual({ remarks: "", exitCode: 0 });
    expect(output.trim()).not.toBe("");
  });
});
