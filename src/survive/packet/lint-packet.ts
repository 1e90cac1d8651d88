import { NOTHING, PACKET_SECTIONS } from "./packet.ts";

export interface PacketFinding {
  /** BLOCK: must not be sent. WARN: look again. */
  readonly tier: "BLOCK" | "WARN";
  /** Counted from 1; 0 for the packet as a whole. */
  readonly line: number;
  readonly message: string;
}

export interface LintOptions {
  /** Upper bound of what the packet weighs. */
  readonly tokens: number;
}

/** From this size on a task has contracts worth naming. */
const TYPE_SURFACE_FROM_TOKENS = 300;

/** `login.ts:42`, `login.ts#L42`; a host with its port is none. */
const FILE_LINE = /\.(?!(?:com|org|net|io|dev|local|internal|test)\b)[A-Za-z][A-Za-z0-9]{0,4}(?::|#L)\d{1,7}/;
const LINE_NUMBER = /\blines? \d{1,7}\b/i;
/** What stands at a place, quoted: it finds the place again when the number has gone stale. */
const EVIDENCE = /\bseen: `[^`\n]+`/;
const SOURCE_FILE = /[\\/].{0,200}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|c|cc|cpp|h|cs|php|swift|vue|svelte)$/i;
const SOURCE_PATH = /(?<![\w/])(?:src|lib|app)\/\w/;
/** Says what something is and not what it does: nothing to test. */
const SHAPE_VERB = /\b(?:is defined|are defined|has (?:a )?propert(?:y|ies)|exists?|is implemented|works)\b/i;

/**
 * Checks a packet's text, ours or anyone's. Line numbers are the first thing to go stale: a claim about one is blocked unless the
 * same line quotes what was seen there.
 */
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
    if (line.trim() !== "" && line.trim() !== NOTHING) filled.set(section, (filled.get(section) ?? 0) + 1);
    for (const [tier, message] of judgeLine(line, section)) findings.push({ tier, line: index + 1, message });
  }
  if (!/^\*\*Task\*\*: \S/m.test(text)) findings.push({ tier: "BLOCK", line: 0, message: "no task" });
  return [...findings, ...judgeSections(filled, tokens)];
}

/** Whether a packet with this item outside of Files Touched must not be sent. */
export function isBlockedItem(item: string): boolean {
  return [...judgeLine(`- ${item}`, "")].some(([tier]) => tier === "BLOCK");
}

type Verdict = readonly [PacketFinding["tier"], string];

function* judgeLine(line: string, section: string): Generator<Verdict> {
  if (FILE_LINE.test(line) || LINE_NUMBER.test(line)) {
    if (EVIDENCE.test(line)) yield ["WARN", "a line number goes stale; the quotation stays"];
    else yield ["BLOCK", "line number without evidence: name the type or function, or quote it (seen: `...`)"];
  }
  if (section === "Acceptance" && SHAPE_VERB.test(line))
    yield ["WARN", "says what exists, not what it does: begin with accepts, rejects, returns, emits, ..."];
  if (section === "Files Touched") return;
  const first = /^[-*] (?:\[.\] )?`?([^\s`]{1,300})/.exec(line)?.[1] ?? "";
  if (SOURCE_FILE.test(first.replace(/[:,;.]$/, ""))) yield ["BLOCK", "a bare path: paths belong in Files Touched"];
  else if (SOURCE_PATH.test(line)) yield ["WARN", "a path in a sentence: does it belong in Files Touched?"];
}

/** A missing section and an empty one differ: "(none)" is an answer. */
function* judgeSections(filled: ReadonlyMap<string, number>, tokens: number): Generator<PacketFinding> {
  for (const [key, heading] of PACKET_SECTIONS) {
    const isNeeded = key === "acceptance" || (key === "typeSurface" && tokens >= TYPE_SURFACE_FROM_TOKENS);
    if (!filled.has(heading)) {
      const tier = isNeeded || key === "outOfScope" ? "BLOCK" : "WARN";
      yield { tier, line: 0, message: `no section ${heading}` };
    } else if (isNeeded && filled.get(heading) === 0)
      yield {
        tier: "BLOCK",
        line: 0,
        message: `${heading} is empty: the receiver cannot know what holds or when it is done`,
      };
  }
}
