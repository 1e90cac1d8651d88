// `node scripts/write-results.mjs measure`: replays the public sessions twice (minutes), writes docs/results.json, then every figure in README
// and the documents that is marked `<!--=NAME-->…<!--=-->`. With two files, REPLAY.json and AT-EDIT.json, these are taken instead of replaying;
// without anything only the marked figures are written again.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const RESULTS = path.join(root, "docs/results.json");
const COMMAND =
  "npm run lab -- replay ../shared/transcripts --policies plimsoll,plimsoll:thrifty,plimsoll:cautious,clairvoyant+recover,plimsoll+opus-5-5,native+opus-5-5,plimsoll+fable-5-1,native+fable-5-1,native@200k,native@100k,clairvoyant --check --json";
const AT_EDIT = "npm run lab -- replay ../shared/transcripts --policies plimsoll --marks atEdit --json";
const OWN = "plimsoll";
const MOST_APART = 0.15;
const WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const [first, second] = process.argv.slice(2);
const kept = JSON.parse(readFileSync(RESULTS, "utf8"));
const replays = first === "measure" ? [COMMAND, AT_EDIT].map(replayOnce) : [first, second].filter(Boolean).map(read);
const results = replays.length > 0 ? { ...kept, ...measure(...replays) } : kept;
Object.assign(results.figures, deriveSavings({ ...results.figures, ...results.elsewhere }));
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
execFileSync("npx", ["biome", "format", "--write", RESULTS], { cwd: root, stdio: "ignore" });
for (const file of [
  "README.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
])
  fill(path.join(root, file));

/** The same ratios as people read them: how much less is paid. */
function deriveSavings(figures) {
  const percent = (ratio) => Math.round((1 - ratio) * 100);
  const saved = (name, text) => [`${name}Saved`, { value: figures[name].value, text, about: `${name} as a saving` }];
  return Object.fromEntries([
    ...["heldOut", "net", "net200k", "net1m", "besideNative200k", "played"].map((name) =>
      saved(name, `${percent(figures[name].value)} %`),
    ),
    saved("played100k", `${-percent(figures.played100k.value)} %`),
    ...["netInterval", "net200kInterval", "net1mInterval"].map((name) => {
      const { low, high } = figures[name].value;
      return saved(name, `${percent(high)} to ${percent(low)} %`);
    }),
  ]);
}

function replayOnce(command) {
  const [program, ...words] = command.replace("npm run", "npm run --silent").split(" ");
  return JSON.parse(execFileSync(program, words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30 }));
}

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function fill(file) {
  const before = readFileSync(file, "utf8");
  const after = before.replace(/<!--=(\w+)-->.*?<!--=-->/g, (_, name) => {
    const figure = results.figures[name] ?? results.elsewhere[name];
    if (!figure) throw new Error(`${file}: no figure is called ${name}`);
    return `<!--=${name}-->${figure.text}<!--=-->`;
  });
  if (after !== before) writeFileSync(file, after);
}

