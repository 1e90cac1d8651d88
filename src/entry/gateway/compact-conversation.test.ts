/** If red: a compaction that the gateway answers forgets what an earlier one kept, or promises what is not stored. */
import { describe, expect, it } from "vitest";
import { calls, person, renderBody, results, type SentMessage, toolLoop } from "../../../test/gateway/conversation.ts";
import { createFolder } from "../../../test/gateway/open-gateway.ts";
import { findHandles } from "../../fold/marker.ts";
import { createBodyPool } from "./http/body-pool.ts";
import { createSlices } from "./http/slices.ts";
import { createRequestPlanner } from "./plan-request.ts";
import { createRequestPreparer } from "./prepare-request.ts";
import { findClosing, parsePutAway } from "./put-away.ts";
import { createFileStore } from "./store/file-store.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

const QUESTION = "CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of it.";
const HISTORY: readonly SentMessage[] = [
  person("Never touch the keel."),
  ...toolLoop(5, 300).slice(1),
  { role: "assistant", content: "The third plank leaks at the keel." },
];

function open(store: Partial<GatewayStore> = {}) {
  const files = createFileStore({ folder: createFolder() });
  const preparer = createRequestPreparer({
    ...{ planner: createRequestPlanner(), slices: createSlices(), pool: createBodyPool(), nowMs: () => 1_000_000 },
    ...{ budgetMs: 120_000, compaction: "answer", store: { ...files, ...store } },
  });
  const compact = async (messages: readonly SentMessage[], user = "ada"): Promise<string | undefined> => {
    const sender = { user, headers: {} };
    const prepared = await preparer.prepare(Buffer.from(renderBody(messages)), sender, { purpose: "messages" });
    expect(prepared.isCompaction).toBe(true);
    const answer = await prepared.compact();
    return answer && JSON.parse(String(answer.body)).content[0].text;
  };
  const readKept = async (handle: string) => parsePutAway((await files.readOriginal(handle)) ?? "", "ada");
  return { files, compact, readKept };
}

describe("a compaction that is answered", () => {
  it("keeps the whole history under its last handle, for its user, and all that was taken out of it", async () => {
    const { compact, readKept, files } = open();
    const text = (await compact([...HISTORY, person(QUESTION)])) ?? "";
    const kept = await readKept(findClosing(text) ?? "");
    expect(JSON.parse(String(kept?.list)).slice(0, HISTORY.length)).toEqual(HISTORY);
    expect(parsePutAway((await files.readOriginal(findClosing(text) ?? "")) ?? "", "bob")).toBeUndefined();
    const [segment = ""] = findHandles(text);
    expect(kept?.left.some((hash) => segment === `plimsoll:${hash.slice(0, 12)}`)).toBe(true);
    expect(new Set(kept?.left).size).toBe(kept?.left.length);
    expect(await files.readOriginal(segment)).toContain("1: compute the draught");
  });

  it("names the rule, every exchange and what was said last, and not the question itself", async () => {
    const text = (await open().compact([...HISTORY, person(QUESTION)])) ?? "";
    expect(text).toContain('- "Never touch the keel."');
    for (let round = 0; round < 5; round++) expect(text).toContain(`Bash survey --deck ${round}`);
    expect(text).toContain("assistant: The third plank leaks at the keel.");
    expect(text).not.toContain("CRITICAL");
  });

  it("takes in what the last message says before the question", async () => {
    const last = results(["toolu_9", "the rudder is loose"]);
    const content = [...(last.content as readonly { readonly type: string }[]), { type: "text", text: QUESTION }];
    const asked = [...HISTORY.slice(0, -1), calls(["toolu_9", "Bash", { command: "look --rudder" }])];
    const text = await open().compact([...asked, { role: "user", content }]);
    expect(text).toContain("Bash look --rudder → the rudder is loose");
    expect(text).not.toContain("CRITICAL");
  });

  it("goes on with the ledger of the one before it, and says once what that one said", async () => {
    const { compact, readKept } = open();
    const before = (await compact([...HISTORY, person(QUESTION)])) ?? "";
    const opening: SentMessage = {
      role: "user",
      content: [
        { type: "text", text: `This session is being continued.\n${before}` },
        { type: "text", text: "Look at the rudder." },
      ],
    };
    const after = (await compact([opening, ...toolLoop(3, 300).slice(1), person(QUESTION)])) ?? "";
    expect(after.match(/^- .*$/gm)).toEqual(['- "Never touch the keel."']);
    expect(after.match(/^person: .*$/gm)).toEqual(["person: Never touch the keel.", "person: Look at the rudder."]);
    expect(findHandles(after)).toEqual(expect.arrayContaining(findHandles(before).slice(0, -1)));
    const [first, second] = [await readKept(findClosing(before) ?? ""), await readKept(findClosing(after) ?? "")];
    expect(second?.left).toEqual(expect.arrayContaining([...(first?.left ?? ["none"])]));
  });

  it.each<[string, Partial<GatewayStore>]>([
    ["cannot keep it", { keepOriginals: () => Promise.reject(new Error("full")) }],
    ["has not written it", { check: () => Promise.reject(new Error("full")) }],
  ])("is none where the store %s", async (_, store) => {
    expect(await open(store).compact([...HISTORY, person(QUESTION)])).toBeUndefined();
  });
});
