import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { splitExchanges } from "../../src/layers/history/exchanges.ts";
import { listOriginals } from "../../src/layers/history/list-originals.ts";
import { renderChunk } from "../../src/layers/ledger/render-chunk.ts";
import { renderExchange } from "../../src/layers/ledger/render-exchange.ts";
import { parseSections } from "../../src/layers/ledger/sections.ts";
import { conversation, type MessageDraft } from "./build.ts";
import { ledgerStyle } from "./ledger-style.ts";

export interface RenderedDrafts {
  readonly lines: readonly string[];
  readonly sections: ReadonlyMap<string, string> | undefined;
}

/** The segment of ledger that a conversation becomes: its lines below the heading, and the sections of its original. */
export function renderDrafts(drafts: readonly MessageDraft[], more: object = {}): RenderedDrafts {
  const span = conversation(...drafts);
  const style = ledgerStyle(200, { vocabulary: claudeCodeVocabulary, root: "/w", planCharacters: 2_000, ...more });
  const exchanges = splitExchanges(span);
  const pieces = exchanges.flatMap(({ first, last }) => renderExchange(span.slice(first, last + 1), style));
  const edit = renderChunk(span, pieces, { exchanges: exchanges.length, by: "test", hash: undefined });
  const blocks = edit?.messages.flatMap((message) => message.blocks) ?? [];
  const text = blocks.map((block) => (block.kind === "text" ? block.text : block.kind)).join("\n");
  const [original] = edit ? listOriginals([edit], span) : [];
  return { lines: text.split("\n").slice(1), sections: parseSections(original?.text ?? "") };
}
