/** If red: something leaves a conversation before its original is stored, or another run of the same prompt takes over what was decided. */
import { expect, it } from "vitest";
import { assistant, blockId, call, conversation, editsOf, results, user } from "../../../test/support/build.ts";
import type { KeptEdit } from "../../core/edit.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { nameBlock } from "../../layers/history/originals.ts";
import { keepDecisions } from "./decide-together.ts";
import { type GatewayStore, type KnownLedger, noLedger } from "./store/gateway-store.ts";

const view = conversation(user("go"), assistant(call("Bash")), results("a long output"));
const result = view[2]?.blocks[0];
const original = result && nameBlock(result, sha256);
const edit = {
  ...editsOf(view).replaceBlock(blockId(view, "m3"), "folded"),
  handles: original ? [original.handle] : [],
};

async function keep(answers: readonly string[] | undefined, store: Partial<GatewayStore> = {}, edits = [edit]) {
  const calls: unknown[] = [];
  const decided: KeptEdit[] = [];
  const own = {
    keepOriginals: async (originals: readonly { readonly text: string }[]) =>
      void calls.push(originals.map(({ text }) => text)),
    async appendDecisions(session: string, decisions: readonly KeptEdit[]): Promise<KnownLedger> {
      calls.push(session);
      decided.push(...decisions);
      return { ...noLedger, decisions: [...decisions, { ...edit, after: "another" }], version: 1 };
    },
    ...store,
  };
  const replayed = { messages: view, view, decisions: [], dropped: [], refused: new Set<never>() };
  const known = { session: "s", answers, replayed, ledger: noLedger };
  const messages = view.slice(1);
  const kept = await keepDecisions({ edits, messages }, known, {
    store: own as unknown as GatewayStore,
    budgetMs: 60_000,
  });
  return { calls, decided, kept, messages };
}

it("stores the originals first, then each decision with the hashes of what it removed", async () => {
  const { calls, decided, kept, messages } = await keep(undefined);
  expect(calls).toEqual([["a long output"], "s"]);
  expect(decided).toEqual([{ ...edit, originals: [original?.hash] }]);
  expect(kept).toMatchObject({ ledger: { version: 1 }, replayed: { messages: view, dropped: [] } });
  expect(kept?.replayed.view).toBe(messages);
  expect(kept?.replayed.decisions).toHaveLength(2);
});

it("names the answer that a decision follows, and takes over none that follows another", async () => {
  const { decided, kept } = await keep(["first", "second"]);
  expect(decided).toEqual([{ ...edit, originals: [original?.hash], after: "second" }]);
  expect(kept?.replayed.decisions).toEqual(decided);
  expect((await keep([])).decided).toEqual([{ ...edit, originals: [original?.hash] }]);
});

it("names no hash where nothing was removed", async () => {
  const { decided } = await keep(undefined, {}, [{ ...edit, handles: [] }]);
  expect(decided).toEqual([{ ...edit, handles: [] }]);
});

it("decides nothing where the originals cannot be stored, or another instance was there before", async () => {
  const full = () => Promise.reject(new Error("full"));
  await expect(keep(undefined, { keepOriginals: full })).rejects.toThrow("full");
  expect((await keep(undefined, { appendDecisions: async () => undefined })).kept).toBeUndefined();
});
