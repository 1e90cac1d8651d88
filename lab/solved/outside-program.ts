import { bash, type ScriptedCall } from "./task.ts";

/** A program that answers each of these words, in the middle of a long table as such systems print them. */
export function answering(answers: Readonly<Record<string, string>>): string {
  return `const ANSWERS = ${JSON.stringify(answers)};
const word = process.argv.slice(2).join(" ");
const said = ANSWERS[word];
if (said === undefined) { console.error("nothing is known of " + word); process.exit(4); }
let state = [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 7);
const next = (below) => (state = (state * 1664525 + 1013904223) >>> 0) % below;
const pad = (n, width) => String(n).padStart(width, "0");
const row = (_, n) => pad(n + 1, 4) + "  node " + "abcdefgh"[next(8)] + next(9) + "  " + ["ok     ", "late   ", "retried"][next(3)] + "  rows " + pad(next(9999), 5) + "  wait " + pad(next(900), 4) + " ms  seen " + pad(next(24), 2) + ":" + pad(next(60), 2) + "  batch " + next(90) + "-" + next(9) + "a";
const lines = Array.from({ length: 46 }, row);
lines.splice(8 + next(30), 0, said);
console.log("# " + word + "\\n" + lines.join("\\n"));
`;
}

/** Asks a program each of these words. */
export function askAll(program: string, words: readonly string[], says = ""): readonly ScriptedCall[] {
  return words.map((word, index) => bash(`${program} ${word}`, index === 0 ? says : ""));
}
