import { parseLog } from "./entry-log.ts";
import { parseLearnings } from "./learnings.ts";

interface IntegrityFinding {
  readonly status: "SUSPICIOUS" | "TAINTED";
  /** From 1; 0 for the whole file. */
  readonly line: number;
  /** What kind of finding it is. It never quotes the text, because a report must not carry the payload on. */
  readonly what: string;
}

export interface Integrity {
  readonly file: string;
  /** CLEAN: load. SUSPICIOUS: load, and say so. TAINTED: do not load. */
  readonly status: "CLEAN" | IntegrityFinding["status"];
  readonly findings: readonly IntegrityFinding[];
}

type Check = readonly [IntegrityFinding["status"], RegExp, string];

const FEW_WORDS = "(?:[\\w'’]{1,20}\\s{1,4}){0,3}";
const EARLIER = "(?:previous|prior|above|preceding|earlier|foregoing|system|original)";
const ORDERS = "(?:instructions?|rules?|prompts?|directions?|directives?|messages?|guidelines?|constraints?|context)";

/** A model reads state files at the start of every session, so anyone who can write one can talk to the model. */
const LINE_CHECKS: readonly Check[] = [
  [
    "TAINTED",
    new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass)\\s{1,4}${FEW_WORDS}${EARLIER}\\s{1,4}${FEW_WORDS}${ORDERS}\\b`,
      "i",
    ),
    "tells the model to ignore its own instructions",
  ],
  ["TAINTED", /\b(?:forget|disregard|ignore) everything\b/i, "tells the model to ignore its own instructions"],
  [
    "TAINTED",
    /<\/?(?:system|system-reminder|system_prompt|instructions|im_start|im_end)\b|<\|\w{1,20}\|>|\[\/?INST\]|^\s{0,8}(?:system|assistant|human|user) ?prompt ?:/i,
    "imitates the markup of a prompt",
  ],
  ["TAINTED", /[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u, "hides text with direction or tag characters"],
  ["TAINTED", /[\u200b\u2060-\u2064\u180e]|\S\ufeff/u, "contains invisible characters"],
  [
    "SUSPICIOUS",
    /[\u200c-\u200f\u00ad]/u,
    "contains zero-width joiners, direction marks or soft hyphens, which are invisible",
  ],
  ["SUSPICIOUS", /(?![\t\r])\p{Cc}|\ufffd/u, "contains bytes that are not text"],
  ["SUSPICIOUS", /^(?:<{7}|>{7}|\|{7})(?: |$)/, "is part of an unresolved merge conflict"],
  [
    "SUSPICIOUS",
    /\b(?:ignore|disregard|forget) (?:(?:all|everything|what is|the) ){0,2}above\b/i,
    "addresses the model as a prompt would",
  ],
  ["SUSPICIOUS", /<!--/, "contains an HTML comment, which is invisible when rendered"],
  ["SUSPICIOUS", /[A-Za-z0-9+/]{120}/, "contains an encoded payload"],
  [
    "SUSPICIOUS",
    /\byou are now\b|\b(?:pretend to be|from now on,? you)\b|\bnew (?:system )?instructions\b|\bdo not (?:tell|inform|mention (?:this|it) to) the user\b/i,
    "addresses the model as a prompt would",
  ],
];

/** Checks a file of the project's state: its lines, and whether its entries can be parsed. */
export function checkIntegrity(file: string, text: string): Integrity {
  return judge(file, [...checkLines(text), ...findUnparsable(file, text)]);
}

/** Checks any other text that a model reads as notes of earlier sessions. */
export function checkNotes(file: string, text: string): Integrity {
  return judge(file, checkLines(text));
}

function checkLines(text: string): readonly IntegrityFinding[] {
  // Some editors put a byte order mark at the beginning.
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.flatMap((line, index) =>
    LINE_CHECKS.filter(([, pattern]) => pattern.test(line)).map(([status, , what]) => ({
      status,
      line: index + 1,
      what,
    })),
  );
}

function judge(file: string, findings: readonly IntegrityFinding[]): Integrity {
  const status = (["TAINTED", "SUSPICIOUS"] as const).find((each) => findings.some((found) => found.status === each));
  return { file, status: status ?? "CLEAN", findings };
}

function findUnparsable(file: string, text: string): readonly IntegrityFinding[] {
  const isLines = file.endsWith(".jsonl");
  const broken = isLines
    ? parseLearnings(text).malformed
    : parseLog(text).entries.filter(({ atMs, kind }) => atMs === undefined || kind === "").length;
  const what = isLines ? "lines that are not valid entries" : "entries without a proper heading";
  return broken === 0 ? [] : [{ status: "SUSPICIOUS", line: 0, what: `contains ${broken} ${what}` }];
}
