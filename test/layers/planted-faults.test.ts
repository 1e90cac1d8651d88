/** If red: the contract of the layers does not notice a faulty layer. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edit, ReplaceBlock } from "../../src/core/edit.ts";
import type { Block, Message } from "../../src/core/message.ts";
import { replaceBlock, replaceSpan } from "../../src/core/propose-edit.ts";
import { createClearStale } from "../../src/layers/clear-stale.ts";
import { createCollapseExchanges } from "../../src/layers/collapse-exchanges.ts";
import { createFoldOutputs } from "../../src/layers/fold-outputs.ts";
import { splitExchanges } from "../../src/layers/history/exchanges.ts";
import { listOriginals } from "../../src/layers/history/list-originals.ts";
import { nameOriginal, renderOriginal, type StoringLayer } from "../../src/layers/history/originals.ts";
import { parseSections, renderSections } from "../../src/layers/ledger/sections.ts";
import { arbitraryHistory, historyVocabulary as vocabulary } from "../support/arbitrary-history.ts";
import { tries } from "../support/depth.ts";
import { createView, findBreaches } from "../support/layer-contract.ts";

const clearing = createClearStale({ vocabulary, keepExchanges: 1, clearAtLeast: 0 });
const folding = createFoldOutputs({ vocabulary });
const collapsing = createCollapseExchanges({ vocabulary, leastTokens: 40, maxTailTokens: 400, keepExchanges: 2 });

function createFault(plan: StoringLayer["plan"], more: Partial<StoringLayer> = {}): StoringLayer {
  return { name: "fault", cost: 1, eager: false, plan, originals: listOriginals, ...more };
}

/** An edit of one block as a good layer would make it. */
function clear(block: Block, text: string): readonly ReplaceBlock[] {
  const original = renderOriginal(block);
  if (original === undefined || original === text) return [];
  const handle = nameOriginal(original);
  const content = { text: `${text} ${handle}` };
  return [replaceBlock(block, { content, by: "fault", reason: "planted", handles: [handle] })];
}

function resultsOf(messages: readonly Message[]): readonly Block[] {
  return messages.flatMap(({ blocks }) => blocks).filter((block) => block.kind === "toolResult");
}

/** Collapsing whose stored sections are not what they were; their handles are right. */
function damage(change: (name: string, text: string) => string | undefined): StoringLayer {
  return {
    ...collapsing,
    plan: (view) => {
      const handles = new Map<string, string>();
      const edits = collapsing.plan(view);
      for (const { handle, text } of collapsing.originals(edits, view.messages))
        handles.set(handle, nameOriginal(damageSections(text, change)));
      return edits.map((edit) => JSON.parse(rename(JSON.stringify(edit), handles)));
    },
    originals: (_, messages) => {
      const right = collapsing.originals(collapsing.plan(createView(messages)), messages);
      return right.map(({ text }) => {
        const damaged = damageSections(text, change);
        return { handle: nameOriginal(damaged), text: damaged };
      });
    },
  };
}

function damageSections(text: string, change: (name: string, text: string) => string | undefined): string {
  const sections = [...(parseSections(text) ?? [])].flatMap(([name, section]): [string, string][] => {
    const changed = change(name, section);
    return changed === undefined ? [] : [[name, changed]];
  });
  return renderSections(sections);
}

function rename(text: string, handles: ReadonlyMap<string, string>): string {
  return [...handles].reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text);
}

let draws = 0;

