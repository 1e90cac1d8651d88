import type { Block, Message, Role } from "../../core/message.ts";
import { splitStretches } from "../../layers/ledger/ledger-text.ts";
import { LEDGER_PREFIX } from "../../layers/ledger/render-chunk.ts";
import type { Recording } from "../../measure/recording.ts";
import { RECORD_OPENING } from "./record-opening.ts";

export interface WindowMessages {
  /** As the next request carries them. */
  readonly messages: readonly Message[];
  /** What an earlier compaction left in front; undefined in a first window. */
  readonly summary: Message | undefined;
  /** The same with a record of ours cut down to its stretches of ledger: the record itself is written again. */
  readonly conversation: readonly Message[];
}

interface Told {
  readonly role: Role;
  readonly blocks: readonly Block[];
  readonly isSummary: boolean;
}

/** The messages of the present window: what was told since the last compaction, and what that one kept. */
export function listWindow({ steps, windows, waiting }: Recording): WindowMessages {
  const last = windows.length - 1;
  const told = [
    ...steps
      .filter(({ window }) => window === last)
      .flatMap(({ arrivals, outputs }) => [...arrivals.map(tell), tellAnswer(outputs)]),
    ...waiting.map(tell),
  ];
  const kept = (windows[last]?.kept ?? []).map((event) =>
    event.kind === "output" ? tellAnswer(event.blocks) : tell(event),
  );
  // Only what stands before the first answer is a summary; anywhere else somebody has pasted one.
  const answered = told.findIndex(({ role }) => role === "assistant");
  const at = told.slice(0, answered < 0 ? undefined : answered).findIndex(({ isSummary }) => last > 0 && isSummary);
  const messages = [...told.slice(0, at + 1), ...kept, ...told.slice(at + 1)].map(
    ({ role, blocks }, index): Message => ({ id: `m${index}`, role, blocks }),
  );
  const summary = messages[at];
  return {
    messages,
    summary,
    conversation: messages.flatMap((message) => (message === summary ? cutRecord(message) : [message])),
  };
}

function tell({ role, block, source }: Recording["waiting"][number]): Told {
  const isRecord = block.kind === "text" && block.author === "host" && block.text.startsWith(RECORD_OPENING);
  return { role, blocks: [block], isSummary: source === "summary" || isRecord };
}

function tellAnswer(blocks: readonly Block[]): Told {
  return { role: "assistant", blocks, isSummary: false };
}

/** A model's summary stays as it is: it grows old like anything else that was said. */
function cutRecord(message: Message): readonly Message[] {
  const [block] = message.blocks;
  if (block?.kind !== "text" || !block.text.startsWith(RECORD_OPENING)) return [message];
  const stretches = splitStretches(block.text);
  if (stretches.length === 0) return [];
  const id = `${LEDGER_PREFIX}${message.id}`;
  return [{ id, role: message.role, blocks: [{ ...block, id: `${id}:0`, text: stretches.join("\n") }] }];
}
