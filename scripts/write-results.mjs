// `node scripts/write-results.mjs measure`: replays the public sessions (about half an hour on one core; what an interrupted run has walked is
// used again), writes docs/results.json, then every figure in README and the documents that is marked `<!--=NAME-->…<!--=-->`. With files,
// REPLAY.json, LAID-ASIDE.json and AT-EDIT.json, these are taken instead of replaying; `propose` asks again to whom install proposes its cache life; without
// anything only the marked figures are written again. A marked figure that was not measured stays, with the day of its own measurement.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const RESULTS = path.join(root, "docs/results.json");
const OWN = "plimsoll";
const POLICY = "the policy, in replay";
const CLIENT = "Claude Code, in replay";
const [BASE, BOTH] = ["door:module+base", "door:module+base@1h+5m"];
/**
 * What somebody could have, by the name of its figures; `isOwn`: also as single figures and as savings; `proposed`: the row of the
 * repositories to whose sessions `install` proposes its cache life.
 */
const ROWS = [
  {
    key: "installed",
    row: BASE,
    proposed: BOTH,
    entryPoint:
      "the module in Claude Code as install sets it up: the cache life where each repository's own sessions pay for it, unused tools behind the tool search; in replay",
    isOwn: true,
  },
  {
    key: "installedKeep",
    row: "door:module",
    proposed: "door:module@1h+5m",
    entryPoint:
      "the module in Claude Code as install sets it up: the cache life where each repository's own sessions pay for it, all tools in front; in replay",
    isOwn: true,
  },
  { key: "module", row: "door:module", entryPoint: "the module in Claude Code, in replay", isOwn: true },
  {
    key: "moduleBase",
    row: BASE,
    entryPoint: "the module in Claude Code with unused tools behind the tool search, in replay",
    isOwn: true,
  },
  {
    key: "moduleLife",
    row: "door:module@1h+5m",
    entryPoint: "the module in Claude Code with the cache life that install proposes, in replay",
    isOwn: true,
  },
  {
    key: "moduleBoth",
    row: BOTH,
    entryPoint: "the module in Claude Code with that cache life and unused tools behind the tool search, in replay",
    isOwn: true,
  },
  { key: "policy", row: OWN, entryPoint: POLICY },
  {
    key: "policyBoth",
    row: `${OWN}+both`,
    entryPoint: "the policy with the split cache life and unused tools behind the tool search, in replay",
  },
  { key: "gateway", row: "door:gateway", entryPoint: "the gateway, in replay" },
  { key: "client100k", row: "native@100k", entryPoint: "Claude Code set to 100k, in replay", isOwn: true },
  { key: "client200k", row: "native@200k", entryPoint: "Claude Code set to 200k, in replay" },
  { key: "clientIdle", row: "native+idle", entryPoint: "Claude Code that compacts idle sessions, in replay" },
];
/** At the prices that the sessions were recorded at, and at those of the model that people start with. */
const PRICES = [
  { key: "", suffix: "" },
  { key: "Newest", suffix: "+opus-5-5" },
];
const FURTHER = [`${OWN}+fable-5-1`, `${OWN}:thrifty`, `${OWN}:cautious`, "clairvoyant+recover"];
/** Entry points as they run take minutes a row: over all sessions those that README states, and all of them where nothing is tuned. */
const EVERYWHERE = [...[BASE, BOTH, "door:module"].map((row) => `${row}+opus-5-5`), "door:module"];
const LAID_ASIDE = [...PRICES.flatMap(({ suffix }) => ROWS.map(({ row }) => row + suffix)), `${BOTH}+sonnet-5-5`];
const CHEAP = LAID_ASIDE.filter((name) => !name.startsWith("door:"));
const SESSIONS = path.join(root, "../shared/transcripts");
const kept = JSON.parse(readFileSync(RESULTS, "utf8"));
const COMMAND = renderReplay(["../shared/transcripts"], [...EVERYWHERE, ...CHEAP, ...FURTHER], "--check");
const AT_LAID_ASIDE = renderReplay(
  kept.heldOut.repositories.map((name) => `../shared/transcripts/${name}`),
  LAID_ASIDE,
);
const AT_EDIT = `${renderReplay(["../shared/transcripts"], [OWN])} --marks atEdit`;
/** What `install` asks for a person's own sessions, here a repository's. */
const PROPOSE =
  "node dist/plimsoll.cjs replay ../shared/transcripts/REPOSITORY --policies plimsoll,plimsoll@1h+5m --json";
