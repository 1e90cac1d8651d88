import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A command that plays the model of a reading, written into a folder as a program: it logs every prompt, writes a quiz about the names in
 * the session, answers what it finds in the text it was given, recalls once, and grades by whether the key is in an answer.
 */
export interface ScriptedModel {
  readonly command: string;
  /** Every prompt so far. */
  prompts(): readonly string[];
  /** The next so many calls end with a status of their own. */
  failNext(times: number): void;
  /** The next so many calls say something that is no answer. */
  babbleNext(times: number): void;
}

const MARK = "\u0000";

export function writeScriptedModel(folder: string): ScriptedModel {
  const program = path.join(folder, "model.mjs");
  const log = path.join(folder, "prompts.log");
  const mood = path.join(folder, "mood.json");
  writeFileSync(program, PROGRAM);
  appendFileSync(log, "");
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return {
    command: [process.execPath, program, log, mood].map(quote).join(" "),
    prompts: () => (existsSync(log) ? readFileSync(log, "utf8").split(MARK).slice(0, -1) : []),
    failNext: (times) => writeFileSync(mood, JSON.stringify({ kind: "fail", times })),
    babbleNext: (times) => writeFileSync(mood, JSON.stringify({ kind: "babble", times })),
  };
}

/** Questions are "What is value70?"; the text says "export const value70 = 7;". */
const PROGRAM = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
const [log, moodFile] = process.argv.slice(2);
const prompt = readFileSync(0, "utf8");
appendFileSync(log, prompt + "\\u0000");
const mood = existsSync(moodFile) ? JSON.parse(readFileSync(moodFile, "utf8")) : { times: 0 };
if (mood.times > 0) {
  writeFileSync(moodFile, JSON.stringify({ ...mood, times: mood.times - 1 }));
  if (mood.kind === "babble") console.log("What a lovely quiz.");
  else console.error("the model is out of reach");
  process.exit(mood.kind === "babble" ? 0 : 7);
}
const find = (name, text) => new RegExp("const " + name + " = (\\\\d+);").exec(text)?.[1];
if (prompt.startsWith("You write")) {
  const kinds = ["next", "understanding", "detail"];
  const names = [...new Set(prompt.match(/value\\d+(?= =)/g))].slice(0, 12);
  const questions = names.map((name, index) => ({
    id: "q" + (index + 1), kind: kinds[index % 3], question: "What is " + name + "?", key: ["it is " + find(name, prompt)],
  }));
  console.log("Here you are:\\n\`\`\`json\\n" + JSON.stringify({ questions, nextAction: "read on" }) + "\\n\`\`\`");
} else if (prompt.startsWith("You grade")) {
  const grades = {};
  for (const part of prompt.split(/^## /m).slice(1)) {
    const key = /^Key: (.*)$/m.exec(part)[1];
    const answers = [...part.matchAll(/^Answer \\d+: (.*)$/gm)];
    grades[/^\\w+/.exec(part)[0]] = answers.map(([, said]) => ({ score: said === key ? 1 : 0, wrong: said.includes("it is") && said !== key }));
  }
  console.log(JSON.stringify(grades));
} else {
  const asked = [...prompt.matchAll(/^(q\\d+)\\. What is (value\\d+)\\?$/gm)];
  const handles = [...new Set(/<memory>([\\s\\S]*)<\\/memory>/.exec(prompt)[1].match(/plimsoll:[0-9a-f]{12}/g))];
  if (prompt.includes("RECALL:") && !prompt.includes("You recalled ")) {
    for (const handle of handles) console.log("RECALL: " + handle + "#1-99 lines=1-2");
  } else {
    const answers = asked.map(([, id, name]) => [id, find(name, prompt) ? "it is " + find(name, prompt) : "unknown"]);
    console.log(JSON.stringify({ answers: Object.fromEntries(answers), nextAction: "it is to read on" }));
  }
}
`;
