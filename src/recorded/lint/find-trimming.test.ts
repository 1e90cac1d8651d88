import { describe, expect, it } from "vitest";
import { findTrimming } from "./find-trimming.ts";

const HEAD = 'import Anthropic from "@anthropic-ai/sdk";\n';
const find = (line: string, path = "src/agent.ts", head = HEAD) => findTrimming([{ path, text: head + line }]);

describe("findTrimming", () => {
  it.each([
    "const recent = messages.slice(-20);",
    "history = history[-MAX_TURNS:]",
    "this.messages.splice(0, 2);",
    "while (count(chatHistory) > limit) chatHistory.shift();",
    "conversation.slice(-maxTurns)",
  ])("[R144] sees that %s drops messages by their number", (line) => {
    expect(find(line)).toMatchObject([
      { rule: "fixed-size-trimming", evidence: { kind: "file", path: "src/agent.ts", line: 2 } },
    ]);
  });

  it.each([
    "const last = messages.at(-1);",
    "const tail = lines.slice(-20);",
    "const rest = messages.slice(1);",
    "// messages.slice(-20) would lose facts",
  ])("lets %s pass", (line) => {
    expect(find(line)).toEqual([]);
  });

  it("looks at code that talks to a model, and not at tests", () => {
    const line = "const recent = messages.slice(-20);";
    expect(find(line, "src/toast.ts", "")).toEqual([]);
    expect(find(line, "src/agent.test.ts")).toEqual([]);
    expect(find(line, "README.md")).toEqual([]);
  });
});
