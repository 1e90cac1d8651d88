/** If red: one broken line ends a running program. */
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Program, startProgram } from "../gateway/program.ts";
import { tries } from "../support/depth.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const DEPTH = 200_000;

const NASTY: readonly (string | Buffer)[] = [
  "",
  "null",
  "{",
  "[]",
  "[".repeat(DEPTH),
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}`,
  '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
  '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"recall","arguments":{"__proto__":1,"handle":{}}}}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"constructor"}}',
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":[1],"page":1e999}}}',
  '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"recall","arguments":{"handle":"call:../..","lines":[-1e9,1e9]}}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  "x".repeat(1_000_000),
];

let count = 0;

/** Whether a call that is as it should be is answered. */
async function isAnswered({ child, heard }: Program): Promise<void> {
  const id = `ask-${count++}`;
  child.stdin?.write(`\n${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "list" } })}\n`);
  await expect.poll(() => heard.output.includes(`"id":"${id}"`), { interval: 5 }).toBe(true);
}

/** What a client says on standard input, a line each. */
describe.each([
  ["plimsoll mcp", ["mcp"], undefined],
  ["the plugin's server", [], path.join(ROOT, "plugin-classic/dist/mcp.cjs")],
])("%s", (_name, words, file) => {
  it("outlives any line, and answers the next", async () => {
    const program = startProgram(words, {}, file);
    for (const line of NASTY) {
      program.child.stdin?.write(line);
      await isAnswered(program);
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.json().map(Buffer.from)), async (line) => {
        program.child.stdin?.write(line);
        await isAnswered(program);
      }),
      { numRuns: tries(10, 40) },
    );
    expect(program.child.exitCode).toBeNull();
  });
});
