/** If red: the gateway changes bytes that it need not change, and prompt caches are lost. */
import { describe, expect, it } from "vitest";
import { validateMessages } from "../api/validate-messages.ts";
import { calls, lines, post, renderBody, results, toolLoop } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi, sendCached, sendWithoutUsage } from "./raw-api.ts";

describe("the bytes of a request", () => {
  it("are the identical ones where nothing needs to be done", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const body = `  {"model" : "claude-sonnet-4-6",\t"messages":[ {"content":"Hall\\u00f6chen \\/ 1.0","role":"user"} ] , "max_tokens": 1e3,\n"x":1.00 }\n`;
    expect(await (await post(gateway.url, body)).json()).toMatchObject({ id: "msg_1" });
    expect(api.requests[0]?.body.toString()).toBe(body);
    expect(api.requests[0]?.path).toBe("/v1/messages?beta=true");
    expect(api.requests[0]?.headers["x-api-key"]).toBe("sk-ant-made-up");
  });

  it("lose a large output at its birth and keep every other byte", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const before = toolLoop(1, 5);
    const body = renderBody([
      ...before,
      calls(["toolu_a", "Bash", { command: "ls -R", depth: 1 }], ["toolu_b", "Bash", { command: "date" }]),
      results(["toolu_a", lines(400)], ["toolu_b", "noon"]),
    ]);
    await post(gateway.url, body);
    const sent = JSON.parse(String(api.requests[0]?.body));
    const came = JSON.parse(body);
    expect(sent.messages.at(-1).content[0].content).toMatch(/^\[FOLDED: /);
    expect(sent.messages.at(-1).content[1]).toEqual(came.messages.at(-1).content[1]);
    // The one tool more is for fetching it back.
    expect(sent.tools.slice(0, -1)).toEqual(came.tools);
    const rest = { messages: 0, tools: 0, system: 0 };
    expect({ ...sent, ...rest }).toEqual({ ...came, ...rest });
    expect(sent.system).toEqual(came.system);
    expect(sent.messages.slice(0, -1)).toEqual(came.messages.slice(0, -1));
    expect(validateMessages(sent)).toEqual([]);
    const handle = /plimsoll:[0-9a-f]+/.exec(sent.messages.at(-1).content[0].content)?.[0] ?? "";
    expect(await gateway.store.readOriginal(handle)).toBe(lines(400));
  });

  it("of blocks next to a folded one are those that came, escapes, numbers and spaces included", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const sibling = `{ "type":"tool_result","tool_use_id":"toolu_b","content":"H\\u00f6he \\/ 1\\t" ,"is_error":false }`;
    const input = `{"type":"tool_use","id":"toolu_b","name":"Bash","input":{"n":1.0,"big":12345678901234567890,"e":1E2}}`;
    const large = JSON.stringify({ type: "tool_result", tool_use_id: "toolu_a", content: lines(400) });
    const use = `{"type":"tool_use","id":"toolu_a","name":"Bash","input":{}}`;
    const body = `{"model":"claude-sonnet-4-6","messages":[{"role":"user","content":"x"},{"role":"assistant","content":[${use}, ${input}]},{"role":"user","content":[${large},${sibling}]}],"tools":[{"name":"Bash"}]}`;
    await post(gateway.url, body);
    const sent = String(api.requests[0]?.body);
    expect(sent).toContain("[FOLDED: ");
    expect(sent).toContain(sibling);
    expect(sent.slice(0, sent.indexOf(large.slice(0, 30)))).toBe(body.slice(0, body.indexOf(large.slice(0, 30))));
  });

  it.each([
    ["the API tells that it caches", sendCached],
    ["nobody knows what is cached", sendWithoutUsage],
  ])(
    "begin with the same prefix from request to request, in this process and in the next, where %s",
    async (_, answer) => {
      const api = await openRawApi(answer);
      const first = await openGateway(api.url);
      // Few enough that nothing is collapsed yet.
      const history = toolLoop(7, 250);
      for (let end = 1; end <= history.length; end += 2) {
        const gateway = end === 9 ? await openGateway(api.url, { folder: first.folder }) : first;
        await post(gateway.url, renderBody(history.slice(0, end)));
      }
      const bodies = api.requests.map(
        ({ body }) => JSON.parse(String(body).replaceAll(',"cache_control":{"type":"ephemeral"}', "")).messages,
      );
      for (const [index, messages] of bodies.slice(1).entries())
        expect(
          JSON.stringify(messages).startsWith(JSON.stringify(bodies[index]).slice(0, -1)),
          `request ${index + 1}`,
        ).toBe(true);
      expect(JSON.stringify(bodies.at(-1))).toContain("[FOLDED: ");
    },
  );
});
