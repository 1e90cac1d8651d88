import type { PlantedFault } from "./planted-fault.ts";
import { AROUND, STEPS, SURVIVORS, TRUST } from "./trust-and-steps.ts";

const GATEWAY = "src/doors/gateway";

const fault = (
  name: string,
  [file, test]: readonly [file: string, test: string],
  [find, replace]: readonly [find: string, replace: string],
): PlantedFault => ({ name, file, test, find, replace });

const inGateway = (file: string, test = file.replace(/\.ts$/, ".test.ts")): readonly [string, string] => [
  `${GATEWAY}/${file}`,
  test.startsWith("test/") ? test : `${GATEWAY}/${test}`,
];

/** Those that every test once passed over. */
const OLD: readonly PlantedFault[] = [
  fault("one more is under way than may be", inGateway("limits/fleet-limits.ts"), [
    "active < Math.min(places, user.concurrent)",
    "active <= Math.min(places, user.concurrent)",
  ]),
  fault("a proxy's credentials are passed on", inGateway("http/filter-headers.ts"), [" proxy-authorization", ""]),
  fault("requests of one conversation do not wait for each other", inGateway("prepare-request.ts"), [
    "before.then(work, work)",
    "work()",
  ]),
  fault("a body is unpacked without a limit", inGateway("http/decode-body.ts"), [
    "maxOutputLength: maxBytes",
    "maxOutputLength: 2 ** 30",
  ]),
  fault("facts are never kept", inGateway("prepare-request.ts", "test/gateway/facts.test.ts"), [
    "store.saveFacts(session, next);",
    "",
  ]),
  fault(
    "a file is written in its place",
    ["src/files/private-files.ts", "src/files/private-files.test.ts"],
    ["    renameSync(aside, file);", "    rmSync(aside);\n    writeFileSync(file, content);"],
  ),
  fault(
    "nobody waits for the disk",
    ["src/files/private-files.ts", "src/files/private-files.test.ts"],
    ["if (isDurable) fsyncSync(handle);", "if (isDurable && mode === -1) fsyncSync(handle);"],
  ),
  fault("another instance's decisions are ignored", inGateway("request/replay-view.ts"), [
    "if (decisions !== earlier.decisions) return undefined;",
    "",
  ]),
];

const NEW: readonly PlantedFault[] = [
  fault("an instance's own places count against it", inGateway("limits/grant-use.ts", "limits/fleet-limits.test.ts"), [
    "hold.instance !== instance && hold.untilMs > nowMs",
    "hold.untilMs > nowMs",
  ]),
  fault("what was not used is lost", inGateway("limits/grant-use.ts"), [
    "before.left + filled + ask.unused",
    "before.left + filled",
  ]),
  fault("what was granted is granted again", inGateway("limits/grant-use.ts"), ["left: left - requests,", "left,"]),
  fault("a database that is away is asked about everybody", inGateway("limits/fleet-limits.ts"), [
    "awayUntilMs = clockMs() + REST_MS;",
    "",
  ]),
  fault("a page of another site is served", inGateway("access.ts"), [
    "origin !== undefined && !isLoopback(",
    "origin === undefined && !isLoopback(",
  ]),
  fault("a clock that was set back prolongs a rest", inGateway("request/session-memory.ts"), [
    " && nowMs >= rest.untilMs - rest.lengthMs",
    "",
  ]),
  fault("rests do not grow", inGateway("request/session-memory.ts"), ["rest.lengthMs * 2", "rest.lengthMs"]),
  fault("memory that was promised is promised again", inGateway("http/memory-room.ts"), [
    "    aside.heapBytes += heapBytes;\n",
    "",
  ]),
  fault("a role in escapes is no role", inGateway("messages-wire.ts", "test/gateway/leave-ahead.test.ts"), [
    `['"assistant"', "\\\\u006", "\\\\u007"]`,
    `['"assistant"']`,
  ]),
  fault(
    "what an answer told before its request was read is forgotten",
    inGateway("prepare-request.ts", "test/gateway/leave-ahead.test.ts"),
    ["if (usage) prepared.finish(usage);", ""],
  ),
  fault("the second half of a frame is passed over", inGateway("http/watch-usage.ts"), [
    "wasBetween && isBetweenFrames && !signs",
    "isBetweenFrames && !signs",
  ]),
  fault("two users share a conversation", inGateway("request/identify-session.ts"), [
    "render([user, own, agent, beginning])",
    "render([own, agent, beginning])",
  ]),
  fault("two runs of a prompt share a conversation", inGateway("request/identify-session.ts"), [
    "agent, beginning, run])",
    "agent, beginning])",
  ]),
  fault("a branch gets the decisions of another", inGateway("request/replay-view.ts", "test/gateway/truth.test.ts"), [
    "if (!answers) return decisions;",
    "if (answers !== null) return decisions;",
  ]),
  fault("a line counts wherever it stands", inGateway("store/file-store.ts"), [
    "line.at === start",
    'typeof line.at === "number"',
  ]),
  fault("a torn line swallows the next", inGateway("store/file-store.ts"), [
    'endsTorn(file, known.version) ? "\\n" : ""',
    '""',
  ]),
  fault("a crowd is served in one breath", inGateway("http/slices.ts"), [
    "if (clockMs() - beganMs > SLICE_MS) return pump();",
    "",
  ]),
  fault("a conversation reads what left another", inGateway("recall/serve-recall.ts", "test/gateway/recall.test.ts"), [
    "hashes: () => left,",
    "hashes: () => [...left, ...(String(input.handle).match(/plimsoll:[0-9a-f]+/g) ?? [])],",
  ]),
  fault(
    "decisions are kept without what they put away",
    inGateway("request/keep-decisions.ts", "test/gateway/recall.test.ts"),
    ["store.keepOriginals(originals)", "store.keepOriginals(originals.slice(0, 0))"],
  ),
  fault(
    "a damaged original stays",
    ["src/files/artifacts/keep-artifact.ts", "test/doors/hostile-store.test.ts"],
    ["readFileSync(file).equals(bytes)", "readFileSync(file).length === bytes.length"],
  ),
  fault(
    "a hook's answer is refused whole",
    ["src/doors/hook/frame.ts", "src/doors/hook/frame.test.ts"],
    [" && !WITHOUT_OUTPUT.includes(event)", ""],
  ),
  fault(
    "a hook says more than the client takes",
    ["src/doors/hook/frame.ts", "src/doors/hook/frame.test.ts"],
    ["clipText(additionalContext, MAX_CONTEXT_CHARACTERS)", "additionalContext"],
  ),
  fault(
    "a window that is filling is light to a hook",
    ["src/doors/hook/load/is-load-light.ts", "src/doors/hook/load/is-load-light.test.ts"],
    ['classifyMeasured(used, point.tokens) === "GREEN"', 'classifyMeasured(used, point.tokens * 2) === "GREEN"'],
  ),
];

