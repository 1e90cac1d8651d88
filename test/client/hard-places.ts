import { execFileSync } from "node:child_process";
import { createPromptCache } from "../api/prompt-cache.ts";
import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { renderVerdict } from "../laws/verdict.ts";
import { type Play, play, resultIn, sent } from "./play.ts";
import type { ClientResult } from "./run-client.ts";

/** A session in a hard place. Gives what is wrong with it, a line for each; nothing where all is well. */
type HardPlace = () => Promise<readonly string[]>;

/** The client with mounts of its own, which its own commands may change. */
const inOwnMounts = (mount: string): readonly string[] => ["unshare", "-m", "sh", "-c", `${mount} && exec "$@"`, "sh"];

export function canMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function within(
  given: Parameters<typeof play>,
  look: (session: Play) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const session = await play(...given);
  try {
    return await look(session);
  } finally {
    await session.close();
  }
}

const wrongUnless = (isRight: boolean, what: string): readonly string[] => (isRight ? [] : [what]);

async function audited(session: Play, options = {}): Promise<readonly string[]> {
  const verdict = await session.audit({ mayRewind: false, ...options });
  return verdict.missing.length + verdict.untrue.length + verdict.invalid.length === 0 ? [] : [renderVerdict(verdict)];
}

/** The lines that Plimsoll wrote on the screen. */
const linesOf = ({ events }: ClientResult): readonly string[] =>
  events.flatMap(({ subtype, text }) => (subtype === "ui_log" ? [String(text)] : []));

const WORDS = "the hull is sound, the planks are dry and the mast is up. ";
const work = (step: number, lines = 240): Answer =>
  answer(
    `Row ${step}. ${WORDS.repeat(12)}`,
    call("Bash", { command: `seq -f "row ${step} plank %g was measured: 12.%g mm and no leak" 1 ${lines}` }),
  );

const isNear = (said: unknown, sentTokens: number): boolean => Math.abs(Number(said) / sentTokens - 1) < 0.05;

/** A session that was begun without Plimsoll goes on with it, through four compactions. */
export const begunWithout: HardPlace = () => {
  const counted: number[] = [];
  const cache = createPromptCache({ scale: 1 });
  const count: typeof cache.count = (body) => {
    const usage = cache.count(body);
    counted.push(usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens);
    return usage;
  };
  const turn = (part: number, steps: number): readonly Answer[] => [
    ...Array.from({ length: steps }, (_, at) => work(part * 10 + at)),
    answer(`Part ${part} is done.`),
  ];
  const main = [turn(0, 9), ...[1, 2, 3, 4].map((part) => turn(part, 3))].flat();
  return within([{ main, cache: { count } }, { early: "off" }], async (session) => {
    await session.run({ prompts: ["Begin."], plugins: [], timeoutMs: 120_000 });
    const before = counted.length;
    const prompts = [1, 2, 3, 4].flatMap((part) => ["/compact", `Go on with part ${part}.`]);
    const run = await session.run({ prompts, args: ["--continue"], timeoutMs: 150_000 });
    const actions = (await session.actions()).filter(({ kind }) => kind === "compacted");
    const shown = linesOf(run).map((line) => /^([\d.]+)k → ([\d.]+)k tokens: as you asked; /.exec(line)?.slice(1));
    return [
      ...wrongUnless(run.exitCode === 0, `exit ${run.exitCode}`),
      ...wrongUnless(actions.length === 4 && shown.length === 4, `${actions.length} noted, ${shown.length} shown`),
      ...actions.flatMap(({ tokensBefore, tokensAfter }, part) => {
        const [sentBefore = 0, sentAfter = 0] = counted.slice(before + part * 4 - 1);
        const [saidBefore, saidAfter] = shown[part] ?? [];
        const isRight =
          [tokensBefore, Number(saidBefore) * 1000].every((said) => isNear(said, sentBefore)) &&
          [tokensAfter, Number(saidAfter) * 1000].every((said) => isNear(said, sentAfter));
        const said = `${tokensBefore} → ${tokensAfter} noted, ${saidBefore}k → ${saidAfter}k shown`;
        return wrongUnless(isRight, `size: ${said}, ${sentBefore} → ${sentAfter} sent`);
      }),
      ...(await audited(session)),
    ];
  });
};

/** Ten open tasks, of which one is in progress. */
export const tenTasks: HardPlace = () => {
  const names = Array.from({ length: 10 }, (_, at) => `Caulk seam number ${at + 1} of the port side`);
  const create = answer(...names.map((subject) => call("TaskCreate", { subject, description: `${subject}.` })));
  const main = [
    answer(call("ToolSearch", { query: "select:TaskCreate,TaskUpdate" })),
    create,
    ...[1, 2, 3, 4].map((step) => work(step)),
    answer("Next."),
    answer("Done."),
  ];
  return within([{ main }, { early: "off" }], async (session) => {
    await session.run({ prompts: ["Caulk her.", "/compact", "Go on."], timeoutMs: 120_000 });
    const [, list = ""] = sent(session.api.requests.at(-1)).split("Open tasks at this point, next first:\n");
    const [record = ""] = list.split(/\n(?!- )/);
    const places = names.map((name) => record.indexOf(name.slice(0, 22)));
    return [
      ...names.filter((_, at) => (places[at] ?? -1) < 0).map((name) => `task not named: ${name}`),
      ...wrongUnless(
        places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0)),
        "tasks out of order",
      ),
    ];
  });
};

const FINDINGS = [
  "The bilge pump fails at 31 strokes",
  "Plank 17 is rotten from frame 4 on",
  "The rudder pin is missing",
];