/** Layers as somebody might write them on a bad day, and what the contract says to each. */
const faults: readonly { readonly name: string; readonly layer: StoringLayer; readonly breach: RegExp }[] = [
  {
    name: "clears the newest exchange",
    breach: /touches the newest/,
    layer: createFault(({ messages }) => {
      const newest = splitExchanges(messages).at(-1);
      return resultsOf(messages.slice(newest?.first ?? 0)).flatMap((block) => {
        const isCleared = (renderOriginal(block) ?? "").startsWith("gone");
        return block.kind === "toolResult" && block.parts.every(({ kind }) => kind === "text") && !isCleared
          ? clear(block, "gone")
          : [];
      });
    }),
  },
  {
    name: "forgets one of a pair",
    breach: /cannot be done: breaksInvariant|orphan/,
    layer: createFault(({ messages }) => {
      const at = messages.findIndex(({ blocks }) => blocks.some(({ kind }) => kind === "toolResult"));
      const message = messages[at];
      if (!message) return [];
      const note: Block = { kind: "text", id: "note", text: "a note", author: "host" };
      const instead: Message = { id: "note message", role: "user", blocks: [note] };
      const more = { by: "fault", reason: "planted", handles: ["plimsoll:0123456789ab"] };
      return [replaceSpan([message], { messages: [instead], ...more })];
    }),
  },
  {
    name: "gives a random reason",
    breach: /not deterministic/,
    layer: { ...folding, plan: (view) => folding.plan(view).map((edit) => ({ ...edit, reason: `draw ${draws++}` })) },
  },
  {
    name: "touches thinking",
    breach: /thinkingIsBound|touches thinking/,
    layer: createFault(({ messages }) =>
      messages
        .flatMap(({ blocks }) => blocks)
        .filter(({ kind }) => kind === "thinking")
        .map((block): Edit => {
          const more = { by: "fault", reason: "planted", handles: ["plimsoll:0123456789ab"] };
          return replaceBlock(block, { content: { text: "hm" }, ...more });
        }),
    ),
  },
  {
    name: "makes the view heavier",
    breach: /heavier/,
    layer: {
      ...clearing,
      plan: (view) =>
        clearing.plan(view).map((edit) => {
          if (edit.kind !== "replaceBlock" || !("text" in edit.content)) return edit;
          return { ...edit, content: { text: `${edit.content.text}${" please do mind this note".repeat(900)}` } };
        }),
    },
  },
  {
    name: "loses an original",
    breach: /loses an original/,
    layer: { ...folding, originals: (edits, messages) => folding.originals(edits, messages).slice(1) },
  },
  {
    name: "stores a section that is not quite what it stands for",
    breach: /loses an original/,
    layer: damage((name, text) => (name.endsWith("i") ? text : text.trimEnd())),
  },
  {
    name: "stores no input of a call",
    breach: /loses an original: toolCall/,
    layer: damage((name, text) => (name.endsWith("i") ? undefined : text)),
  },
  {
    name: "forgets what was thought",
    breach: /loses an original: thinking/,
    layer: damage((name, text) => (name === "thoughts" ? undefined : text)),
  },
  {
    name: "never settles",
    breach: /does not settle/,
    layer: createFault(({ messages }) => resultsOf(messages.slice(0, 3)).flatMap((block) => clear(block, "again"))),
  },
  {
    name: "changes what it was given",
    breach: /throws on data|changes what/,
    layer: createFault(({ messages }) => {
      const [message] = messages;
      if (message) Reflect.set(message, "id", "mine") || fail();
      return [];
    }),
  },
  {
    name: "sums up the person's words",
    breach: /person's words/,
    layer: {
      ...collapsing,
      plan: (view) =>
        collapsing.plan(view).map((edit) => {
          if (edit.kind !== "replaceSpan") return edit;
          const messages = edit.messages.map((message) => ({
            ...message,
            blocks: message.blocks.map((block) => (block.kind === "text" ? { ...block, text: "words" } : block)),
          }));
          return { ...edit, messages };
        }),
    },
  },
];

function fail(): never {
  throw new TypeError("frozen");
}

describe("a planted fault is found", () => {
  const conversations = fc.sample(arbitraryHistory(), { numRuns: 300, seed: 7 });

  for (const { name, layer, breach } of faults) {
    test(`when a layer ${name}`, () => {
      const says = (messages: readonly Message[]): boolean =>
        findBreaches(layer, messages).some((sentence) => breach.test(sentence));
      expect(conversations.some(says)).toBe(true);
    });
  }

  test("and the layers they were made from are clean on the same conversations", () => {
    for (const layer of [clearing, folding, collapsing])
      for (const messages of conversations.slice(0, tries(30, 100))) expect(findBreaches(layer, messages)).toEqual([]);
  });
});
