import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import { estimateTextTokens, SEED_ERROR } from "../../models/tokens.ts";
import type { SessionState } from "../../session/session.ts";

/** A packet should stay below its target. From the hard maximum on it defeats its purpose and is not sent. */
const PACKET_TARGET_TOKENS = { simple: 500, complex: 1500 } as const;
export const PACKET_MAX_TOKENS = 2000;

const PACKET_SECTIONS = [
  // What was chosen over what, and why.
  ["decisions", "Decisions"],
  // MUST, MUST NOT, BLOCKED BY.
  ["constraints", "Constraints"],
  // Each approach, and how it failed.
  ["alreadyTried", "Already Tried"],
  // Types, signatures, contracts: they outlive renamed files and moved lines.
  ["typeSurface", "Type Surface"],
  // The only place for paths.
  ["filesTouched", "Files Touched"],
  // Behaviour that can be tested.
  ["acceptance", "Acceptance"],
  ["outOfScope", "Out of scope"],
] as const;

type PacketItems = Readonly<Record<(typeof PACKET_SECTIONS)[number][0], readonly string[]>>;

/** What a subagent has to know and cannot find in the code. Every item is one line, and the task begins with a verb. */
export interface PacketDraft extends PacketItems {
  readonly task: string;
  readonly size: keyof typeof PACKET_TARGET_TOKENS;
}

/** Marks a section that is empty on purpose. */
const EMPTY_SECTION = "(none)";

export interface Packet {
  /** Absent if something blocks the packet, so that it cannot be sent. */
  readonly text: string | undefined;
  /** Upper bound of the estimate. */
  readonly tokens: number;
  readonly findings: readonly PacketFinding[];
}

interface PacketFinding {
  /** BLOCK: must not be sent. WARN: look again. */
  readonly tier: "BLOCK" | "WARN";
  /** From 1; 0 for the whole packet. */
  readonly line: number;
  readonly message: string;
}

type Delegation = Pick<PacketDraft, "task"> & Partial<Pick<PacketDraft, "acceptance" | "typeSurface" | "outOfScope">>;

const MAX_ITEM_CHARACTERS = 160;
const MAX_ITEMS = 5;