/** Three subagents report, one of them right after a compaction; two further compactions make them old. */
export const threeReports: HardPlace = () => {
  const ask = (at: number) =>
    call("Agent", { description: `Look ${at}`, prompt: `Look at part ${at}.`, subagent_type: "Explore" });
  const main = [
    answer(ask(0), ask(1)),
    ...[1, 2, 3, 4].map((step) => work(step)),
    answer("Two reports."),
    answer(ask(2)),
    ...[5, 6, 7, 8].map((step) => work(step)),
    answer("Three reports."),
    ...[9, 10, 11, 12].map((step) => work(step)),
    answer("More work."),
    answer("Done."),
  ];
  const subagents = FINDINGS.map((finding) => [
    answer(`${finding}. ${"Frame by frame it was looked at. ".repeat(30)}`),
  ]);
  return within([{ main, subagents }, { early: "off" }], async (session) => {
    const prompts = ["Look.", "/compact", "Go on.", "/compact", "Go on.", "/compact", "And?"];
    await session.run({ prompts, timeoutMs: 150_000 });
    const last = sent(session.api.requests.findLast(({ lane }) => lane === "main"));
    return [
      ...FINDINGS.filter((finding) => !last.includes(finding)).map((finding) => `finding gone: ${finding}`),
      ...(await audited(session)),
    ];
  });
};

/** A disk that is full and gets room again. */
export const fullDisk: HardPlace = () => {
  const fill = answer(call("Bash", { command: "head -c 9M /dev/zero > filler 2>/dev/null; ls -l filler" }));
  const fold = answer(call("Bash", { command: "seq 1 9000" }));
  const room = answer(call("Bash", { command: "rm filler; df . | tail -n 1" }));
  const show = "cat .plimsoll/artifacts/.gitignore .plimsoll/.gitignore; git init -q . && git status --porcelain -uall";
  const main = [fill, fold, room, fold, answer("Half."), answer(call("Bash", { command: show })), answer("Done.")];
  return within([{ main }], async (session) => {
    const wrap = inOwnMounts("mount -t tmpfs -o size=4m tmpfs . && cd .");
    await session.run({ prompts: ["Begin.", "/compact", "Look."], wrap, timeoutMs: 120_000 });
    const looked = resultIn(session.api.requests.at(-1), "toolu_main_5_0");
    return wrongUnless(looked === "*\n*", `ignore files: ${JSON.stringify(looked)}`);
  });
};

/** What a compaction came to in a place where the client may not be able to carry it out. */
async function judgeAnnounced(session: Play, run: ClientResult): Promise<readonly string[]> {
  const isCompacted = sent(session.api.requests.at(-1)).includes("was replaced by this record");
  const shown = linesOf(run).filter((line) => line.includes(" → "));
  return [
    ...wrongUnless(shown.length === (isCompacted ? 1 : 0), `announced, and not done: ${shown.join("\n")}`),
    ...(await audited(session, { summarises: isCompacted ? "plimsoll" : "client" })),
  ];
}

/** The folder of the transcripts becomes read-only in mid-session: the client cannot write its boundary. */
export const readOnlyTranscripts: HardPlace = () => {
  const folder = "$HOME/.claude/projects";
  const freeze = answer(call("Bash", { command: `mount -o remount,ro,bind "${folder}" && touch "${folder}/probe"` }));
  const main = [...[1, 2, 3, 4, 5].map((step) => work(step)), freeze, answer("Frozen."), work(6), answer("Done.")];
  return within([{ main }, { early: "off" }], async (session) => {
    const wrap = inOwnMounts(`mkdir -p "${folder}" && mount --bind "${folder}" "${folder}"`);
    const run = await session.run({ prompts: ["Begin.", "/compact", "Go on."], wrap, timeoutMs: 120_000 });
    const frozen = resultIn(session.api.requests[6], "toolu_main_5_0");
    return [
      ...wrongUnless(frozen.includes("Read-only file system"), `not frozen: ${frozen}`),
      ...(await judgeAnnounced(session, run)),
    ];
  });
};

/** A session goes on where its whole HOME has become read-only. */
export const readOnlyHome: HardPlace = () => {
  const main = [...[1, 2, 3, 4, 5].map((step) => work(step)), answer("Begun."), work(6), answer("Done.")];
  return within([{ main }, { early: "off" }], async (session) => {
    await session.run({ prompts: ["Begin."], timeoutMs: 120_000 });
    const mounts = [
      'mount --bind "$HOME" "$HOME"',
      'mount -o remount,ro,bind "$HOME"',
      'mount -t tmpfs tmpfs "$HOME/tmp"',
    ];
    const prompts = ["/compact", "Go on."];
    const wrap = inOwnMounts(mounts.join(" && "));
    const run = await session.run({ prompts, args: ["--continue"], wrap, timeoutMs: 120_000 });
    const idle = linesOf(run).some((line) => line.startsWith("Plimsoll is idle: it cannot write"));
    return [
      ...wrongUnless(idle, `does not say that it is idle: ${linesOf(run).join("\n")}`),
      ...(await judgeAnnounced(session, run)),
    ];
  });
};

/** A result of several megabytes. */
export const hugeResult: HardPlace = () => {
  const lines = 'seq -f "plank %g was measured and it is dry and it is sound" 1 100000';
  const command = `${lines}; echo "FAIL: the rudder is missing"; seq 1 20`;
  const main = [answer(call("Bash", { command })), answer("Seen."), answer("Done.")];
  return within([{ main }], async (session) => {
    await session.run({ prompts: ["Measure.", "Go on."], timeoutMs: 120_000 });
    const shown = resultIn(session.api.requests[1], "toolu_main_0_0");
    return [
      ...wrongUnless(shown.includes("FAIL: the rudder is missing"), `not folded: ${shown.slice(0, 120)}`),
      ...(await audited(session)),
    ];
  });
};
