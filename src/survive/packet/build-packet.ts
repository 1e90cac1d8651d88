import { toOneLine } from "../../core/clip-text.ts";
import { estimateTextTokens, SEED_ERROR, type Tokenizer } from "../../models/tokens.ts";
import { lintPacket, type PacketFinding } from "./lint-packet.ts";
import { NOTHING, PACKET_MAX_TOKENS, PACKET_SECTIONS, PACKET_TARGET_TOKENS, type PacketDraft } from "./packet.ts";

export interface PacketOptions {
  /** The receiver's; the denser one where it is not known. */
  readonly tokenizer?: Tokenizer;
}

export interface Packet {
  /** Absent where something blocks it: a packet that must not be sent is not there to be sent. */
  readonly text: string | undefined;
  /** Upper bound of the estimate. */
  readonly tokens: number;
  readonly findings: readonly PacketFinding[];
}

/**
 * Renders and checks a packet. Nothing is shortened to fit: which constraint can go is for the caller to say, and a packet that
 * lost one in silence is worse than none.
 */
export function buildPacket(draft: PacketDraft, { tokenizer = "dense" }: PacketOptions = {}): Packet {
  const text = renderPacket(draft);
  const tokens = Math.ceil(estimateTextTokens(text, tokenizer) * (1 + SEED_ERROR));
  const findings = [...judgeSize(draft, tokens), ...lintPacket(text, { tokens })];
  const isBlocked = findings.some(({ tier }) => tier === "BLOCK");
  return { text: isBlocked ? undefined : text, tokens, findings };
}

/** A packet that somebody wrote, judged as one of ours. */
export function checkPacket(text: string, { tokenizer = "dense" }: PacketOptions = {}): Packet {
  const tokens = Math.ceil(estimateTextTokens(text, tokenizer) * (1 + SEED_ERROR));
  const message = `up to ${tokens} tokens, more than ${PACKET_MAX_TOKENS}`;
  const size: readonly PacketFinding[] = tokens > PACKET_MAX_TOKENS ? [{ tier: "BLOCK", line: 0, message }] : [];
  const findings = [...size, ...lintPacket(text, { tokens })];
  return { text: findings.some(({ tier }) => tier === "BLOCK") ? undefined : text, tokens, findings };
}

/** The packet, or why it must not be sent; warnings in any case. */
export function renderPacketAnswer({ text, tokens, findings }: Packet): string {
  const lines = findings.map(({ tier, line, message }) => `${tier}${line === 0 ? "" : ` line ${line}`}: ${message}`);
  const verdict = text === undefined ? "Not to be sent:" : `At most ${tokens} tokens.`;
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
  if (lines.length === 0) return [NOTHING];
  return lines.map((line) => `- ${key === "acceptance" ? "[ ] " : ""}${line}`);
}

function judgeSize(draft: PacketDraft, tokens: number): readonly PacketFinding[] {
  const target = PACKET_TARGET_TOKENS[draft.size];
  const largest = PACKET_SECTIONS.map(([key, heading]) => ({ heading, length: draft[key].join("").length })).reduce(
    (left, right) => (right.length > left.length ? right : left),
  );
  const advice = `shorten ${largest.heading}, its largest section`;
  if (tokens > PACKET_MAX_TOKENS)
    return [{ tier: "BLOCK", line: 0, message: `up to ${tokens} tokens, more than ${PACKET_MAX_TOKENS}: ${advice}` }];
  if (tokens < target) return [];
  return [{ tier: "WARN", line: 0, message: `up to ${tokens} tokens, not below ${target}: ${advice}` }];
}
