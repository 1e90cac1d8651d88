/** If red: a request is misread, and the wrong messages are shortened or everything is sent unchanged. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines, person, renderBody, toolLoop } from "../../../../test/gateway/conversation.ts";
import { parseRequest } from "./parse-request.ts";
import { locateField } from "./request-fields.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text);

describe("a request's body", () => {
  it("tells its fields wherever they stand, and the place of its messages", () => {
    const body = `{"system":"a \\"messages\\":[1]","stream":true , "messages" :[ {"role":"user","content":"x"} , {"role":"assistant","content":[]}],"model":"m","metadata":{"user_id":"u"},"context_management":{"edits":[{"type":"clear_tool_uses_20250919"},7]},"tools":[]}`;
    const request = parseRequest(bytesOf(body));
    expect(request?.fields).toEqual({
      model: "m",
      isStream: true,
      userId: "u",
      isClearedByServer: true,
      baseBytes: '"a \\"messages\\":[1]"'.length + 2,
      tools: undefined,
      system: undefined,
      toolChoice: "",
    });
    const texts = request?.spans.map(({ start, end }) => body.slice(start, end));
    expect(texts).toEqual(['{"role":"user","content":"x"}', '{"role":"assistant","content":[]}']);
  });

  it.each([
    ["behind the messages", (tools: string) => `{"messages":[{"role":"user","content":"x"}],"tools": ${tools} ,"x":1}`],
    [
      "before them",
      (tools: string) => `{"tools":${tools},"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"x"}]}`,
    ],
  ])("tells where its tools stand, %s, also in the next body", (_name, render) => {
    const tools = '[{"name":"a"}, {"name":"b"}]';
    const [body, next] = [render(tools), render(tools).replace('"x"}', '"x"},{"role":"user","content":"more"}')];
    const known = parseRequest(bytesOf(body));
    for (const [text, request] of [[body, known] as const, [next, parseRequest(bytesOf(next), known)] as const]) {
      const span = request?.fields.tools && locateField(request.fields.tools, request.bytes);
      expect(text.slice(span?.start, span?.end)).toBe(tools);
    }
  });

  it.each([
    "",
    "null",
    "[]",
    "{",
    "{}",
    '{"messages":{}}',
    '{"messages":[{"role":"user"}]}',
    '{"messages":[1]}',
    '{"messages":[{"role":"user","content":"x"}]',
    '{"messages":[{"role":"user","content":"x"}],}',
    '{"messages":[{"role":"user","content":"x"}]} x',
    '{"messages":[{"role":"user","content":"x"},]}',
    '{"messages":[],"messages":[]}',
    '{"messages":[{"role":"user","content":"x}]}',
  ])("is not understood where it is %s", (body) => {
    expect(parseRequest(bytesOf(body))).toBeUndefined();
  });

  it.each(["", "x", "]", ",", "} x", ",}", ',"a":1'])("is not understood where what is known ends with %j", (end) => {
    const message = '{"role":"user","content":"x"}';
    const known = parseRequest(bytesOf(`{"messages":[${message}]}`));
    expect(parseRequest(bytesOf(`{"messages":[${message},${message}]}`), known)).toBeDefined();
    expect(parseRequest(bytesOf(`{"messages":[${message},${message}]${end}`), known)).toBeUndefined();
  });

  it("is parsed the same whether its beginning was known or not", () => {
    const histories = fc.record({
      rounds: fc.nat(6),
      size: fc.nat(40),
      kept: fc.nat(14),
      other: fc.constantFrom("", "changed", "{", '"', "ä\\"),
      tail: fc.constantFrom({}, { stream: true }, { tools: [{ name: "x" }] }),
    });
    fc.assert(
      fc.property(histories, ({ rounds, size, kept, other, tail }) => {
        const whole = toolLoop(rounds, size);
        const known = parseRequest(bytesOf(renderBody(whole.slice(0, Math.max(1, kept)))));
        const next = other === "" ? whole : [...whole.slice(0, kept), person(other), ...whole.slice(kept + 1)];
        const body = bytesOf(renderBody(next, tail));
        const [warm, cold] = [parseRequest(body, known), parseRequest(body)];
        expect(warm?.conversation.messages).toEqual(cold?.conversation.messages);
        const plain = { conversation: 0, places: 0 };
        expect({ ...warm, ...plain }).toEqual({ ...cold, ...plain });
      }),
    );
  });

  it.each([{}, { stream: true }])("keeps the objects of all messages that were there before, also with %o", (more) => {
    const history = toolLoop(5, 20);
    const known = parseRequest(bytesOf(renderBody(history.slice(0, 7))));
    const next = parseRequest(bytesOf(renderBody(history, more)), known);
    const isKept = known?.conversation.messages.map((message, at) => message === next?.conversation.messages[at]);
    // The seventh lost its breakpoint to the last one.
    expect(isKept).toEqual([true, true, true, true, true, true, false]);
  });

  it("names equal words by their order, whether their beginning was known or not", () => {
    const twice = [person("same"), person("same"), person("same")];
    const known = parseRequest(bytesOf(renderBody(twice.slice(0, 2))));
    const ids = parseRequest(bytesOf(renderBody(twice)), known)?.conversation.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it("tells the place of each block, also of those that came later", () => {
    const history = toolLoop(3, 2);
    const known = parseRequest(bytesOf(renderBody(history.slice(0, 4))));
    const request = parseRequest(bytesOf(renderBody([...history, { role: "assistant", content: "Aye." }])), known);
    const places = request?.raws.map(({ content }) =>
      typeof content === "string" ? content : content.map((block) => request.places.get(block)),
    );
    expect(places).toEqual([
      ...history.map(({ content }, message) => [...content].map((_, block) => ({ message, block }))),
      "Aye.",
    ]);
  });

  it.each([" } ", ',"stream":true}', ' , "stream":true } '])(
    "goes on with what is known where its end is %j",
    (end) => {
      const message = '{"role":"user","content":"x"}';
      const known = parseRequest(bytesOf(`{"model":"m","messages":[${message},${message}],"stream":true}`));
      const next = parseRequest(bytesOf(`{"model":"m","messages":[${message},${message},${message}]${end}`), known);
      expect(next?.conversation.messages[0]).toBe(known?.conversation.messages[0]);
      expect(next?.conversation.messages).toHaveLength(3);
      expect(next?.fields).toMatchObject({ model: "m", isStream: end.includes("stream") });
    },
  );

  it("is read anew where its first message changed, or nothing came before", () => {
    const known = parseRequest(bytesOf(renderBody([person("a"), person("b")])));
    const next = parseRequest(bytesOf(renderBody([person("c"), person("b")])), known);
    expect(next?.conversation.messages.map(({ blocks }) => blocks)).toMatchObject([[{ text: "c" }], [{ text: "b" }]]);
    const empty = parseRequest(bytesOf('{"messages":[]}'));
    expect(empty?.spans).toEqual([]);
    expect(parseRequest(bytesOf(renderBody([person("a")])), empty)?.conversation.messages).toHaveLength(1);
  });

  it("is found in a body of any spacing and any escapes", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat(3), (texts, indent) => {
        const body = JSON.stringify(
          { a: texts, messages: texts.map(person), z: { messages: [lines(1)] } },
          null,
          indent,
        );
        const request = parseRequest(bytesOf(body));
        expect(request?.raws).toEqual(JSON.parse(bytesOf(body).toString()).messages);
      }),
    );
  });

  it("is not looked into where it says more things than any window holds", () => {
    const blocks = (count: number): Buffer =>
      Buffer.from(`{"messages":[{"role":"user","content":[${Array(count).fill("{}").join(",")}]}]}`);
    const messages = Array(50_001).fill('{"role":"user","content":"a"}').join(",");
    const deep = `${"[".repeat(250_001)}${"]".repeat(250_001)}`.repeat(2).replace("][", "],[");
    expect(parseRequest(blocks(1_000))).toBeDefined();
    expect(parseRequest(blocks(50_001))).toBeUndefined();
    expect(parseRequest(Buffer.from(`{"messages":[${messages}]}`))).toBeUndefined();
    expect(parseRequest(Buffer.from(`{"messages":[{"role":"user","content":[${deep}]}]}`))).toBeUndefined();
  });
});
