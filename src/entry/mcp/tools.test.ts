/** If red: the server's tools take more room in every request than they may, or markers name them wrongly. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { weighTools } from "../../recorded/audit/weigh-tools.ts";
import { nameWayBack } from "../hook/clients/claude-code/client.ts";
import { TOOLS } from "./tools.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const SERVER = "plugin_plimsoll-classic_plimsoll";
const MOST_TOKENS = 600;

describe("the tools of the server", () => {
  it.each(["classic", "dense"] as const)(
    "weigh at most 600 tokens in all, by the %s tokenizer's upper bound",
    (tokenizer) => {
      const { loadedTokens, loadedHighTokens, tools } = weighTools(SERVER, TOOLS, tokenizer);
      expect(tools).toHaveLength(5);
      expect(loadedHighTokens, `estimated ${loadedTokens}`).toBeLessThanOrEqual(MOST_TOKENS);
    },
  );

  it("are found by search, but for the one that markers name", () => {
    expect(TOOLS.filter(({ isUpFront }) => isUpFront).map(({ name }) => name)).toEqual(["recall"]);
  });

  it("are named in markers as the client will name them", () => {
    const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, "plugin-classic", file), "utf8"));
    const { name } = read(".claude-plugin/plugin.json");
    const [server] = Object.keys(read(".mcp.json").mcpServers);
    expect(`mcp__plugin_${name}_${server}__recall`).toBe(`mcp__${SERVER}__recall`);
    expect(nameWayBack({ env: { CLAUDE_PLUGIN_ROOT: "/plugins/plimsoll-classic" } }).recallTool).toBe(
      `mcp__${SERVER}__recall`,
    );
    // Hooks that stand in the settings themselves come without a server.
    expect(nameWayBack({ env: {} }).recallTool).toBeUndefined();
  });
});
