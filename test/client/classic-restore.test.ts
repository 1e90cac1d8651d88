/** If red: with the command hooks what a summary dropped is not put back, or is put back twice. */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type OwnAction, parseAction } from "../../src/policy/actions/own-action.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { blocksOf, type ContentBlock } from "../api/messages-body.ts";
import { answer, call, overflow, summary } from "../api/replies.ts";
import type { Scenario } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { type ClientVersion, fetchClient } from "./fetch-client.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** Restores through command hooks, in the client that has nothing better, and in the newest. */

const VERSIONS: readonly ClientVersion[] = ["2.1.197", "2.1.325"];
const OLD: ClientVersion = "2.1.197";
/** Over the threshold for a window of 200,000: 167,000. */
const FULL = { input_tokens: 3, cache_creation_input_tokens: 2000, cache_read_input_tokens: 168_000 };
const WINDOW = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200000" };

const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreCompact",
  "PostCompact",
  "PostToolUse",
  "SubagentStop",
  "Stop",
  "SessionEnd",
];

let program = "";

/** The hooks as they are shipped: one program, started once for every event. */
async function buildProgram(): Promise<string> {
  const root = mkdtempSync(path.join(tmpdir(), "plimsoll-hooks-"));
  const source = path.resolve(import.meta.dirname, "../../src/entry/hook");
  await build({
    entryPoints: [path.join(source, "main.ts")],
    outfile: path.join(root, "dist", "hook.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  cpSync(path.resolve(import.meta.dirname, "../../contexts"), path.join(root, "contexts"), { recursive: true });
  return root;
}

interface Stage {
  readonly api: ScriptedApi;
  readonly workspace: Workspace;
  run(
    prompts: readonly string[],
    options?: { readonly resume?: string; readonly env?: Record<string, string> },
  ): Promise<ClientResult>;
  actions(sessionId: string): readonly OwnAction[];
}

const opened: Stage[] = [];

async function open(
  scenario: Scenario,
  version: ClientVersion = OLD,
  events: readonly string[] = EVENTS,
): Promise<Stage> {
  const workspace = await createWorkspace();
  const api = await createScriptedApi({ pace: STREAMED, ...scenario });
  const hooks = Object.fromEntries(
    events.map((event) => [
      event,
      [
        {
          ...(event === "SubagentStop" ? { matcher: "^$" } : {}),
          hooks: [
            { type: "command", command: `"${process.execPath}" "${program}/dist/hook.cjs" ${event}`, timeout: 20 },
          ],
        },
      ],
    ]),
  );
  await workspace.writeHome(".claude/settings.json", JSON.stringify({ hooks }));
  const stage: Stage = {
    api,
    workspace,
    run: (prompts, { resume, env = {} } = {}) =>
      runClient({
        version,
        prompts,
        model: "claude-sonnet-4-6",
        home: workspace.home,
        cwd: workspace.cwd,
        apiUrl: api.url,
        env,
        ...(resume === undefined ? {} : { resume }),
      }),
    actions: (sessionId) => {
      const file = path.join(workspace.home, ".claude/data/plimsoll/sessions", sessionId, "deeds-hook.jsonl");
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
      return lines.map(parseAction).filter((action) => action !== undefined);
    },
  };
  opened.push(stage);
  return stage;
}

beforeAll(async () => {
  for (const version of VERSIONS) await fetchClient(version);
  program = await buildProgram();
});

afterEach(async () => {
  for (const { api, workspace } of opened.splice(0)) {
    await api.close();
    await workspace.remove();
  }
});

afterAll(() => rmSync(program, { recursive: true, force: true }));

function textOf(request: ApiRequest | undefined): string {
  return (request?.body.messages ?? []).flatMap((message) => blocksOf(message.content).map(renderBlock)).join("\n");
}

function renderBlock(block: ContentBlock): string {
  if (typeof block.text === "string") return block.text;
  if (typeof block.content === "string") return block.content;
  return Array.isArray(block.content) ? block.content.map((part) => JSON.stringify(part)).join("\n") : "";
}

/** The lines that a request carries as restored, each restore's. */
function restoredIn(request: ApiRequest | undefined): readonly string[] {
  const blocks = textOf(request).matchAll(/\[restored from this session's record[^\n]*\]\n((?:- [^\n]*\n?)+)/g);
  return [...blocks].flatMap(([, lines = ""]) => lines.trim().split("\n"));
}

function receiptsOf(actions: readonly OwnAction[]) {
  return actions.filter((action) => action.kind === "receipt");
}

const REQUEST =
  "Round the invoice total, then sound twice. Never touch the migrations folder. Keep every harbour fee in whole cents.";
const MIGRATIONS = '- The user said: "Never touch the migrations folder."';
/** Holds the request, the harbour fees and the commands; drops the migrations folder and the file. */
const DROPS_TWO = summary(
  [
    "1. Primary Request and Intent:",
    "   Round the invoice total, then sound twice. Keep every harbour fee in whole cents.",
    "2. Progress:",
    "   The total is rounded; still open: sound twice with echo.",
  ].join("\n"),
);
const BASIN = "Sound the northern harbour basin once. Never touch the migrations folder.";
/** Holds what was done, drops the migrations folder. */
const SOUNDED = summary("1. Completed:\n   Done: sounded the northern harbour basin once, 12 fathoms. FOO.");
const sound = (fathoms: number) => answer(call("Bash", { command: `echo ${fathoms} fathoms`, description: "Sound" }));
describe.each(VERSIONS)("a restore in the client %s", (version) => {
  it("[R156] [R167] puts back exactly what the summary of an automatic compaction dropped, in the very next request", async () => {
    let place: Workspace | undefined;
    const stage = await open(
      {
        main: (_, step) => {
          if (step === 0)
            return answer(
              call("Write", { file_path: `${place?.cwd}/invoice.ts`, content: "export const total = 1;\n" }),
            );
          if (step === 1) return { ...sound(12), usage: FULL };
          return step === 2 ? sound(9) : answer("12 and 9 fathoms.");
        },
        compaction: [DROPS_TWO],
      },
      version,
    );
    place = stage.workspace;
    const { sessionId, exitCode } = await stage.run([REQUEST], { env: WINDOW });
    expect(exitCode).toBe(0);
    const lanes = stage.api.requests.map(({ lane }) => lane);
    expect(lanes).toEqual(["main", "main", "compaction", "main", "main"]);
    expect(textOf(stage.api.requests[2])).toContain("COMPACTION PRESERVATION INSTRUCTIONS");
    const [first, ...rest] = restoredIn(stage.api.requests[3]);
    expect([first, ...rest]).toEqual([MIGRATIONS, expect.stringMatching(/^- File created: invoice\.ts #[0-9a-f]{8}$/)]);
    const receipts = receiptsOf(stage.actions(sessionId));
    expect(receipts.map(({ landing }) => landing)).toEqual(["unknown", "landed"]);
    expect(receipts.at(-1)).toMatchObject({
      compaction: 1,
      lost: [{ line: MIGRATIONS, isInjected: true }, { isInjected: true }],
    });
    expect(restoredIn(stage.api.requests[4])).toEqual([first, ...rest]);
  });
});

describe("what the client 2.1.197 does with a restore", () => {
  it("[R166] steers and repairs a compaction that the person asks for, with their own instructions kept", async () => {
    const stage = await open({
      main: [sound(12), answer("Twelve."), answer("After."), answer("Again.")],
      compaction: [SOUNDED],
    });
    const { sessionId } = await stage.run([BASIN, "/compact keep FOO", "And now?"]);
    const [asked, after] = ["compaction", "main"].map((lane) =>
      stage.api.requests.findLast((each) => each.lane === lane),
    );
    expect(textOf(asked)).toContain("keep FOO");
    expect(restoredIn(after)).toEqual([MIGRATIONS]);
    expect(receiptsOf(stage.actions(sessionId)).at(-1)).toMatchObject({ compaction: 1, landing: "landed" });
  });

  it("repairs a compaction that the API forces, and looks for what landed when the session ends", async () => {
    const stage = await open({
      main: [sound(12), sound(9), overflow(204_817, 200_000), answer("12 and 9 fathoms.")],
      compaction: [DROPS_TWO],
    });
    const { sessionId } = await stage.run([REQUEST]);
    expect(stage.api.requests.map(({ lane }) => lane)).toEqual(["main", "main", "main", "compaction", "main"]);
    expect(restoredIn(stage.api.requests[4])).toEqual([MIGRATIONS]);
    expect(receiptsOf(stage.actions(sessionId)).map(({ landing }) => landing)).toEqual(["unknown", "landed"]);
  });

  it("falls back to the next tool call where the summariser's end is not told", async () => {
    const stage = await open(
      { main: [sound(12), { ...sound(9), usage: FULL }, sound(7), sound(5), answer("Done.")], compaction: [DROPS_TWO] },
      OLD,
      EVENTS.filter((event) => event !== "SubagentStop"),
    );
    const { sessionId } = await stage.run([REQUEST], { env: WINDOW });
    const main = stage.api.requests.filter(({ lane }) => lane === "main");
    expect(main.map((request) => restoredIn(request).length)).toEqual([0, 0, 0, 1, 1]);
    expect(receiptsOf(stage.actions(sessionId)).at(-1)).toMatchObject({
      landing: "landed",
      lost: [{ line: MIGRATIONS }],
    });
  });

  it("[R166] counts one compaction once though its event is told twice", async () => {
    const stage = await open(
      { main: [sound(12), { ...sound(9), usage: FULL }, answer("Done.")], compaction: [DROPS_TWO] },
      OLD,
      [...EVENTS, "PreCompact"],
    );
    const settings = path.join(stage.workspace.home, ".claude/settings.json");
    const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
    const twice = { ...hooks, PreCompact: [...hooks.PreCompact, ...hooks.PreCompact.map(disguise)] };
    await stage.workspace.writeHome(".claude/settings.json", JSON.stringify({ hooks: twice }));
    const { sessionId } = await stage.run([REQUEST], { env: WINDOW });
    const actions = stage.actions(sessionId);
    expect(actions.filter((action) => action.kind === "ran" && action.event === "PreCompact")).toHaveLength(2);
    expect(actions.filter((action) => action.kind === "injected" && action.what === "preservation")).toHaveLength(1);
    expect(receiptsOf(actions).map(({ compaction }) => compaction)).toEqual([1, 1]);
  });

  it("keeps what is known across a resume, and starts anew after /clear", async () => {
    const stage = await open({
      main: [sound(12), answer("Twelve."), answer("After the resume."), answer("After the clear.")],
      compaction: [SOUNDED],
    });
    const { sessionId } = await stage.run([BASIN]);
    await stage.run(["/compact"], { resume: sessionId });
    await stage.run(["And now?"], { resume: sessionId });
    expect(restoredIn(stage.api.requests.at(-1))).toEqual([MIGRATIONS]);
    expect(receiptsOf(stage.actions(sessionId)).at(-1)).toMatchObject({ compaction: 1, landing: "landed" });
    await stage.run(["/clear", "What is known?"], { resume: sessionId });
    expect(restoredIn(stage.api.requests.at(-1))).toEqual([]);
  });

  it("does not bring a finished task back as open", async () => {
    const stage = await open({
      main: [
        answer(call("TaskCreate", { subject: "Caulk the northern seams", description: "All of them" })),
        answer(call("TaskCreate", { subject: "Count the mooring ropes", description: "All of them" })),
        answer(call("TaskUpdate", { taskId: "1", status: "completed" })),
        answer("One is left."),
        answer("Going on."),
      ],
      compaction: [summary("1. Primary Request and Intent:\n   Work on the ship.")],
    });
    await stage.run(["Work the list.", "/compact", "Go on."]);
    const lines = restoredIn(stage.api.requests.at(-1));
    expect(lines.filter((line) => line.includes("Count the mooring ropes"))).not.toEqual([]);
    expect(lines.filter((line) => /(?:open|in progress): Caulk/.test(line))).toEqual([]);
  });

  it("[R3] [R4] tells the mode at the start, and another one once when it is set in mid-session", async () => {
    const stage = await open({ main: [answer("One."), answer("Two."), answer("Three.")] });
    await stage.workspace.writeFile(".plimsoll/active-context.md", "dev\n");
    const { sessionId } = await stage.run(["First."]);
    expect(textOf(stage.api.requests[0])).toContain("=== Active Context: dev mode ===");
    await stage.workspace.writeFile(".plimsoll/active-context.md", "research\n");
    const { events } = await stage.run(["Second.", "Third."], { resume: sessionId });
    expect(events.at(-1)).toMatchObject({ type: "result", subtype: "success" });
    const said = textOf(stage.api.requests.at(-1)).split("=== Active Context: research mode ===").length - 1;
    expect(said).toBe(1);
    expect(
      stage.actions(sessionId).filter((action) => action.kind === "injected" && action.what === "mode"),
    ).toHaveLength(2);
  });
});

/** The client runs the same command once, however often it is listed. */
function disguise(group: { readonly hooks: readonly { readonly command: string }[] }) {
  return { ...group, hooks: group.hooks.map((hook) => ({ ...hook, command: `true; ${hook.command}` })) };
}
