/** If red: terse writing drops a word that carries meaning, such as a doubt or a name. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";

const { folder } = createTemporaryFolder();

async function terse(text: string): Promise<{ text: string; charactersBefore: number; charactersAfter: number }> {
  writeFileSync(path.join(folder, "said.md"), text);
  const { output } = await runPlimsoll(["terse", "said.md", "--json"], { directory: folder });
  return JSON.parse(output);
}

describe("the words that plimsoll terse takes out", () => {
  it("[R88] [R98] are filler, pleasantries and articles; what is uncertain stays uncertain", async () => {
    const said = await terse(
      "Sure! I'd be happy to help. The session is basically just created before the lock is taken. It might be a race.\n",
    );
    expect(said.text).not.toMatch(/happy to help|basically|just|[Tt]he session/);
    expect(said.text).toContain("session is created before lock is taken");
    expect(said.text).toContain("might be");
    expect(said.charactersAfter).toBeLessThan(said.charactersBefore * 0.75);
  });

  it("[R96] are none of code, errors, paths, names and numbers", async () => {
    const code = '```ts\nconst the = "a really basic the";\n```';
    const { text } = await terse(
      `The cause is really simple.\n\nThe error is \`TypeError: the x is just not a function\` in the src/the/a.ts:42, v1.2.3.\n\n${code}\n`,
    );
    for (const kept of [code, "`TypeError: the x is just not a function`", "src/the/a.ts:42", "v1.2.3"])
      expect(text).toContain(kept);
    expect(text).not.toContain("really simple");
  });
});
