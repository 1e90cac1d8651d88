/** If red: an unchanged message is sent with other bytes, and the cached prefix is lost. */
import { describe, expect, it } from "vitest";
import type { Message } from "../../../core/message.ts";
import { parseRequest } from "./parse-request.ts";
import { locateField } from "./request-fields.ts";
import { spliceMessages } from "./splice-messages.ts";

const BODY = `{ "model":"m", "messages" : [ {"role":"user","content":"one"} ,
  {"role":"assistant", "content":[ {"type":"text","text":"two", "odd":1.0} ,{"type":"text","text":"three"}]},{"role":"user","content":[]} ], "x":1}`;

function open(text = BODY) {
  const request = parseRequest(Buffer.from(text));
  if (!request) throw new Error("the request is none");
  const rendered = new WeakMap<Message, Buffer>();
  const pieces = (view: readonly Message[]) => spliceMessages(request, view, rendered);
  const splice = (view: readonly Message[]): string => String(Buffer.concat([...pieces(view)]));
  return { request, messages: request.conversation.messages, pieces, splice, rendered };
}

describe("a body with other messages", () => {
  it("is the very bytes where there are no others", () => {
    const { request, messages, pieces } = open();
    expect(pieces(messages)).toEqual([request.bytes]);
    expect(pieces(messages)[0]).toBe(request.bytes);
  });

  it("keeps the bytes of what stays, with whatever is between neighbours", () => {
    const { messages, splice } = open();
    const [one, two, three] = messages;
    if (!one || !two || !three) throw new Error("there are three");
    const head = '{ "model":"m", "messages" : [ ';
    const texts = [
      '{"role":"user","content":"one"}',
      '{"role":"assistant", "content":[ {"type":"text","text":"two", "odd":1.0} ,{"type":"text","text":"three"}]}',
      '{"role":"user","content":[]}',
    ];
    expect(splice([...messages])).toBe(`${head}${texts[0]} ,\n  ${texts[1]},${texts[2]}], "x":1}`);
    expect(splice([one, three])).toBe(`${head}${texts[0]},${texts[2]}], "x":1}`);
    expect(splice([three, one, two])).toBe(`${head}${texts[2]},${texts[0]} ,\n  ${texts[1]}], "x":1}`);
    expect(splice([])).toBe(`${head}], "x":1}`);
  });

  it("has a changed message written once, with the bytes of its unchanged blocks", () => {
    const { messages, splice, pieces, rendered } = open();
    const [one, two] = messages;
    if (!one || !two) throw new Error("there are three");
    const changed = {
      ...two,
      blocks: [...two.blocks.slice(0, 1), { kind: "text", id: "n", text: "new", author: "model" } as const],
    };
    expect(splice([one, changed])).toBe(
      '{ "model":"m", "messages" : [ {"role":"user","content":"one"},{"role":"assistant","content":[{"type":"text","text":"two", "odd":1.0},{"type":"text","text":"new"}]}], "x":1}',
    );
    const made = rendered.get(changed);
    expect(made && pieces([one, changed]).includes(made)).toBe(true);
  });

  it("of no messages at all gets some behind its bracket", () => {
    const { splice } = open('{"messages":[]}');
    const message: Message = {
      id: "a",
      role: "user",
      blocks: [{ kind: "text", id: "b", text: "x", author: "person" }],
    };
    expect(JSON.parse(splice([message])).messages).toMatchObject([{ role: "user" }]);
  });
});

it("a field is found from the end of the body where it is behind the messages", () => {
  const { request } = open('{"tools":[{"name":"a"}],"messages":[],"system":[1]}');
  const { tools, system } = request.fields;
  const longer = Buffer.from('{"tools":[{"name":"a"}],"messages":[ 1,2,3 ],"system":[1]}');
  const find = (place: typeof tools): string => {
    const span = place && locateField(place, longer);
    return longer.toString("utf8", span?.start, span?.end);
  };
  expect([tools?.isBehind, find(tools), system?.isBehind, find(system)]).toEqual([
    false,
    '[{"name":"a"}]',
    true,
    "[1]",
  ]);
});
