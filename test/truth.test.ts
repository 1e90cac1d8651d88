/** If red: a request shows the model something that was never said. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../src/core/apply-edits.ts";
import type { Edit } from "../src/core/edit.ts";
import { hashBlocks, hashMessages } from "../src/core/hash.ts";
import { emptyLedger, type Ledger } from "../src/core/layer.ts";
import type { Message } from "../src/core/message.ts";
import { zeroUsage } from "../src/core/usage.ts";
import { createSlices } from "../src/entry/gateway/http/slices.ts";
import { createRequestPlanner } from "../src/entry/gateway/plan-request.ts";
import { createRequestPreparer, type RequestPreparer } from "../src/entry/gateway/prepare-request.ts";
import { createFileStore } from "../src/entry/gateway/store/file-store.ts";
import { createAnthropicFormat } from "../src/wire/anthropic/messages.ts";
import { compact } from "../src/wire/compactor.ts";
import { parseConversation } from "../src/wire/conversation.ts";
import { createFolder } from "./gateway/open-gateway.ts";
import { arbitraryRuns, type RunRequest } from "./support/arbitrary-runs.ts";
import { some, tries } from "./support/depth.ts";
import { findLies } from "./support/find-lies.ts";

/** `PLIMSOLL_TRUTH_CASES=5000` for a long look. */
const CASES = Number(process.env.PLIMSOLL_TRUTH_CASES ?? tries(6, 30));
const REQUESTS = 14;

/** Sends every request of two runs, one after another, and says what of it was a lie. */
type EntryPoint = (
  requests: readonly RunRequest[],
) => Promise<{ readonly lies: readonly string[]; readonly edited: number }>;

type Rebind = (ledger: Ledger, messages: readonly Message[]) => Ledger;

/** The library with one ledger for both runs, and with every layer at work. */
function createLibraryEntryPoint(rebind: Rebind = (ledger) => ledger): EntryPoint {
  return async (requests) => {
    const originals = new Map<string, string>();
    let ledger = emptyLedger;
    let edited = 0;
    const lies: string[] = [];
    for (const { messages: given } of requests) {
      const made = await compact(given, {
        targetTokens: 900,
        ledger: rebind(ledger, parseConversation(given, createAnthropicFormat()).messages),
        layers: { clearStale: { keepExchanges: 1, clearAtLeast: 0 }, collapseExchanges: { leastTokens: 600 } },
        store: (stored) => {
          for (const { handle, text } of stored) originals.set(handle, text);
        },
      });
      ledger = made.ledger;
      if (made.messages !== given) edited++;
      lies.push(...findLies({ given, sent: made.messages, originals }));
    }
    return { lies, edited };
  };
}

let users = 0;

/** The gateway's deciding, on two instances with one store. `session` is what the client calls both runs, if anything. */
function createGatewayEntryPoint(session: string | undefined): EntryPoint {
  const store = createFileStore({ folder: createFolder() });
  const open = (lineTokens: number): RequestPreparer =>
    createRequestPreparer({
      store,
      planner: createRequestPlanner({ lineTokens }),
      slices: createSlices(),
      nowMs: () => 0,
      budgetMs: 60_000,
      compaction: "pass",
      pool: { hold: () => undefined, release: () => undefined },
    });
  const instances = [open(1_000), open(1_500)];
  const metadata = session === undefined ? {} : { metadata: { user_id: `user_x_account__session_${session}` } };
  return async (requests) => {
    const user = `user ${users++}`;
    let edited = 0;
    const lies: string[] = [];
    for (const [index, { messages: given }] of requests.entries()) {
      const body = Buffer.from(
        JSON.stringify({ model: "claude-sonnet-4-6", messages: given, tools: [{ name: "bash" }], ...metadata }),
      );
      const prepared = await instances[index % 2]?.prepare(body, { user, headers: {} }, { purpose: "messages" });
      const { messages: sent } = JSON.parse(Buffer.concat(prepared?.pieces ?? []).toString());
      prepared?.finish({ ...zeroUsage, inputTokens: 1_000 });
      if (prepared?.pieces[0] !== body) edited++;
      const originals = new Map<string, string>();
      for (const handle of JSON.stringify(sent).match(/\bplimsoll:[0-9a-f]{12}\b/g) ?? []) {
        const text = await store.readOriginal(handle);
        if (text !== undefined) originals.set(handle, text);
      }
      lies.push(...findLies({ given, sent, originals }));
    }
    return { lies, edited };
  };
}

