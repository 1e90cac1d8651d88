import { locateHome } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { isLedger } from "../../layers/ledger/render-chunk.ts";
import { compactionAsked, renderCompactionRecord } from "../../policy/compaction-asked.ts";
import { listWindow } from "../../survive/record/list-window.ts";
import { weighText } from "../../survive/record/weigh.ts";
import type { Terminal } from "../cli/command.ts";
import { readOwnSettings } from "../cli/doctor/read-installed.ts";
import type { ReadHappened } from "../cli/require-session.ts";

/** What the policy answers to a compaction of a recorded session now. */
export interface PreviewedAnswer {
  /** The record, then the ledger. The last exchanges follow it word for word in the window. */
  readonly text: string;
  /** The most it weighs, whichever tokenizer reads it. */
  readonly tokens: number;
  readonly keptExchanges: number;
}

/** The same as every entry point answers, by the person's own settings. Nothing is kept: whoever answers a compaction keeps the originals first. */
export function previewAnswer(
  { host, recording }: RecordedSession,
  { happened, transcript }: { readonly happened: ReadHappened; readonly transcript: string },
  { environment, directory }: Pick<Terminal, "environment" | "directory">,
): PreviewedAnswer {
  const { cwd: root } = happened;
  const { settings } = readOwnSettings(locateHome(environment), root || directory);
  const model = recording.steps.at(-1)?.model ?? "";
  const { policy } = settings;
  const { conversation } = listWindow(recording);
  const compacted = compactionAsked({ messages: conversation, policy, vocabulary: host.vocabulary, model, root });
  const { messages, ledger, keptExchanges } = compacted;
  const tail = messages.slice(messages.findLastIndex(isLedger) + 1);
  const words = tail.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
  const text = renderCompactionRecord(happened, {
    ledger,
    tail: words.join("\n"),
    hasTail: tail.length > 0,
    root,
    recallTool: "",
    transcript,
  });
  return { text, tokens: Math.ceil(weighText(text)), keptExchanges };
}