/** Drafts a packet from the newest of everything, without secrets and blocked items. While it is too large, the oldest item of the longest section is dropped. */
export function draftPacket(
  state: SessionState,
  { task, acceptance = [], typeSurface = [], outOfScope = [] }: Delegation,
  { root = "" }: { readonly root?: string } = {},
): Packet {
  const shorten = (text: string): string => redactSecrets(root === "" ? text : text.replaceAll(`${root}/`, ""));
  const tidy = (items: readonly string[]): readonly string[] =>
    [...new Set(items.map((item) => clipLine(shorten(item), MAX_ITEM_CHARACTERS)))]
      .filter((item) => item !== "" && !isBlockedItem(item))
      .slice(-MAX_ITEMS);
  let draft: PacketDraft = {
    task: clipLine(shorten(task), MAX_ITEM_CHARACTERS * 2),
    size: "simple",
    decisions: tidy(state.decided.decisions.map(({ text }) => text)),
    constraints: tidy(state.words.flatMap(({ constraints }) => constraints)),
    alreadyTried: tidy(state.decided.failedApproaches.map(({ line }) => line)),
    typeSurface: typeSurface.map(redactSecrets),
    filesTouched: state.files
      .filter(({ edits, isCreated }) => edits > 0 || isCreated)
      .slice(-MAX_ITEMS)
      .map(({ path }) => `\`${shorten(path)}\``),
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

/** Renders and checks a packet. Nothing is shortened to fit: the caller decides what can go, and silently losing a constraint is worse than no packet. */
export function buildPacket(draft: PacketDraft): Packet {
  const text = [
    "## Context Packet",
    "",
    `**Task**: ${toOneLine(draft.task)}`,
    ...PACKET_SECTIONS.flatMap(([key, heading]) => ["", `### ${heading}`, ...renderItems(draft[key], key)]),
    "",
  ].join("\n");
  const [, largest] = PACKET_SECTIONS.reduce((left, right) =>
    draft[right[0]].join("").length > draft[left[0]].join("").length ? right : left,
  );
  const advice = `: shorten ${largest}, its largest section`;
  return checkPacket(text, { tokens: PACKET_TARGET_TOKENS[draft.size], advice });
}

function renderItems(items: readonly string[], key: keyof PacketItems): readonly string[] {
  const lines = items.map(toOneLine).filter((line) => line !== "");
  if (lines.length === 0) return [EMPTY_SECTION];
  return lines.map((line) => `- ${key === "acceptance" ? "[ ] " : ""}${line}`);
}

/** Checks any packet, also one that someone else wrote. */
export function checkPacket(text: string, target?: { readonly tokens: number; readonly advice: string }): Packet {
  const tokens = Math.ceil(estimateTextTokens(text, "dense") * (1 + SEED_ERROR));
  const isTooLarge = tokens > PACKET_MAX_TOKENS;
  const findings = lintPacket(text, tokens);
  if (isTooLarge || (target && tokens >= target.tokens)) {
    const limit = isTooLarge
      ? `more than the limit of ${PACKET_MAX_TOKENS}`
      : `not below the target of ${target?.tokens}`;
    const message = `the packet could have as many as ${tokens} tokens, ${limit}${target?.advice ?? ""}`;
    findings.unshift({ tier: isTooLarge ? "BLOCK" : "WARN", line: 0, message });
  }
  const isBlocked = findings.some(({ tier }) => tier === "BLOCK");
  return { text: isBlocked ? undefined : text, tokens, findings };
}

/** The packet, or why it must not be sent, with the warnings. */
export function renderPacketAnswer({ text, tokens, findings }: Packet): string {
  const lines = findings.map(({ tier, line, message }) => `${tier}${line === 0 ? "" : ` line ${line}`}: ${message}`);
  const verdict = text === undefined ? "Do not send this packet:" : `The packet has at most ${tokens} tokens.`;
  return [...(text === undefined ? [] : [text]), verdict, ...lines].join("\n");
}

/** A task of this size has contracts worth naming. */
const TYPE_SURFACE_FROM_TOKENS = 300;

/** `login.ts:42`, `login.ts#L42`, but not a host with its port. */
const FILE_LINE = /\.(?!(?:com|org|net|io|dev|local|internal|test)\b)[A-Za-z][A-Za-z0-9]{0,4}(?::|#L)\d{1,7}/;
const LINE_NUMBER = /\blines? \d{1,7}\b/i;
/** A quotation of the line: it finds the place again when the number is out of date. */
const EVIDENCE = /\bseen: `[^`\n]+`/;
const SOURCE_FILE = /[\\/].{0,200}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|c|cc|cpp|h|cs|php|swift|vue|svelte)$/i;
const SOURCE_PATH = /(?<![\w/])(?:src|lib|app)\/\w/;
/** Says what something is, not what it does, so there is nothing to test. */
const SHAPE_VERB = /\b(?:is defined|are defined|has (?:a )?propert(?:y|ies)|exists?|is implemented|works)\b/i;

/** Line numbers go out of date first, so a claim with one is blocked unless the same line quotes what was seen there. */
export function lintPacket(text: string, tokens: number): PacketFinding[] {
  const findings: PacketFinding[] = [];
  const filled = new Map<string, number>();
  let section = "";
  for (const [index, line] of text.split("\n").entries()) {
    const heading = /^### (\S.{0,80})/.exec(line)?.[1]?.trim();
    if (heading !== undefined) {
      section = heading;
      filled.set(section, 0);
      continue;
    }
    if (line.trim() !== "" && line.trim() !== EMPTY_SECTION) filled.set(section, (filled.get(section) ?? 0) + 1);
    for (const [tier, message] of judgeLine(line, section)) findings.push({ tier, line: index + 1, message });
  }
  if (!/^\*\*Task\*\*: \S/m.test(text)) findings.push({ tier: "BLOCK", line: 0, message: "the packet has no task" });
  return [...findings, ...judgeSections(filled, tokens)];
}

/** Whether this item, outside of Files Touched, blocks a packet. */
function isBlockedItem(item: string): boolean {
  return [...judgeLine(`- ${item}`, "")].some(([tier]) => tier === "BLOCK");
}

function* judgeLine(line: string, section: string): Generator<readonly [PacketFinding["tier"], string]> {
  if (FILE_LINE.test(line) || LINE_NUMBER.test(line)) {
    if (EVIDENCE.test(line)) yield ["WARN", "this line number will go stale, but the quotation still finds the place"];
    else yield ["BLOCK", "this line number needs a quotation (seen: `...`), or name the type or function instead"];
  }
  if (section === "Acceptance" && SHAPE_VERB.test(line))
    yield ["WARN", "this item says what exists, not what it does: begin with accepts, rejects, returns, emits, ..."];
  if (section === "Files Touched") return;
  const first = /^[-*] (?:\[.\] )?`?([^\s`]{1,300})/.exec(line)?.[1] ?? "";
  if (SOURCE_FILE.test(first.replace(/[:,;.]$/, ""))) yield ["BLOCK", "list paths under Files Touched"];
  else if (SOURCE_PATH.test(line)) yield ["WARN", "does this path belong under Files Touched?"];
}

/** A missing section differs from an empty one: "(none)" is an answer. */
function* judgeSections(filled: ReadonlyMap<string, number>, tokens: number): Generator<PacketFinding> {
  for (const [key, heading] of PACKET_SECTIONS) {
    const isNeeded = key === "acceptance" || (key === "typeSurface" && tokens >= TYPE_SURFACE_FROM_TOKENS);
    if (!filled.has(heading)) {
      const tier = isNeeded || key === "outOfScope" ? "BLOCK" : "WARN";
      yield { tier, line: 0, message: `the section ${heading} is missing` };
    } else if (isNeeded && filled.get(heading) === 0) {
      const message = `${heading} is empty: the receiver cannot know what must hold or when the task is done`;
      yield { tier: "BLOCK", line: 0, message };
    }
  }
}
