import { locateHome, nameSession } from "../../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../../hosts/follow-transcript.ts";
import { createFetchedBackCounter, renderFetchedBack } from "../../../../recorded/count-fetched-back.ts";
import { followHappened } from "../../../../recorded/follow-happened.ts";
import { judgeCompaction, listCompactions } from "../../../../recorded/list-compactions.ts";
import { listReceipts, readActions } from "../../../../recorded/read-actions.ts";
import { diffSummary } from "../../../../survive/receipt/diff-summary.ts";
import { listFacts } from "../../../../survive/receipt/list-facts.ts";
import { MAX_INJECTED_CHARACTERS, planRepair } from "../../../../survive/receipt/plan-repair.ts";
import { createReceipt, type Receipt, renderReceipt } from "../../../../survive/receipt/receipt.ts";
import { CliError, type Command, defineCommand, parseWhole, type Terminal } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { chooseTranscript, requireRecorded, SESSION_OPTIONS } from "../../require-session.ts";
import { requireText } from "../../require-text.ts";

export const receiptCommand: Command = defineCommand({
  name: "receipt",
  summary: "Shows which facts a compaction's summary lost, and the shortest text that restores them",
  options: {
    ...SESSION_OPTIONS,
    summary: {
      value: "FILE",
      help: "a file with a summary of the whole transcript, or - for standard input; by default the last compaction's summary",
    },
    "max-characters": {
      value: "N",
      help: `maximum length, in characters, of the text that restores lost facts (${MAX_INJECTED_CHARACTERS} by default, which is the agent's limit)`,
    },
  },
  examples: {
    "plimsoll receipt":
      "shows which facts the last compaction lost, how many it kept or paraphrased, the text that restores the lost ones, and the receipts recorded during the session",
    "plimsoll receipt --max-characters 2000 --json":
      "limits the text that restores lost facts to 2000 characters, and prints JSON",
  },
  run(invocation, terminal) {
    const maxCharacters = parseWhole(invocation.values, "max-characters", 0) ?? MAX_INJECTED_CHARACTERS;
    const file = chooseTranscript(invocation, terminal);
    const given = invocation.values.get("summary");
    const live = given === undefined ? readLive(file, terminal) : [];
    const session = requireRecorded(file, terminal.hosts);
    const receipt =
      given === undefined
        ? judgeRecorded(session, maxCharacters, file, live.length > 0)
        : judgeGiven(session, requireText(given, terminal), maxCharacters);
    const counter = createFetchedBackCounter(session.host.vocabulary);
    for (const event of session.events) counter.feed(event);
    const fetchedBack = counter.count();
    const text = [receipt && renderReceipt(receipt), ...live.map(renderLiveReceipt), renderFetchedBack(fetchedBack)]
      .filter((part) => part)
      .join("\n\n");
    return {
      json: { transcript: file, ...(receipt ?? NO_RECEIPT), live, fetchedBack },
      text: () => renderPage(text, terminal),
    };
  },
});

/** For a compaction that hooks judged but that the transcript does not record (yet). */
const NOTHING = { held: 0, paraphrased: 0, lost: [] } as const;
const NO_RECEIPT: Receipt = { ...NOTHING, injectedCharacters: 0, injected: "", landing: "nothing" };

function judgeRecorded(session: RecordedSession, maxCharacters: number, file: string, isOptional: boolean) {
  const last = [...listCompactions(session)].at(-1);
  if (!last && isOptional) return undefined;
  const none = `${file} records no compaction with a summary: pass a summary with --summary FILE`;
  if (!last) throw CliError.foundNothing(none);
  return judgeCompaction(last, maxCharacters);
}

/** Judges a summary that was not sent yet, so there is no later text to look for a repair in. */
function judgeGiven(session: RecordedSession, summary: string, maxCharacters: number): Receipt {
  const happened = followHappened(session);
  const diff = diffSummary(summary, listFacts(happened, { root: happened.cwd }));
  return createReceipt(diff, planRepair(diff, maxCharacters));
}

type LiveReceipt = ReturnType<typeof readLive>[number];

/** Receipts that the hooks or the module wrote while the session ran. */
function readLive(transcript: string, terminal: Terminal) {
  const { actions } = readActions(locateHome(terminal.environment), nameSession(transcript));
  return listReceipts(actions).map(({ compaction, atMs, door, held, paraphrased, lost, landing }) => {
    return { compaction, atMs, door, held, paraphrased, lost, landing };
  });
}

const LANDINGS: Readonly<Record<LiveReceipt["landing"], string>> = {
  landed: "the text that restores them was sent in a request",
  missing: "Plimsoll tried three times to add the text that restores them, but no request contained it",
  unknown: "the text that restores them has not been sent in a request yet",
};

function renderLiveReceipt({ compaction, door, held, paraphrased, lost, landing }: LiveReceipt): string {
  const total = held + paraphrased + lost.length;
  const fate = lost.length === 0 ? "nothing had to be put back" : LANDINGS[landing];
  return [
    `Compaction ${compaction} lost ${lost.length} of ${total} facts (source: ${door}); ${fate}`,
    ...lost.map(
      ({ line, isInjected }) => `  lost: ${line.replace(/^- /, "")} (${isInjected ? "put back" : "not put back"})`,
    ),
  ].join("\n");
}
