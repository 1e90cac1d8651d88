/** If red: a developer is not shown which section breaks the prompt cache, or what that costs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { assemblePrompt, DYNAMIC_BOUNDARY, type Section } from "./assemble-prompt.ts";
import { checkStability, renderStability } from "./check-stability.ts";

const RULES = "Do what is asked, and nothing else. ".repeat(40);

function assemble({ intro = "You are an agent.", clock = "10:41", more = "" } = {}) {
  const sections: Section[] = [
    { name: "Intro", text: intro, kind: "static" },
    { name: "System rules", text: RULES, kind: "static" },
    { name: "Environment", text: `Folder: /work\nTime: ${clock}`, kind: "dynamic" },
    { name: "Runtime config", text: more, kind: "dynamic" },
  ];
  return assemblePrompt(sections);
}

describe("over the requests of a session", () => {
  it("[R153] names the section that broke the prefix, the first characters that differ, and the price", () => {
    const report = checkStability([assemble(), assemble(), assemble({ clock: "10:42" })]);
    expect(renderStability(report)).toMatchInlineSnapshot(`
      "static prefix 1281a5a13f08afc7 (410 tokens) stable over 3 requests
      request 3: Environment (dynamic) broke the prefix at character 39: "…k\\nTime: 10:41" -> "…k\\nTime: 10:42"; 17 tokens rewritten
      17 tokens rewritten in all"
    `);
  });

  it("[R153] a change in the static part costs all of it", () => {
    const report = checkStability([assemble(), assemble({ intro: "You are an agent of 10:42." })]);
    expect(report.isStaticStable).toBe(false);
    expect(report.breaks).toMatchObject([{ request: 2, name: "Intro", isStatic: true, change: "changed" }]);
    expect(report.tokensRewritten).toBeGreaterThan(380);
    expect(renderStability(report)).toContain("static prefix CHANGED: 2 versions over 2 requests");
  });

  it("[R153] hashes every section's prefix: those before the change are the same, those after it are not", () => {
    const { requests } = checkStability([assemble({ more: "x" }), assemble({ more: "x", clock: "11:00" })]);
    const [one, other] = requests.map(({ pieces }) => pieces.map(({ prefixHash }) => prefixHash));
    const same = one?.map((hash, index) => hash === other?.[index]);
    expect(requests[0]?.pieces.map(({ name }) => name)).toEqual([
      "Intro",
      "System rules",
      "boundary",
      "Environment",
      "Runtime config",
    ]);
    expect(same).toEqual([true, true, true, false, false]);
  });

  it("tells a section that came from one that went", () => {
    const report = checkStability([assemble(), assemble({ more: "mode: dev" }), assemble()]);
    expect(report.breaks.map(({ name, change }) => `${name} ${change}`)).toEqual([
      "Runtime config added",
      "Runtime config removed",
    ]);
  });

  it("says so where there is nothing to say", () => {
    expect(renderStability(checkStability([]))).toBe("no requests");
    expect(renderStability(checkStability([assemble()]))).toContain("stable over 1 request");
  });
});

describe("over requests", () => {
  const tools = [
    { name: "Read", description: "reads" },
    { name: "Bash", description: "runs" },
  ];
  const request = (extra: JsonObject = {}): JsonObject => ({
    tools,
    system: [
      { type: "text", text: `${RULES}\n${DYNAMIC_BOUNDARY}` },
      { type: "text", text: "# Environment\n\nday: Monday" },
    ],
    messages: [{ role: "user", content: "hello" }],
    ...extra,
  });
  const grown = {
    messages: [
      { role: "user", content: [{ type: "text", text: "hello", cache_control: { type: "ephemeral" } }] },
      { role: "assistant", content: "hi" },
    ],
  };

  it("a conversation that grows, and breakpoints that move, break nothing", () => {
    expect(checkStability([request(), request(grown)]).breaks).toEqual([]);
  });

  it("[R153] names a tool that changed, and the heading in a text of many sections", () => {
    const [read] = tools;
    const other = request({ tools: [read ?? {}, { name: "Bash", description: "runs a command" }] });
    const day = request({
      system: [
        { type: "text", text: `${RULES}\n${DYNAMIC_BOUNDARY}` },
        { type: "text", text: "# Environment\n\nday: Tuesday" },
      ],
    });
    expect(checkStability([request(), other]).breaks).toMatchObject([{ name: "tools[1] Bash", isStatic: true }]);
    expect(checkStability([request(), day]).breaks).toMatchObject([
      { name: "Environment (system[1])", isStatic: false },
    ]);
  });

  it("counts what lies behind the last breakpoint that still holds, and no more than was there", () => {
    const marked = (words: string): JsonObject => ({
      system: [{ type: "text", text: RULES, cache_control: { type: "ephemeral" } }],
      messages: [
        { role: "user", content: words },
        { role: "assistant", content: RULES },
      ],
    });
    const { breaks } = checkStability([marked("one"), { ...marked("two") }]);
    expect(breaks[0]?.tokensRewritten).toBeGreaterThan(300);
    expect(breaks[0]?.tokensRewritten).toBeLessThan(500);
    expect(checkStability([marked("one"), { system: "x", messages: [] }]).breaks[0]?.tokensRewritten).toBeLessThan(10);
  });

  it("takes any JSON for a request", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.constantFrom("tools", "system", "messages"), fc.jsonValue())), (given) => {
        const { requests, breaks } = checkStability(JSON.parse(JSON.stringify(given)));
        expect(requests).toHaveLength(given.length);
        expect(breaks.every(({ tokensRewritten }) => tokensRewritten >= 0)).toBe(true);
      }),
    );
  });
});
