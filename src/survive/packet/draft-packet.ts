import { clipLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import type { SessionState } from "../../session/session.ts";
import { buildPacket, isBlockedItem, type Packet, type PacketDraft } from "./build-packet.ts";

export interface Delegation {
  readonly task: string;
  readonly acceptance?: readonly string[];
  readonly typeSurface?: readonly string[];
  readonly outOfScope?: readonly string[];
}

export interface DraftOptions {
  /** The project's folder; paths are written relative to it. */
  readonly root?: string;
}

const MAX_ITEM_CHARACTERS = 160;
const MAX_ITEMS = 5;

/**
 * Drafts a packet from a session, with the newest of everything. Secrets are removed, and so is what a packet must not hold, such as a
 * line number without a quotation. While the packet is too large, the oldest item of the longest section is dropped; the receiver can
 * still ask.
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
    // Without acceptance criteria, what the user asked for is the only measure.
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

/** Gathered items may be dropped; what the caller gave stays. */
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
