/**
 * The forecast of a five-hour window held to what came: in every recorded window, at one, two, three and four hours, what the pace so far
 * (used by then, divided by the time) makes of the whole window, next to what it came to. Tokens stand for what a limit counts; nobody publishes
 * that. Windows are those of ccusage. `node lab/bench/forecast.mjs FOLDER`
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const HOUR = 3_600_000;
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node lab/bench/forecast.mjs FOLDER");
  process.exit(2);
}

const answers = new Map();
for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".jsonl")) continue;
  for (const text of readFileSync(join(folder, file), "utf8").split("\n")) {
    try {
      const { type, timestamp, message } = JSON.parse(text);
      const { usage, id } = message ?? {};
      if (type !== "assistant" || !usage || !timestamp) continue;
      // As a price list weighs them: output five times, cache writes 1.25 times, cache reads a tenth.
      const weight =
        (usage.input_tokens ?? 0) +
        1.25 * (usage.cache_creation_input_tokens ?? 0) +
        0.1 * (usage.cache_read_input_tokens ?? 0) +
        5 * (usage.output_tokens ?? 0);
      answers.set(id, { at: Date.parse(timestamp), weight, project: file.split("/")[0] });
    } catch {
      // No line of a transcript.
    }
  }
}

/** Each repository is one person's work. */
const windows = [];
for (const project of new Set([...answers.values()].map((one) => one.project))) {
  let window;
  const own = [...answers.values()].filter((one) => one.project === project);
  for (const one of own.sort((left, right) => left.at - right.at)) {
    if (!window || one.at - window.start > 5 * HOUR) {
      window = { start: Math.floor(one.at / HOUR) * HOUR, requests: [] };
      windows.push(window);
    }
    window.requests.push(one);
  }
}

const sum = (requests) => requests.reduce((total, { weight }) => total + weight, 0);
const median = (values) => values.sort((left, right) => left - right)[Math.floor(values.length / 2)];
console.log(`${windows.length} windows of five hours, ${answers.size} requests`);
for (const hours of [1, 2, 3, 4]) {
  const errors = windows.flatMap(({ start, requests }) => {
    const now = start + hours * HOUR;
    const used = sum(requests.filter(({ at }) => at <= now));
    const working = requests.some(({ at }) => at <= now && at > now - HOUR / 2);
    return used > 0 && working ? [(used * 5) / hours / sum(requests) - 1] : [];
  });
  const low = errors.filter((error) => error < 0).length;
  console.log(
    `after ${hours} h: ${errors.length} windows at work then, median error ${(median(errors.map(Math.abs)) * 100).toFixed(0)} %, too low in ${low}`,
  );
}
