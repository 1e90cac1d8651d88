/**
 * Ten numbers that Plimsoll shows, counted a second time from the raw files by a program that shares no code with it: other parsing,
 * other prices, other sums; dollars and blocks of five hours by the rules of ccusage. Only what would have been saved is a replay's,
 * and is added up anew from its answer, session by session. `node lab/bench/ten-numbers.mjs FOLDER [dist/plimsoll.cjs]` prints both and
 * exits 1 where they differ.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";

const [folder, program = "dist/plimsoll.cjs"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node lab/bench/ten-numbers.mjs FOLDER [dist/plimsoll.cjs]");
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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const answers = new Map();
const boundaries = new Map();
const pauses = new Map();
for (const file of list(folder)) {
  const lines = new Set();
  const chain = new Map();
  let isCompacted = false;
  for (const text of readFileSync(file, "utf8").split("\n")) {
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      continue;
    }
    if (line?.subtype === "compact_boundary") {
      boundaries.set(`${file} ${line.uuid}`, line.compactMetadata?.trigger);
      isCompacted = true;
    }
    const said = line?.type === "progress" ? line.data?.message : line;
    const { message } = said ?? {};
    if (said?.type !== "assistant" || !message?.usage || message.model === "<synthetic>" || said.isApiErrorMessage)
      continue;
    const known = answers.get(message.id);
    const out = Math.max(known?.usage.output_tokens ?? 0, message.usage.output_tokens ?? 0);
    const at = known?.at ?? Date.parse(said.timestamp ?? line.timestamp);
    const files = (known?.files ?? new Set()).add(file);
    answers.set(message.id, { model: message.model, usage: { ...message.usage, output_tokens: out }, at, files });
    if (line.type !== "progress" && !line.isSidechain && !lines.has(line.uuid)) {
      const first = chain.get(message.id);
      const own = {
        id: message.id,
        model: message.model,
        usage: message.usage,
        at: first?.at ?? Date.parse(line.timestamp),
      };
      chain.set(message.id, { ...own, isCompacted: first?.isCompacted ?? isCompacted });
      isCompacted = false;
    }
    lines.add(line.uuid);
  }
  for (const [id, usd] of findPauses([...chain.values()])) pauses.set(id, usd);
}

function sizes({ usage }) {
  const read = usage.cache_read_input_tokens ?? 0;
  const wrote = usage.cache_creation_input_tokens ?? 0;
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return { read, hour, five: wrote - hour, all: usage.input_tokens + read + wrote };
}

/** Requests that had to write most of what the one before had sent, later than the prompt cache lives: what that cost above reading it. */
function findPauses(chain) {
  const found = [];
  let life = 5 * 60_000;
  for (const [index, one] of chain.entries()) {
    const before = chain[index - 1];
    const now = sizes(one);
    const cached = before ? sizes(before).all : 0;
    const missed = Math.min(cached, now.all) - now.read;
    const isMiss = cached > 0 && now.read < cached / 2 && missed > 0;
    if (isMiss && !one.isCompacted && before.model === one.model && one.at - before.at > life)
      found.push([one.id, (missed * ((now.hour > now.five ? 2 : 1.25) - 0.1) * rate(one.model)[0]) / 1e6]);
    if (now.hour > 0) life = HOUR;
    else if (now.five > 0) life = 5 * 60_000;
  }
  return found;
}

function rate(model) {
  const [, input, output] = PRICES.find(([words]) => model.includes(words)) ?? ["", 0, 0];
  return [input, output];
}

function price(one) {
  const [input, output] = rate(one.model);
  const { read, hour, five } = sizes(one);
  const sent = one.usage.input_tokens + 1.25 * five + 2 * hour + 0.1 * read;
  return (sent * input + one.usage.output_tokens * output) / 1e6;
}

const all = [...answers.values()];
const sum = (pick, from = all) => from.reduce((total, one) => total + pick(one), 0);
const newest = Math.max(...all.map(({ at }) => at).filter((at) => !Number.isNaN(at)));
/** A minute after the last request: then a block of five hours is open. */
const clock = newest + 60_000;
const from = Math.floor((clock + 1 - 30 * DAY) / DAY) * DAY;
const month = [...answers].filter(([, { at }]) => at >= from);
const monthly = month.map(([, one]) => one);

/** From the full hour of the first request, five hours or until five hours of silence: the last one. */
function lastBlock() {
  let block = [];
  let start = 0;
  for (const one of all.filter(({ at }) => at > clock - 14 * DAY).sort((left, right) => left.at - right.at)) {
    if (block.length === 0 || one.at - start > 5 * HOUR || one.at - block.at(-1).at > 5 * HOUR) {
      block = [];
      start = Math.floor(one.at / HOUR) * HOUR;
    }
    block.push(one);
  }
  return block;
}

function ask(...words) {
  const preload = `data:text/javascript,Date.now=()=>${clock}`;
  return JSON.parse(
    execFileSync(process.execPath, ["--import", preload, resolve(program), ...words, "--json"], {
      env: { HOME: home, PATH: process.env.PATH, PLIMSOLL_BACKGROUND: "0" },
      maxBuffer: 1 << 28,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
}

const home = mkdtempSync(join(tmpdir(), "ten-numbers-"));
mkdirSync(join(home, ".claude"));
symlinkSync(resolve(folder), join(home, ".claude", "projects"));
const stats = ask("stats");
const replayed = ask("replay");
const now = ask("now");
rmSync(home, { recursive: true });

const usdOf = ({ policies }, name) => policies.find((policy) => policy.name === name).netUsd;
const inMonth = new Set(
  monthly.flatMap(({ files }) => [...files].map((file) => relative(folder, file).split(sep).join("/"))),
);
const lastDays = [...replayed.sessions, ...replayed.shortSessions].filter(({ name }) =>
  [...inMonth].some((file) => file === name || file.endsWith(`/${name}`)),
);

const numbers = [
  ["requests", all.length, stats.totals.requests],
  ["tokens read from the cache", sum((one) => sizes(one).read), stats.totals.cacheReadTokens],
  ["output tokens", sum(({ usage }) => usage.output_tokens), stats.totals.outputTokens],
  ["dollars, by the rules of ccusage", sum(price), stats.totals.totalUsd],
  ["requests of the last 30 days", month.length, now.look.requests],
  ["dollars of the last 30 days", sum(price, monthly), now.look.totalUsd],
  ["of them for pauses", sum(([id]) => pauses.get(id) ?? 0, month), now.look.pauses.usd],
  ["dollars of the open five hours", sum(price, lastBlock()), now.limits.find(({ name }) => name === "five_hour")?.usd],
  [
    "dollars that Plimsoll would have saved, by replay",
    sum((one) => one.recordedUsd * (1 - usdOf(one, replayed.installed) / usdOf(one, "native")), lastDays),
    now.saved?.savedUsd,
  ],
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
  const show = (value) => (Number.isInteger(value) ? String(value) : (value?.toFixed(2) ?? "-"));
  console.log(
    `${isSame ? "same  " : "DIFFER"}  ${name.padEnd(36)} ${show(ours).padStart(14)} ${show(theirs).padStart(14)}`,
  );
}
process.exit(wrong === 0 ? 0 : 1);
