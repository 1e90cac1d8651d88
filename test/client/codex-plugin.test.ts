import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createResponsesApi, functionCall, words } from "../api/responses-api.ts";
import { atEnd, createFolder } from "../gateway/open-gateway.ts";
import { askCodex, configureCodex, fetchCodex, runCodex } from "./run-codex.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LONG = "for i in $(seq 1 900); do echo plank $i of the hull was caulked and painted today; done";

describe("the plugin in the real Codex", () => {
  beforeAll(async () => void (await fetchCodex()));

  it.each([0, 3])(
    "folds a long output of a command that ends with %d, says so, and the whole of it is fetched back",
    async (code) => {
      const api = await createResponsesApi(({ body }, index) => {
        if (index === 0)
          return [functionCall("exec_command", { cmd: `${LONG}; exit ${code}`, max_output_tokens: 40_000 })];
        const file = /\.plimsoll\/artifacts\/[\w.-]+/.exec(JSON.stringify(body.input))?.[0];
        return index === 1 && file !== undefined
          ? [functionCall("exec_command", { cmd: `tail -n 2 ${file}` })]
          : [words("Done.")];
      });
      atEnd(() => api.close());
      const folder = createFolder();
      const run = { home: path.join(folder, "home"), cwd: path.join(folder, "project") };
      await mkdir(run.cwd, { recursive: true });
      for (const line of [
        ["marketplace", "add", ROOT],
        ["add", "plimsoll-classic@plimsoll"],
      ])
        expect(await runCodex({ ...run, words: ["plugin", ...line] })).toMatchObject({ exitCode: 0 });
      const installed = await readFile(path.join(run.home, ".codex/config.toml"), "utf8");
      await configureCodex(run.home, {
        url: api.url,
        provider: "built-in",
        more: `tool_output_token_limit = 50000\n${installed}`,
      });
      const { exitCode, stdout, stderr } = await askCodex(run, "Caulk the hull.", { trustsHooks: true });
      expect([exitCode, exitCode === 0 ? "" : `${stdout}\n${stderr}`]).toEqual([0, ""]);
      const outputs = (api.requests.at(-1)?.body.input ?? []).flatMap(({ type, output }) =>
        type === "function_call_output" ? [String(output)] : [],
      );
      expect(outputs[0]).toMatch(new RegExp(`^The command ended with exit code ${code}\\. `));
      expect(outputs[0]).toContain("[FOLDED: Bash output — 900 lines");
      expect(outputs[0]).not.toContain("mcp__");
      expect(outputs[0]?.length).toBeLessThan(7_000);
      expect(outputs[1]).toContain("plank 900 of the hull was caulked and painted today");
    },
  );
});