/** Nobody outside knows what a token read from the cache counts against a subscription: guesses from nothing to its price today. */
const READ_WEIGHTS = [0, 1 / 70, 0.05];
const MOST_APART = 0.15;
const WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const DOCUMENTS = [
  "README.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const MARKED = /<!--=(\w+)-->.*?<!--=-->/g;

const { drawResamples, findInterval } = await loadResampling();
const [first, ...more] = process.argv.slice(2);
if (first === "measure" || first === "propose") kept.proposed = { command: PROPOSE, repositories: listProposed() };
const isGiven = first !== undefined && first !== "measure" && first !== "propose";
const replays =
  first === "measure" ? [COMMAND, AT_LAID_ASIDE, AT_EDIT].map(replayOnce) : isGiven ? [first, ...more].map(read) : [];
const results = replays.length > 0 ? { ...kept, ...measure(...replays) } : kept;
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
execFileSync("npx", ["biome", "format", "--write", RESULTS], { cwd: root, stdio: "ignore" });
for (const file of DOCUMENTS) fill(path.join(root, file));

/** The same ratio as people read it: how much less is paid. */
function renderSaving(value) {
  const percent = (ratio) => Math.round((1 - ratio) * 100);
  return typeof value === "number" ? `${percent(value)} %` : `${percent(value.high)} to ${percent(value.low)} %`;
}

function renderReplay(folders, rows, ...options) {
  return ["npm run lab -- replay", ...folders, "--policies", [...new Set(rows)].join(","), ...options, "--json"].join(
    " ",
  );
}

/** The product's own draws, so that an interval here is what `plimsoll replay` prints. */
async function loadResampling() {
  const entryPoints = [path.join(root, "src/replay/compare-sessions.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: "esm", platform: "node" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** The repositories to whose sessions `install` proposes its cache life. */
function listProposed() {
  execFileSync("node", ["scripts/build.mjs", "--program"], { cwd: root });
  const folders = readdirSync(SESSIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .filter((name) => replayOnce(PROPOSE.replace("REPOSITORY", name)).installed === "plimsoll@1h+5m");
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
  const after = before.replace(MARKED, (_, name) => {
    const figure = results.figures[name] ?? results.elsewhere[name];
    if (!figure) throw new Error(`${file}: no figure is called ${name}`);
    return `<!--=${name}-->${figure.text}<!--=-->`;
  });
  if (after !== before) writeFileSync(file, after);
}

/** What documents state and this run did not measure. */
function keepUnmeasured(figures) {
  const stated = DOCUMENTS.flatMap((file) => [...readFileSync(path.join(root, file), "utf8").matchAll(MARKED)]);
  for (const [, name] of stated) if (!figures[name] && kept.figures[name]) figures[name] = kept.figures[name];
}

/** Shares of the client alone at the same prices, of a row that each session names; `weights`: of what counts against a subscription. */
function compareRow(replay, nameOf, { suffix, isHeldOut }) {
  const of = (session, name) => session.policies.find((one) => one.name === name);
  const pair = (session) => {
    const { repository, windowTokens } = session;
    const isLaidAside = isHeldOut(session);
    return {
      repository,
      windowTokens,
      isLaidAside,
      own: of(session, nameOf(session)),
      client: of(session, `native${suffix}`),
    };
  };
  const long = replay.sessions.map(pair);
  const held = long.filter(({ isLaidAside }) => isLaidAside);
  const small = long.filter(({ windowTokens }) => windowTokens <= 200_000);
  const ratio = (pairs, count = ({ netUsd }) => netUsd, times = pairs.map(() => 1)) => {
    const sum = (which) => pairs.reduce((total, one, index) => total + times[index] * count(one[which]), 0);
    return sum("own") / sum("client");
  };
  const describe = (pairs) => ({
    netUsd: ratio(pairs),
    netInterval: findInterval(
      drawResamples(pairs.map(({ repository }) => repository)).map((times) => {
        const net = ratio(pairs, undefined, times);
        return Number.isFinite(net) ? net : undefined;
      }),
    ),
    worst: Math.max(...pairs.map(({ own, client }) => own.netUsd / client.netUsd)),
  });
  const total = (count) => long.reduce((sum, { own }) => sum + count(own), 0);
  return {
    heldOut: describe(held),
    others200k: ratio(small.filter(({ isLaidAside }) => !isLaidAside)),
    all: describe(long),
    window200k: describe(small),
    window1m: describe(long.filter(({ windowTokens }) => windowTokens >= 1_000_000)),
    short: describe(replay.shortSessions.map(pair)),
    requestsPerFetch: total(({ requests }) => requests) / total(({ fetches }) => fetches),
    weights: READ_WEIGHTS.map((weight) => {
      const count = ({ tokens, uncachedTokens }) => uncachedTokens + weight * (tokens - uncachedTokens);
      return { weight, all: ratio(long, count), heldOut: ratio(held, count) };
    }),
  };
}

function measure(replay, aside, atEdit) {
  const policy = (name, answer = replay) => answer.policies.find((one) => one.name === name);
  const group = (name) => replay.groups.find((one) => one.name === name);
  const relative = (name) => group(name).policies.find((one) => one.name === OWN).relative;
  const own = policy(OWN);
  const native = policy("native");
  const laidAside = new Set(kept.heldOut.repositories);
  const isHeldOut = ({ repository }) => laidAside.has(repository);
  const ratios = new Map(replay.check.sessions.map((one) => [one.name, one.simulatedUsd / one.recordedUsd]));
  const near = replay.sessions.filter(({ name }) => Math.abs(ratios.get(name) - 1) <= MOST_APART);
  const every = own.requests / own.fetches;
  const netOf = (session, name) => session.policies.find((one) => one.name === name).netUsd;
  const ratio = (sessions) =>
    sessions.reduce((sum, one) => sum + netOf(one, OWN), 0) /
    sessions.reduce((sum, one) => sum + netOf(one, "native"), 0);
  const two = (value) => value.toFixed(2);
  const interval = ({ low, high }) => `${two(low)} to ${two(high)}`;
  const day = new Date().toISOString().slice(0, 10);
  const figures = {};
  const add = (name, value, text, about, entryPoint = POLICY) =>
    (figures[name] = { value, text, about, entryPoint, day });
  const three = (name, value, about, entryPoint) => add(name, value, value.toFixed(3), about, entryPoint);
  const percent = (name, value, about, entryPoint) =>
    add(name, value, `${(value * 100).toFixed(1)} %`, about, entryPoint);
  const saving = (name, value, about, entryPoint) => add(name, value, renderSaving(value), about, entryPoint);
  const held = replay.sessions.filter(isHeldOut);
  add("day", day, day, "the day of the replay that the documents state", "replay");
  for (const { key, suffix } of PRICES)
    for (const row of ROWS) {
      const isIn = (answer) => [row.row, row.proposed ?? row.row].every((name) => policy(name + suffix, answer));
      const described = { ...row, key: row.key + key, suffix };
      if (isIn(replay)) addRow(described);
      if (isIn(aside)) addLaidAside(described);
    }
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
  for (const name of ["heldOut", "net", "net200k", "net1m", "netInterval", "net200kInterval", "net1mInterval"])
    saving(`${name}Saved`, figures[name].value, `${name} as a saving`);
  three("netShort", relative("short").netUsd, "sessions of fewer than 60 requests");
  three("netNear", ratio(near), "sessions whose simulation is within 15 % of what was recorded");
  add("nearSessions", near.length, String(near.length), "sessions of that kind");
  if (atEdit) three("netAtEdit", policy(OWN, atEdit).relative.netUsd, "with cache marks at the edit");
  const sonnet = compareRow(aside, () => `${BOTH}+sonnet-5-5`, { suffix: "+sonnet-5-5", isHeldOut });
  three(
    "moduleBothSonnetHeldOut",
    sonnet.heldOut.netUsd,
    "net over the client at the prices of Sonnet 5.5, decided anew; repositories that are laid aside",
    ROWS.find(({ key }) => key === "moduleBoth").entryPoint,
  );
  if (policy(`${OWN}+fable-5-1`)) {
    const fable = compareRow(replay, () => `${OWN}+fable-5-1`, { suffix: "+fable-5-1", isHeldOut });
    const about =
      "net over the client at the prices of Fable 5.1 (cache reads at 2.5 % of the input price), decided anew";
    three("netRead2", fable.all.netUsd, about);
    three("netRead2HeldOut", fable.heldOut.netUsd, `${about}; repositories that are laid aside`);
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
  three("native200k", policy("native@200k").relative.netUsd, "a client that is set to 200k, on price alone", CLIENT);
  three("native100k", policy("native@100k").relative.netUsd, "a client that is set to 100k, on price alone", CLIENT);
  add(
    "native200kHeld",
    policy("native@200k").bounds.heldAsRecorded.relativeNetUsd,
    policy("native@200k").bounds.heldAsRecorded.relativeNetUsd.toFixed(2),
    "with re-reads of what recorded summaries lack",
    CLIENT,
  );
  add(
    "native100kHeld",
    policy("native@100k").bounds.heldAsRecorded.relativeNetUsd,
    policy("native@100k").bounds.heldAsRecorded.relativeNetUsd.toFixed(2),
    "with re-reads of what recorded summaries lack",
    CLIENT,
  );
  for (const [name, which, entryPoint] of [
    ["rowOwn", OWN, POLICY],
    ["rowNative100k", "native@100k", CLIENT],
    ["rowNative200k", "native@200k", CLIENT],
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
    add(name, own.netUsd, cells.join(" | "), `its row of docs/research/benchmark.md, ${which}`, entryPoint);
  }
  for (const [name, which, entryPoint] of [
    ["fetchPriceOwn", OWN, POLICY],
    ["fetchPriceThrifty", "plimsoll:thrifty", "the policy set to thrifty, in replay"],
    ["fetchPriceCautious", "plimsoll:cautious", "the policy set to cautious, in replay"],
    ["fetchPriceForesight", "clairvoyant+recover", "perfect foresight, in replay"],
  ].filter(([, which]) => policy(which))) {
    const { sendUsd, recoveryUsd, rereadUsd, relative } = policy(which);
    const nets = [0, 0.5, 1, 2, 3].map((times) => (sendUsd + times * (recoveryUsd + rereadUsd)) / native.netUsd);
    const about = `net of ${which} where fetching back costs 0, 0.5, 1, 2 and 3 times as much`;
    add(name, relative.netUsd, nets.map((net) => net.toFixed(3)).join(" | "), about, entryPoint);
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
  percent(
    "native100kLostMost",
    rival.heldNothing.coldLost,
    "older need lost by it, if its summaries hold nothing",
    CLIENT,
  );
  percent("inSight", own.coldRetained, "older need in view");
  percent("behindHandle", own.coldRecoverable, "older need behind a handle");
  percent("nativeInSight", native.coldRetained, "older need in view, the client", CLIENT);
  percent(
    "native100kLost",
    policy("native@100k").bounds.heldAsRecorded.coldLost,
    "older need lost by a client that is set to 100k, if its summaries are as good as recorded ones",
    CLIENT,
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
  add("nativeBusts", native.prefixBusts, String(native.prefixBusts), "changed prefixes, the client", CLIENT);
  add("sessions", replay.sessions.length, String(replay.sessions.length), "sessions of at least 60 requests");
  add("repositories", group("all").repositories, String(group("all").repositories), "repositories");
  add("requests", replay.requests, replay.requests.toLocaleString("en-US"), "requests");
  three(
    "checkTotal",
    replay.check.dollars.asTimeStampsExplain.totalRatio,
    "simulated over recorded dollars, all sessions",
    CLIENT,
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
      CLIENT,
    );
  }
  three(
    "checkWithMisses",
    replay.check.dollars.withRecordedMisses.totalRatio,
    "the same with recorded cache misses",
    CLIENT,
  );
  saving("besideNative200kSaved", figures.besideNative200k.value, "net over a client that is set to 200k, as a saving");
  keepUnmeasured(figures);
  return {
    command: COMMAND,
    laidAside: AT_LAID_ASIDE,
    day,
    pricesAsOf: replay.pricesAsOf,
    entryPoint: POLICY,
    figures,
  };

  /** The row that each session has under what `described` says. */
  function nameRow({ row, proposed = row, suffix }) {
    return ({ repository }) => (kept.proposed.repositories.includes(repository) ? proposed : row) + suffix;
  }

  function tellPrices(suffix) {
    return suffix === "" ? "at recorded prices" : `at the prices of ${suffix.slice(1)}, decided anew`;
  }

  function addLaidAside(described) {
    const { key, suffix, entryPoint, isOwn = false } = described;
    const { heldOut, weights } = compareRow(aside, nameRow(described), { suffix, isHeldOut });
    const about = `repositories that are laid aside, ${tellPrices(suffix)}`;
    const counted = weights.map((one) => one.heldOut);
    add(
      `${key}LaidAside`,
      heldOut,
      [heldOut.netUsd, heldOut.worst, ...counted].map(two).join(" | "),
      about,
      entryPoint,
    );
    if (!isOwn) return;
    three(`${key}HeldOut`, heldOut.netUsd, `net over the client, ${about}`, entryPoint);
    saving(`${key}HeldOutSaved`, heldOut.netUsd, `the same as a saving, ${about}`, entryPoint);
  }

  function addRow(described) {
    const { key, row, suffix, entryPoint, proposed = row, isOwn = false } = described;
    const compared = compareRow(replay, nameRow(described), { suffix, isHeldOut });
    const { heldOut, all, window200k, window1m, short, requestsPerFetch: every } = compared;
    const cells = [
      `${two(heldOut.netUsd)}, ${two(heldOut.worst)}`,
      two(compared.others200k),
      ...[window200k, window1m, all].map(({ netUsd, netInterval }) => `${two(netUsd)} (${interval(netInterval)})`),
      two(all.worst),
      `${two(short.netUsd)}, ${two(short.worst)}`,
      Number.isFinite(every) ? `one in ${every.toFixed(1)}` : "–",
    ];
    const about = tellPrices(suffix);
    add(`${key}Row`, compared, cells.join(" | "), `its row of docs/research/results.md, ${about}`, entryPoint);
    const weights = compared.weights.flatMap((one) => [one.heldOut, one.all]).map(two);
    add(
      `${key}Weights`,
      compared.weights,
      weights.join(" | "),
      `what counts against a subscription, ${about}`,
      entryPoint,
    );
    if (!isOwn) return;
    for (const [name, value] of Object.entries({
      "200k": window200k.netUsd,
      "1m": window1m.netUsd,
      All: all.netUsd,
    })) {
      three(`${key}${name}`, value, `net over the client, ${about}`, entryPoint);
      saving(`${key}${name}Saved`, value, `the same as a saving, ${about}`, entryPoint);
    }
    for (const [name, { netInterval }] of Object.entries({ "200k": window200k, "1m": window1m, All: all })) {
      add(`${key}${name}Interval`, netInterval, interval(netInterval), `its interval, ${about}`, entryPoint);
      saving(`${key}${name}IntervalSaved`, netInterval, `its interval as a saving, ${about}`, entryPoint);
    }
    // Claude Code fetches nothing back.
    if (!Number.isFinite(every)) return;
    add(
      `${key}FetchEvery`,
      every,
      WORDS[Math.round(every)] ?? String(Math.round(every)),
      "one request in so many fetches something back",
      entryPoint,
    );
    if (proposed === row) percent(`${key}InSight`, policy(row + suffix).coldRetained, "older need in view", entryPoint);
  }
}