const PAIRS = "test/gateway/answers/pairs.test.ts";
const ANSWERS = "test/gateway/answers/answers.test.ts";

/** What a model may fetch, and what a client gets of its answer. */
const LAWS_OF_ANSWERS: readonly PlantedFault[] = [
  fault("J1: what did not leave this request can be fetched in it", inGateway("request/replay-view.ts", PAIRS), [
    "decisions.filter((decision) => !refused.has(decision))",
    "decisions.filter((decision) => decision !== undefined || !refused.has(decision))",
  ]),
  fault("J1: what another run fetched is put into this one", inGateway("recall/serve-recall.ts", PAIRS), [
    "needs.every((hash) => left.includes(hash))",
    "needs.every((hash) => hash !== undefined || left.includes(hash))",
  ]),
  fault("J2: an answer that is not streamed is decoded and encoded again", inGateway("messages-wire.ts", ANSWERS), [
    "content: renderList(shown)",
    "content: renderValue(shown.map((block) => parseJson(String(block)) ?? renderList(shown)))",
  ]),
  fault("J2: a frame with another number is encoded again", inGateway("recall/answer-stream.ts", ANSWERS), [
    "setMembers(dataOf(frame), { index: renderValue(block.index) })",
    "renderValue({ ...event, index: block.index })",
  ]),
  fault("J2: an item is encoded again", inGateway("responses/responses-wire.ts", ANSWERS), [
    "output: renderList(shown)",
    "output: renderValue(shown.map((item) => parseJson(String(item)) ?? renderList(shown)))",
  ]),
  fault("J8: an answer that comes packed is not read", inGateway("recall/relay-conversation.ts", ANSWERS), [
    '? "read" : "unreadable"',
    '&& headers["content-encoding"] === undefined ? "read" : "none"',
  ]),
];

/** A machine, or a database, that is busy or away. */
const UNDER_STRESS: readonly PlantedFault[] = [
  fault(
    "J6: of two originals with one handle one is kept",
    ["src/survive/recall/recall.ts", "src/survive/recall/recall.test.ts"],
    ["several.map(async (handle)", "several.slice(0, 1).map(async (handle)"],
  ),
  fault("J7: time in which others had the processor counts", inGateway("request/work-budget.ts"), [
    "Math.min(clocks.wallMs() - wallMs, clocks.cpuMs() - cpuMs)",
    "Math.max(clocks.wallMs() - wallMs, clocks.cpuMs() - cpuMs)",
  ]),
  fault(
    "J9: an upload that its client gives up counts as a fault",
    inGateway("http/read-body.ts", "test/gateway/transfer.test.ts"),
    ['reject(incoming.complete ? error : new BodyError("aborted"))', "reject(error)"],
  ),
  fault(
    "J9: an answer loses the coding of its transfer",
    inGateway("http/relay-answer.ts", "test/gateway/transfer.test.ts"),
    ["findTransferCoding(answer.rawHeaders)", "findTransferCoding([])"],
  ),
  fault(
    "J10: another user fetches what a compaction put away",
    inGateway("put-away.ts", "test/gateway/compaction.test.ts"),
    ["|| head.user !== user", "|| typeof user !== typeof head.user"],
  ),
  fault(
    "J10: a compaction is answered without keeping the originals that it takes out",
    inGateway("compact-conversation.ts", "test/gateway/compaction.test.ts"),
    ["store.keepOriginals([kept, ...compacted.originals])", "store.keepOriginals([kept])"],
  ),
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...OLD,
  ...NEW,
  ...SURVIVORS,
  ...TRUST,
  ...STEPS,
  ...AROUND,
  ...LAWS_OF_ANSWERS,
  ...UNDER_STRESS,
];
