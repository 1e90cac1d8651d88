/** If red: the schema of a tool is weighed otherwise than the API counts it. */
import { describe, expect, it } from "vitest";
import { estimateTextTokens } from "../../models/tokens.ts";
import { type ListedTool, renderToolForApi, weighTools } from "./weigh-tools.ts";

const tool = (name: string, description = "Reads a file."): ListedTool => ({
  name,
  description,
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

describe("weighTools", () => {
  it("[R77] measures the schema in the shape that the API is sent, not 500 tokens each", () => {
    expect(renderToolForApi("my files", tool("read.file"))).toBe(
      '{"name":"mcp__my_files__read_file","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}',
    );
    const { tools, loadedTokens } = weighTools("files", [tool("read")], "dense");
    expect(tools[0]?.tokens).toBe(estimateTextTokens(renderToolForApi("files", tool("read")), "dense"));
    expect(loadedTokens).toBeLessThan(100);
  });

  it("[R77] tells both figures: every schema in every request, and names alone where tools load when asked for", () => {
    const weighed = weighTools("files", [tool("read"), tool("write", "Writes. ".repeat(50))], "dense");
    expect(weighed.tools.map(({ name }) => name)).toEqual(["mcp__files__write", "mcp__files__read"]);
    expect(weighed.deferredTokens).toBeLessThan(weighed.loadedTokens / 5);
    expect(weighed.deferredTokens).toBeGreaterThan(0);
    expect(weighed.loadedHighTokens).toBeCloseTo(weighed.loadedTokens * 1.24, 6);
  });

  it("cuts a description where the client cuts it", () => {
    expect(JSON.parse(renderToolForApi("files", tool("read", "x".repeat(5000)))).description).toHaveLength(2048 + 13);
  });

  it("weighs a server without tools as nothing", () => {
    expect(weighTools("none", [], "classic")).toEqual({
      tools: [],
      loadedTokens: 0,
      loadedHighTokens: 0,
      deferredTokens: 0,
    });
  });
});
