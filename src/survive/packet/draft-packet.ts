import { clipLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import type { SessionState } from "../../session/session.ts";
import { buildPacket, isBlockedItem, type Packet, type PacketDraft } from "./build-packet.ts";

/** What only whoever delegates can say. */
export interface Delegation {
  readonly task: string;
  readonly acceptance?: readonly string[];
  readonly typeSurface?: readonly string[];
  readonly outOfScope?: readonly string[];
}

export interface DraftOptions {
  /** The project's folder: paths are told from there. */
  readonly root?: string;
}

const MAX_ITEM_CHARACTERS = 160;
const MAX_ITEMS = 5;

/**
 * A packet out of what happened in a session. The newest of everything; secrets struck out, and left out what a packet must
 * not hold, such as a line number without what was seen there. Items go, the longest section's oldest first, until the packet
 * may be sent: it says what a reader of the code cannot know, and the receiver can still ask.
 */
export function draftPacket(state: SessionState, delegation: Delegation, { root = "" }: DraftOptions = {}): Packet {
  const shorten = (text: string): string => (root === "" ? text : text.replaceAll(`${root}/`, ""));
  const tidy = (items: readonly string[]): readonly string[] =>
    [...new Set(items.map((item) => clipLine(redactSecrets(shorten(item)), MAX_ITEM_CHARACTERS)))]
      .filter((item) => item !== "" && !isBlockedItem(item))
      .slice(-MAX_ITEMS);
  const { task, acceptance = [], typeSurface = [], outOfScope = [] } = delegation;
  let draft: PacketDraft = {
    task: clipLine(redactSecrets(shorten(task)), MAX_ITEM_CHARACTERS * 2),
    size: "simple",
    decisions: tidy(state.decided.decisions.map(({ text }) => text)),
    constraints: tidy(state.words.flatMap(({ constraints }) => constraints)),
    alreadyTried: tidy(state.decided.failedApproaches.map(({ line }) => line)),
    typeSurface: typeSurface.map(redactSecrets),
    filesTouched: state.files
      .filter(({ edits, isCreated }) => edits > 0 || isCreated)
      .slice(-MAX_ITEMS)
      .map(({ path }) => `\`${redactSecrets(shorten(path))}\``),
    // Nobody said when it is done: then what the person asked for is all there is to be held to.
    acceptance: acceptance.length > 0 ? acceptance.map(redactSecrets) : tidy(quoteAsked(state)),
    outOfScope: outOfScope.map(redactSecrets),
  };
  for (;;) {
    const packet = buildPacket(draft);
    const isTooLarge = packet.findings.some(({ line }) => line === 0);
    const next = isTooLarge ? dropOldest(draft) : undefined;
    if (next === undefined) return packet;
    draft = next;
  }
}

/** What was gathered may go; what the caller said stays. */
const GATHERED = ["decisions", "constraints", "alreadyTried", "filesTouched"] as const;

function dropOldest(draft: PacketDraft): PacketDraft | undefined {
  const [largest] = GATHERED.filter((key) => draft[key].length > 0).sort(
    (left, right) => draft[right].join("").length - draft[left].join("").length,
  );
  return largest === undefined ? undefined : { ...draft, [largest]: draft[largest].slice(1) };
}

function quoteAsked({ words }: SessionState): readonly string[] {
  const asked = words.findLast(({ text }) => text.trim() !== "");
  return asked === undefined ? [] : [`serves what the user asked: "${asked.text}"`];
}
