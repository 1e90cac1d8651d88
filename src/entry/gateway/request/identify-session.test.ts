/** If red: two conversations are taken for one, or one for two, and decisions are lost. */
import { describe, expect, it } from "vitest";
import { person, renderBody, results, toolLoop } from "../../../../test/gateway/conversation.ts";
import { identifySession, parseSessionId, type Sender } from "./identify-session.ts";
import { parseRequest } from "./parse-request.ts";

const NOBODY: Sender = { user: "", headers: {} };

function name(body: string, sender: Sender = NOBODY): string {
  const request = parseRequest(Buffer.from(body));
  return request ? identifySession(request, sender).session : "";
}

describe("the name of a conversation", () => {
  it.each([
    ['{"device_id":"d","session_id":"5e55"}', "5e55"],
    ["user_abc_account_def_session_12-34", "12-34"],
    ["user_abc", ""],
    ["{broken", ""],
    ['{"session_id":7}', ""],
    ["", ""],
  ])("rests on the session in %j", (userId, session) => {
    expect(parseSessionId(userId)).toBe(session);
  });

  it("stays while the conversation grows and its breakpoint moves", () => {
    const history = toolLoop(4, 3);
    const names = [1, 3, 5, 9].map((end) => name(renderBody(history.slice(0, end))));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("differs by user, session, agent and beginning", () => {
    const body = renderBody(toolLoop(1, 3));
    const others = [
      name(body),
      name(body, { ...NOBODY, user: "ada" }),
      name(body, { ...NOBODY, headers: { "x-claude-code-agent-id": "a1" } }),
      name(renderBody(toolLoop(1, 3), { metadata: { user_id: "user_session_2" } })),
      name(renderBody(toolLoop(1, 3), { metadata: {} })),
      name(renderBody([person("Something else.")])),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it("is another one for each run of a prompt that calls by other ids, where the client names no session", () => {
    const nameRun = (id: string, rounds: number, more: object = { metadata: {} }): string => {
      const history = JSON.stringify(toolLoop(rounds, 3)).replaceAll("toolu_", id);
      return name(renderBody(JSON.parse(history), { ...more }));
    };
    expect(nameRun("toolu_a", 1)).not.toBe(nameRun("toolu_b", 1));
    expect(nameRun("toolu_a", 4)).toBe(nameRun("toolu_a", 1));
    expect(nameRun("toolu_a", 1, {})).toBe(nameRun("toolu_b", 1, {}));
  });

  it("stays where such a client clears its results, moves a reminder or leaves out thinking", () => {
    const [prompt, called, answered, ...more] = toolLoop(3, 3);
    if (!prompt || !called || !answered) throw new Error("a loop has at least three messages");
    const thought = { type: "thinking", thinking: "hm", signature: "s" };
    const thoughtful = {
      role: "assistant",
      content: typeof called.content === "string" ? [] : [thought, ...called.content],
    };
    const names = [
      [prompt, called, answered],
      [prompt, thoughtful, answered, ...more],
      [prompt, called, results(["toolu_0", "[cleared]"]), ...more],
      [prompt, called, answered, ...more.slice(0, -1), person("a reminder")],
    ].map((messages) => name(renderBody(messages, { metadata: {} })));
    expect(new Set(names).size).toBe(1);
  });

  it("is told by a header where the body tells none", () => {
    const body = renderBody(toolLoop(1, 3), { metadata: {} });
    const headers = { "x-claude-code-session-id": "5e5510a0-0000-4000-8000-000000000001" };
    expect(name(body, { ...NOBODY, headers })).toBe(name(renderBody(toolLoop(1, 3))));
  });
});
