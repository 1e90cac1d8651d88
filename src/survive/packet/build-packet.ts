import { toOneLine } from "../../core/clip-text.ts";
import { estimateTextTokens, SEED_ERROR, type Tokenizer } from "../../models/tokens.ts";

/** What a subagent has to know and cannot find in the code. Plain data; every item is one line. */
export interface PacketDraft {
  /** Begins with a verb. */
  readonly task: string;
  /** Decides how many tokens the packet may have: see `PACKET_TARGET_TOKENS`. */
  readonly size: PacketSize;
  readonly parent?: string;
  /** What was chosen over what, and why. */
  readonly decisions: readonly string[];
  /** MUST, MUST NOT, BLOCKED BY. */
  readonly constraints: readonly string[];
  /** Each approach, and how it failed. */
  readonly alreadyTried: readonly string[];
  /** Types, signatures, contracts: they outlive renamed files and moved lines. */
  readonly typeSurface: readonly string[];
  /** The only place for paths. */
  readonly filesTouched: readonly string[];
  /** Behaviour that can be tested. */
  readonly acceptance: readonly string[];
  readonly outOfScope: readonly string[];
}

type PacketSize = "simple" | "complex";

/** A packet should stay below its target. From the hard maximum on it defeats its purpose and is not sent. */
const PACKET_TARGET_TOKENS: Readonly<Record<PacketSize, number>> = { simple: 500, complex: 1500 };
export const PACKET_MAX_TOKENS = 2000;

const PACKET_SECTIONS = [
  ["decisions", "Decisions"],
  ["constraints", "Constraints"],
  ["alreadyTried", "Already Tried"],
  ["typeSurface", "Type Surface"],
  ["filesTouched", "Files Touched"],
  ["acceptance", "Acceptance"],
  ["outOfScope", "Out of scope"],
] as const;

/** Marks a section that is empty on purpose. */
const EMPTY_SECTION = "(none)";

interface PacketOptions {
  /** The receiver's tokenizer; the denser one if unknown. */
  readonly tokenizer?: Tokenizer;
}

export interface Packet {
  /** Absent if something blocks the packet, so that it cannot be sent. */
  readonly text: string | undefined;
  /** Upper bound of the estimate. */
  readonly tokens: number;
  readonly findings: readonly PacketFinding[];
}

/** Renders and checks a packet. Nothing is shortened to fit: the caller decides what can go, and silently losing a constraint is worse than no packet. */
export function buildPacket(draft: PacketDraft, { tokenizer = "dense" }: PacketOptions = {}): Packet {
  const text = renderPacket(draft);
  const tokens = Math.ceil(estimateTextTokens(text, tokenizer) * (1 + SEED_ERROR));
  const findings = [...judgeSize(draft, tokens), ...lintPacket(text, { tokens })];
  const isBlocked = findings.some(({ tier }) => tier === "BLOCK");
  return { text: isBlocked ? undefined : text, tokens, findings };
}

/** Checks a packet written by someone else as if it were ours. */
export function checkPacket(text: string, { tokenizer = "dense" }: PacketOptions = {}): Packet {
  const tokens = Math.ceil(estimateTextTokens(text, tokenizer) * (1 + SEED_ERROR));
  const message = `the packet could have as many as ${tokens} tokens, more than the limit of ${PACKET_MAX_TOKENS}`;
  const size: readonly PacketFinding[] = tokens > PACKET_MAX_TOKENS ? [{ tier: "BLOCK", line: 0, message }] : [];
  const findings = [...size, ...lintPacket(text, { tokens })];
  return { text: findings.some(({ tier }) => tier === "BLOCK") ? undefined : text, tokens, findings };
}

/** The packet, or why it must not be sent, with the warnings. */
export function renderPacketAnswer({ text, tokens, findings }: Packet): string {
  const lines = findings.map(({ tier, line, message }) => `${tier}${line === 0 ? "" : ` line ${line}`}: ${message}`);
  const verdict = text === undefined ? "Do not send this packet:" : `The packet has at most ${tokens} tokens.`;
  return [...(text === undefined ? [] : [text]), verdict, ...lines].join("\n");
}

function renderPacket(draft: PacketDraft): string {
  return [
    "## Context Packet",
    "",
    `**Task**: ${toOneLine(draft.task)}`,
    ...(draft.parent === undefined ? [] : [`**Parent**: ${toOneLine(draft.parent)}`]),
    ...PACKET_SECTIONS.flatMap(([key, heading]) => ["", `### ${heading}`, ...renderItems(draft[key], key)]),
    "",
  ].join("\n");
}

function renderItems(items: readonly string[], key: keyof PacketDraft): readonly string[] {
  const lines = items.map(toOneLine).filter((line) => line !== "");
  if (lines.length === 0) return [EMPTY_SECTION];
  return lines.map((line) => `- ${key === "acceptance" ? "[ ] " : ""}${line}`);
}

function judgeSize(draft: PacketDraft, tokens: number): readonly PacketFinding[] {
  const target = PACKET_TARGET_TOKENS[draft.size];
  const largest = PACKET_SECTIONS.map(([key, heading]) => ({ heading, length: draft[key].join("").length })).reduce(
    (left, right) => (right.length > left.length ? right : left),
  );
  const advice = `shorten ${largest.heading}, its largest section`;
  const isTooLarge = tokens > PACKET_MAX_TOKENS;
  if (!isTooLarge && tokens < target) return [];
  const limit = isTooLarge ? `more than the limit of ${PACKET_MAX_TOKENS}` : `not below the target of ${target}`;
  const message = `the packet could have as many as ${tokens} tokens, ${limit}: ${advice}`;
  return [{ tier: isTooLarge ? "BLOCK" : "WARN", line: 0, message }];
}

interface PacketFinding {
  /** BLOCK: must not be sent. WARN: look again. */
  readonly tier: "BLOCK" | "WARN";
  /** From 1; 0 for the whole packet. */
  readonly line: number;
  readonly message: string;
}

interface LintOptions {
  readonly tokens: number;
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

/** Checks any packet's text. Line numbers go out of date first, so a claim with one is blocked unless the same line quotes what was seen there. */
export function lintPacket(text: string, { tokens }: LintOptions): readonly PacketFinding[] {
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
export function isBlockedItem(item: string): boolean {
  return [...judgeLine(`- ${item}`, "")].some(([tier]) => tier === "BLOCK");
}

type Verdict = readonly [PacketFinding["tier"], string];

function* judgeLine(line: string, section: string): Generator<Verdict> {
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
    } else if (isNeeded && filled.get(heading) === 0)
      yield {
        tier: "BLOCK",
        line: 0,
        message: `${heading} is empty: the receiver cannot know what must hold or when the task is done`,
      };
  }
}
