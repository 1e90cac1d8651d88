/** If red: conversations in one process read each other's originals. */
import { describe, expect, it } from "vitest";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { createConversation, createMemoryStore } from "../../src/wire/create-conversation.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { readDay } from "./agents.ts";

const temporary = createTemporaryFolder();

function history(days: number) {
  const work = Array.from({ length: days }, (_, day) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${day}`, name: "log", input: { day } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${day}`, content: readDay("first", day) }] },
  ]);
  return [{ role: "user", content: "Read all." }, ...work.flat()];
}

describe("conversations in the memory of one process", () => {
  it("have their originals to themselves, whoever asks the store by a hash", async () => {
    const store = createMemoryStore();
    const [first, second] = ["first", "second"].map((id) => createConversation({ id, store, targetTokens: 10_000 }));
    await first?.prepare(history(30));
    const [hash = ""] = (await first?.hashes()) ?? [];
    expect(await first?.read(hash)).toContain("first day 0");
    expect(await second?.read(hash)).toBeUndefined();
    expect(await second?.hashes()).toEqual([]);
  });
});

describe("a store in memory that is full", () => {
  it("lets the conversation that was longest unused go, and holds as much as before", async () => {
    const store = createMemoryStore({ maxBytes: 4_000 });
    const keep = (session: string) => store.keepOriginals([{ handle: "", hash: "h", text: "x".repeat(900) }], session);
    const list = async (sessions: readonly string[]) => {
      const found = await Promise.all(sessions.map((session) => store.readOriginal("h", session)));
      return sessions.filter((_, at) => found[at] !== undefined);
    };
    for (const session of ["a", "b", "c", "d", "e"]) await keep(session);
    expect(await list(["a", "b", "c", "d", "e"])).toEqual(["d", "e"]);
  });
});

describe("a conversation in the gateway's store of files", () => {
  it("goes on in another process with the same bytes, and reaches its own alone", async () => {
    const folder = temporary.name("-store");
    const open = (id: string) => createConversation({ id, store: createFileStore({ folder }), targetTokens: 10_000 });
    const before = await open("first").prepare(history(30));
    const later = open("first");
    expect(JSON.stringify((await later.prepare(history(30))).messages)).toBe(JSON.stringify(before.messages));
    const handle = before.originals[0]?.handle ?? "";
    expect(await later.tool.run({ handle: `${handle}#1` })).toContain("first day 0 line 59");
    expect(await open("second").tool.run({ handle })).toContain("Nothing is kept");
  });
});