describe.each<[string, () => EntryPoint]>([
  ["the library with one ledger", () => createLibraryEntryPoint()],
  ["the gateway, for a client that names no session", () => createGatewayEntryPoint(undefined)],
  ["the gateway, for a client that gives two runs one name", () => createGatewayEntryPoint("5e55")],
])("behind %s", (_name, createEntryPoint) => {
  it("nothing stands in a request that was not said there", async () => {
    const send = createEntryPoint();
    let edited = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryRuns(REQUESTS), async (requests) => {
        const outcome = await send(requests);
        expect(outcome.lies).toEqual([]);
        edited += outcome.edited;
      }),
      { numRuns: CASES },
    );
    // An entry point that never changes anything would never lie.
    expect(edited).toBeGreaterThan(tries(0, CASES * REQUESTS * 0.4));
  });
});

/** What a comparison looks at: the part of an edit's target that must be what it was. */
type Look = (edit: Edit, view: readonly Message[]) => string;

/** What an edit really says that it replaces. */
const lookAtAll: Look = (edit, view) =>
  edit.kind === "replaceBlock"
    ? hashBlocks([edit.block, ...(edit.restsOn ?? [])].flatMap((id) => findBlock(view, id)))
    : hashMessages(findSpan(edit, view));

function findBlock(view: readonly Message[], id: string): Message["blocks"] {
  return view.flatMap(({ blocks }) => blocks.filter((block) => block.id === id));
}

function findSpan({ first, last }: { readonly first: string; readonly last: string }, view: readonly Message[]) {
  const [from, to] = [first, last].map((id) => view.findIndex((message) => message.id === id));
  return from === undefined || to === undefined || from < 0 ? [] : view.slice(from, to + 1);
}

/** Carries out every decision whose target passes this look, as an edit that compares less than all of it would be. */
function createFault(look: Look): Rebind {
  const seen: string[] = [];
  let decidedOn: readonly Message[] = [];
  return (ledger, messages) => {
    let before = decidedOn;
    for (const [index, edit] of ledger.decisions.entries()) {
      if (index >= seen.length) seen.push(look(edit, before));
      before = applyEdits(before, [edit]).messages;
    }
    decidedOn = messages;
    let current = messages;
    const decisions = ledger.decisions.map((edit, index) => {
      const replaces = look(edit, current) === seen[index] ? lookAtAll(edit, current) : "";
      const bound = { ...edit, replaces };
      current = applyEdits(current, [bound]).messages;
      return bound;
    });
    return { decisions };
  };
}

const faults: readonly (readonly [name: string, look: Look])[] = [
  ["the hash is not looked at", () => ""],
  [
    "only the first message of a span is looked at",
    (edit, view) =>
      edit.kind === "replaceSpan" ? hashMessages(findSpan(edit, view).slice(0, 1)) : lookAtAll(edit, view),
  ],
  [
    "only the ends of a span are looked at",
    (edit, view) => {
      const span = edit.kind === "replaceSpan" ? findSpan(edit, view) : [];
      return edit.kind === "replaceSpan"
        ? hashMessages([...span.slice(0, 1), ...span.slice(-1)])
        : lookAtAll(edit, view);
    },
  ],
  [
    "only the ids in a span are looked at",
    (edit, view) =>
      edit.kind === "replaceSpan"
        ? findSpan(edit, view)
            .map(({ id }) => id)
            .join(" ")
        : lookAtAll(edit, view),
  ],
  [
    "only a result is looked at, and not what its marker speaks of",
    (edit, view) => (edit.kind === "replaceBlock" ? hashBlocks(findBlock(view, edit.block)) : lookAtAll(edit, view)),
  ],
];

describe("a planted fault is found", () => {
  const pairs = fc.sample(arbitraryRuns(REQUESTS), { numRuns: 60, seed: 11 });
  const countLies = async (look: Look, runs = pairs): Promise<number> => {
    let lies = 0;
    for (const requests of runs) {
      lies += (await createLibraryEntryPoint(createFault(look))(requests)).lies.length;
      if (lies > 0) return lies;
    }
    return lies;
  };

  it.each(faults)("when %s", async (_name, look) => {
    expect(await countLies(look)).toBeGreaterThan(0);
  });

  it("and looking at all of it is clean on the same runs", async () => {
    expect(await countLies(lookAtAll, some(10, pairs))).toBe(0);
  });
});
