/** If red: the tutorial shows something else than the program prints. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const temporary = createTemporaryFolder();
const tutorial = readFileSync(path.join(ROOT, "docs/quick-start.md"), "utf8");

/** What the tutorial says is printed of the sample, command by command. */
const shown = [...tutorial.matchAll(/^\$ plimsoll (.*samples\/demo-session\.jsonl.*)\n([\s\S]*?)(?=^\$ |```)/gm)].map(
  ([, words = "", lines = ""]) => ({ words, lines: lines.split("\n") }),
);

describe("the tutorial", () => {
  it("tells of the sample in several ways", () => {
    expect(shown.length).toBeGreaterThanOrEqual(3);
  });

  it.each(shown)("prints what plimsoll $words prints", async ({ words, lines }) => {
    const { output } = await runPlimsoll(words.split(" "), {
      environment: { HOME: temporary.folder, PLIMSOLL_BACKGROUND: "0" },
      directory: ROOT,
    });
    const printed = output.split("\n").map((line) => line.trim());
    const isPrinted = (line: string): boolean =>
      printed.some((one) => one === line || (line.endsWith("…") && one.startsWith(line.slice(0, -1).trim())));
    expect(lines.map((line) => line.trim()).filter((line) => line !== "" && !isPrinted(line))).toEqual([]);
  });
});
