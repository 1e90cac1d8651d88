/**
 * Ten numbers that Plimsoll shows, counted a second time from the raw files by a program that shares no code with it: other parsing,
 * other prices, other sums. `node bench/ten-numbers.mjs FOLDER [dist/plimsoll.cjs]` prints both and exits 1 where they differ.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [folder, program = "dist/plimsoll.cjs"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node bench/ten-numbers.mjs FOLDER [dist/plimsoll.cjs]");
  process.exit(2);
}

/** Dollars per million tokens in and out, by words of the model's name, as the vendor's page has them. */
const PRICES = [
  ["fable", 10, 50],
  ["opus-5", 5, 25],
  ["opus-4-7", 5, 25],
  ["opus-4-6", 5, 25],
  ["opus-4-5", 5, 25],
  ["opus-4", 15, 75],
  ["sonnet-5", 2, 10],
  ["sonnet", 3, 15],
  ["haiku-4", 1, 5],
];

function list(place) {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const full = join(place, entry.name);
    return entry.isDirectory() ? list(full) : entry.name.endsWith(".jsonl") ? [full] : [];
  });
}

const answers = new Map();
const boundaries = new Map();
for (const file of list(folder)) {
  for (const text of readFileSync(file, "utf8").split("\n")) {
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      continue;
    }
    if (line?.subtype === "compact_boundary") boundaries.set(`${file} ${line.uuid}`, line.compactMetadata?.trigger);
    const said = line?.type === "progress" ? line.data?.message : line;
    const { message } = said ?? {};
    if (said?.type !== "assistant" || !message?.usage || message.model === "<synthetic>" || said.isApiErrorMessage)
      continue;
    const known = answers.get(message.id);
    const out = Math.max(known?.usage.output_tokens ?? 0, message.usage.output_tokens ?? 0);
    const at = known?.at ?? Date.parse(said.timestamp ?? line.timestamp);
    answers.set(message.id, { model: message.model, usage: { ...message.usage, output_tokens: out }, at });
  }
}

function price({ model, usage }) {
  const [, input, output] = PRICES.find(([words]) => model.includes(words)) ?? ["", 0, 0];
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const five = (usage.cache_creation_input_tokens ?? 0) - hour;
  const sent = usage.input_tokens + 1.25 * five + 2 * hour + 0.1 * (usage.cache_read_input_tokens ?? 0);
  return (sent * input + usage.output_tokens * output) / 1e6;
}

const all = [...answers.values()];
const sum = (pick, from = all) => from.reduce((total, one) => total + pick(one), 0);
const newest = Math.max(...all.map(({ at }) => at).filter((at) => !Number.isNaN(at)));
const from = Math.floor((newest + 1 - 30 * 86_400_000) / 86_400_000) * 86_400_000;
const month = all.filter(({ at }) => at >= from);
const dearest = Map.groupBy
  ? [...Map.groupBy(all, ({ model }) => model)]
  : [...new Set(all.map(({ model }) => model))].map((model) => [model, all.filter((one) => one.model === model)]);
const [topModel, topUsd] = dearest.map(([model, some]) => [model, sum(price, some)]).sort((a, b) => b[1] - a[1])[0];

const home = mkdtempSync(join(tmpdir(), "ten-numbers-"));
mkdirSync(join(home, ".claude"));
symlinkSync(resolve(folder), join(home, ".claude", "projects"));
const ask = (...words) =>
  JSON.parse(
    execFileSync(process.execPath, [resolve(program), ...words, "--json"], {
      env: { HOME: home, PATH: process.env.PATH },
      maxBuffer: 1 << 28,
      encoding: "utf8",
    }),
  );
const stats = ask("stats");
const now = ask("now");
rmSync(home, { recursive: true });

const numbers = [
  ["requests", all.length, stats.totals.requests],
  ["input tokens", sum(({ usage }) => usage.input_tokens), stats.totals.inputTokens],
  ["tokens read from the cache", sum(({ usage }) => usage.cache_read_input_tokens ?? 0), stats.totals.cacheReadTokens],
  ["tokens written to it", sum(({ usage }) => usage.cache_creation_input_tokens ?? 0), stats.totals.cacheWriteTokens],
  ["output tokens", sum(({ usage }) => usage.output_tokens), stats.totals.outputTokens],
  ["dollars", sum(price), stats.totals.totalUsd],
  [`dollars of ${topModel}`, topUsd, stats.rows[0].totalUsd],
  ["requests of the last 30 days", month.length, now.look.requests],
  ["dollars of the last 30 days", sum(price, month), now.look.totalUsd],
  [
    "automatic compactions",
    [...boundaries.values()].filter((trigger) => trigger === "auto").length,
    stats.compactions.automatic,
  ],
];
let wrong = 0;
for (const [name, ours, theirs] of numbers) {
  const isSame = Math.abs(ours - theirs) < 0.005;
  if (!isSame) wrong++;
  const show = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
  console.log(
    `${isSame ? "same  " : "DIFFER"}  ${name.padEnd(36)} ${show(ours).padStart(14)} ${show(theirs).padStart(14)}`,
  );
}
process.exit(wrong === 0 ? 0 : 1);