function measure(replay, atEdit) {
  const policy = (name, answer = replay) => answer.policies.find((one) => one.name === name);
  const group = (name) => replay.groups.find((one) => one.name === name);
  const relative = (name) => group(name).policies.find((one) => one.name === OWN).relative;
  const own = policy(OWN);
  const native = policy("native");
  const heldOut = new Set(kept.heldOut.repositories);
  const isHeldOut = ({ repository }) => heldOut.has(repository);
  const ratios = new Map(replay.check.sessions.map((one) => [one.name, one.simulatedUsd / one.recordedUsd]));
  const near = replay.sessions.filter(({ name }) => Math.abs(ratios.get(name) - 1) <= MOST_APART);
  const every = own.requests / own.fetches;
  const netOf = (session, name) => session.policies.find((one) => one.name === name).netUsd;
  const ratio = (sessions) =>
    sessions.reduce((sum, one) => sum + netOf(one, OWN), 0) /
    sessions.reduce((sum, one) => sum + netOf(one, "native"), 0);
  const interval = ({ low, high }) => `${low.toFixed(2)} to ${high.toFixed(2)}`;
  const figures = {};
  const add = (name, value, text, about) => (figures[name] = { value, text, about });
  const three = (name, value, about) => add(name, value, value.toFixed(3), about);
  const percent = (name, value, about) => add(name, value, `${(value * 100).toFixed(1)} %`, about);
  const held = replay.sessions.filter(isHeldOut);
  three("heldOut", ratio(held), "net over the client, sessions of the repositories that are laid aside");
  add("heldOutSessions", held.length, String(held.length), "sessions of these repositories");
  three("net", own.relative.netUsd, "net over the client, all sessions of at least 60 requests");
  add(
    "netInterval",
    own.relative.netInterval,
    interval(own.relative.netInterval),
    "90 % interval, resampled over repositories",
  );
  three("net200k", relative("window200k").netUsd, "the same, windows of 200k");
  add(
    "net200kInterval",
    relative("window200k").netInterval,
    interval(relative("window200k").netInterval),
    "its interval",
  );
  add(
    "sessions200k",
    group("window200k").sessions,
    String(group("window200k").sessions),
    "sessions with a window of 200k",
  );
  three("net1m", relative("window1m").netUsd, "the same, windows of 1M");
  add("net1mInterval", relative("window1m").netInterval, interval(relative("window1m").netInterval), "its interval");
  add("sessions1m", group("window1m").sessions, String(group("window1m").sessions), "sessions with a window of 1M");
  three("netShort", relative("short").netUsd, "sessions of fewer than 60 requests");
  three("netNear", ratio(near), "sessions whose simulation is within 15 % of what was recorded");
  add("nearSessions", near.length, String(near.length), "sessions of that kind");
  if (atEdit) three("netAtEdit", policy(OWN, atEdit).relative.netUsd, "with cache marks at the edit");
  for (const [name, model, share] of [
    ["netRead5", "opus-5-5", "5 %"],
    ["netRead2", "fable-5-1", "2.5 %"],
  ]) {
    const [ours, client] = [`${OWN}+${model}`, `native+${model}`];
    const about = `at the prices of ${model} (cache reads at ${share} of the input price), decided anew`;
    three(name, policy(ours).netUsd / policy(client).netUsd, `net over the client, ${about}`);
    const sum = (which) => held.reduce((total, one) => total + netOf(one, which), 0);
    three(`${name}HeldOut`, sum(ours) / sum(client), `the same, repositories that are laid aside, ${about}`);
  }
  add(
    "netUsd",
    own.netUsd,
    `${own.netUsd.toFixed(0)} (${own.intervals.netUsd.low.toFixed(0)} to ${own.intervals.netUsd.high.toFixed(0)})`,
    "dollars",
  );
  three("netMedian", own.relative.sessionMedian, "the median session");
  three("netWorst", own.relative.worst.netUsd, "the most expensive session");
  add(
    "sessionP95",
    own.relative.sessionP95,
    own.relative.sessionP95.toFixed(2),
    "nineteen of twenty sessions stay below",
  );
  add(
    "besideNative200k",
    own.netUsd / policy("native@200k").netUsd,
    (own.netUsd / policy("native@200k").netUsd).toFixed(2),
    "net over a client that is set to 200k",
  );
  add(
    "besideNative100k",
    own.netUsd / policy("native@100k").netUsd,
    (own.netUsd / policy("native@100k").netUsd).toFixed(2),
    "net over a client that is set to 100k, on price alone",
  );
  three("native200k", policy("native@200k").relative.netUsd, "a client that is set to 200k, on price alone");
  three("native100k", policy("native@100k").relative.netUsd, "a client that is set to 100k, on price alone");
  add(
    "native200kHeld",
    policy("native@200k").bounds.heldAsRecorded.relativeNetUsd,
    policy("native@200k").bounds.heldAsRecorded.relativeNetUsd.toFixed(2),
    "with re-reads of what recorded summaries lack",
  );
  add(
    "native100kHeld",
    policy("native@100k").bounds.heldAsRecorded.relativeNetUsd,
    policy("native@100k").bounds.heldAsRecorded.relativeNetUsd.toFixed(2),
    "with re-reads of what recorded summaries lack",
  );
  const two = (value) => value.toFixed(2);
  for (const [name, which] of [
    ["rowOwn", OWN],
    ["rowNative100k", "native@100k"],
    ["rowNative200k", "native@200k"],
  ]) {
    const { relative: own, bounds } = policy(which);
    const of = (which_) => group(which_).policies.find((one) => one.name === which).relative;
    const cells = [
      `${own.netUsd.toFixed(3)} (${interval(own.netInterval)})`,
      two(of("window200k").netUsd),
      two(of("window1m").netUsd),
      `${two(of("short").netUsd)}, ${two(of("short").worst.netUsd)}`,
      ...[own.sessionMedian, own.worst.netUsd].map(two),
      `${Math.round(own.dearerShare * 100)} %`,
      ...[own.requests, own.tokens, own.uncachedTokens].map(two),
      bounds ? `${two(bounds.heldAsRecorded.relativeNetUsd)} / ${two(bounds.heldNothing.relativeNetUsd)}` : "–",
    ];
    add(name, own.netUsd, cells.join(" | "), `its row of docs/research/benchmark.md, ${which}`);
  }
  for (const [name, which] of [
    ["fetchPriceOwn", OWN],
    ["fetchPriceThrifty", "plimsoll:thrifty"],
    ["fetchPriceCautious", "plimsoll:cautious"],
    ["fetchPriceForesight", "clairvoyant+recover"],
  ]) {
    const { sendUsd, recoveryUsd, rereadUsd, relative } = policy(which);
    const nets = [0, 0.5, 1, 2, 3].map((times) => (sendUsd + times * (recoveryUsd + rereadUsd)) / native.netUsd);
    const about = `net of ${which} where fetching back costs 0, 0.5, 1, 2 and 3 times as much`;
    add(name, relative.netUsd, nets.map((net) => net.toFixed(3)).join(" | "), about);
  }
  const rival = policy("native@100k").bounds;
  for (const [name, bound] of [
    ["besideHeld100k", rival.heldAsRecorded],
    ["besideNothing100k", rival.heldNothing],
  ])
    add(
      name,
      own.netUsd / bound.netUsd,
      two(own.netUsd / bound.netUsd),
      "net over a client that is set to 100k, with re-reads",
    );
  percent("native100kLostMost", rival.heldNothing.coldLost, "older need lost by it, if its summaries hold nothing");
  percent("inSight", own.coldRetained, "older need in view");
  percent("behindHandle", own.coldRecoverable, "older need behind a handle");
  percent("nativeInSight", native.coldRetained, "older need in view, the client");
  percent(
    "native100kLost",
    policy("native@100k").bounds.heldAsRecorded.coldLost,
    "older need lost by a client that is set to 100k, if its summaries are as good as recorded ones",
  );
  percent("editLines", own.editLineRecall, "edited lines in view");
  add(
    "fetchEvery",
    every,
    WORDS[Math.round(every)] ?? String(Math.round(every)),
    "one request in so many fetches something back",
  );
  add("fetchShare", own.fetches / own.requests, (own.fetches / own.requests).toFixed(2), "fetches a request");
  add("busts", own.prefixBusts, String(own.prefixBusts), "changed prefixes");
  add("nativeBusts", native.prefixBusts, String(native.prefixBusts), "changed prefixes, the client");
  add("sessions", replay.sessions.length, String(replay.sessions.length), "sessions of at least 60 requests");
  add("repositories", group("all").repositories, String(group("all").repositories), "repositories");
  add("requests", replay.requests, replay.requests.toLocaleString("en-US"), "requests");
  three(
    "checkTotal",
    replay.check.dollars.asTimeStampsExplain.totalRatio,
    "simulated over recorded dollars, all sessions",
  );
  for (const [name, reading] of Object.entries(replay.check.dollars)) {
    const { medianRatio, p10Ratio, p90Ratio, totalRatio, totalInterval } = reading;
    const ratios = [medianRatio, p10Ratio, p90Ratio, totalRatio].map((one) => one.toFixed(3)).join(" | ");
    const range = `${totalInterval.low.toFixed(3)} to ${totalInterval.high.toFixed(3)}`;
    add(
      `check_${name}`,
      totalRatio,
      `${ratios} (${range})`,
      "simulated over recorded dollars: median, p10, p90, total",
    );
  }
  three("checkWithMisses", replay.check.dollars.withRecordedMisses.totalRatio, "the same with recorded cache misses");
  return {
    command: COMMAND,
    day: new Date().toISOString().slice(0, 10),
    pricesAsOf: replay.pricesAsOf,
    entryPoint: "the policy, in replay",
    figures,
  };
}
