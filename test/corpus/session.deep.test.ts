/** If red: open tasks of a real session are not those that its client recorded. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { CORPUS, listCorpus } from "../../lab/bench/corpus.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { selectMainChain } from "../../src/hosts/claude-code/main-chain.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { isUnfinished } from "../../src/session/action.ts";
import { listWork, orderOpen } from "../../src/session/open-work.ts";
import { createSession, type SessionState } from "../../src/session/session.ts";
import { CHECK_FREQUENCY } from "../../src/survive/cold-tasks/is-look-due.ts";
import { findColdTasks } from "../../src/survive/cold-tasks/plan-cold-tasks.ts";
import { withCorpus } from "../support/needs.ts";

const listOpenWork = (state: Parameters<typeof listWork>[0]) => orderOpen(listWork(state).filter(isUnfinished));

/** A raw line, found by `JSON.parse` and nothing of ours. */
interface Line {
  readonly uuid?: string;
  readonly isSidechain?: boolean;
  readonly type?: string;
  readonly message?: { readonly content?: string | readonly Block[] } | null;
  readonly toolUseResult?: {
    readonly task?: { readonly id: string; readonly subject: string };
    readonly success?: boolean;
    readonly taskId?: string;
    readonly statusChange?: { readonly to: string };
    readonly newTodos?: readonly { readonly content: string; readonly status: string }[];
    readonly tasks?: readonly { readonly id: string; readonly subject: string; readonly status: string }[];
  };
}

interface Block {
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly input?: { readonly status?: string };
}

/** What the client's own records say is open at the end: subjects, sorted. */
function findTruth(file: string): { readonly open: readonly string[]; readonly hasTasks: boolean } {
  const lines = readFileSync(file, "utf8").split("\n").flatMap(parsePlainly);
  const hasMainLine = lines.some((line) => line.uuid && !line.isSidechain);
  const tasks = new Map<string, { subject: string; status: string }>();
  let todos: NonNullable<NonNullable<Line["toolUseResult"]>["newTodos"]> = [];
  const seen = new Set<string>();
  const askedStatus = new Map<string, string>();
  let hasTasks = false;
  for (const { uuid = "", isSidechain, type, message, toolUseResult: result } of lines) {
    const blocks = Array.isArray(message?.content) ? message.content : [];
    for (const { id, input } of blocks) if (id && input?.status) askedStatus.set(id, input.status);
    if (type !== "user" || !result || seen.has(uuid) || (isSidechain && hasMainLine)) continue;
    seen.add(uuid);
    if (result.newTodos) todos = result.newTodos;
    if (result.task?.id && result.task.subject && !("status" in result.task))
      tasks.set(result.task.id, { subject: result.task.subject, status: "pending" });
    if (result.statusChange && result.taskId && result.success !== false)
      tasks.set(result.taskId, { subject: tasks.get(result.taskId)?.subject ?? "", status: result.statusChange.to });
    // "Nothing updated" on success: it already had the status asked for, as when a subagent was faster.
    const asked = askedStatus.get(blocks[0]?.tool_use_id ?? "");
    const known = tasks.get(result.taskId ?? "");
    if (result.success && !result.statusChange && known && asked) known.status = asked;
    if (result.tasks) {
      tasks.clear();
      for (const { id, subject, status } of result.tasks) tasks.set(id, { subject, status });
    }
    hasTasks ||= Boolean(result.newTodos ?? result.statusChange ?? result.tasks ?? result.task);
  }
  const open = [...tasks.values(), ...todos.map(({ content, status }) => ({ subject: content, status }))]
    .filter(({ status }) => status === "pending" || status === "in_progress")
    .map(({ subject, status }) => `${status === "pending" ? "open" : "active"}: ${subject}`);
  return { open: open.sort(), hasTasks };
}

function parsePlainly(text: string): readonly Line[] {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? [line as Line] : [];
  } catch {
    return [];
  }
}

interface Followed {
  readonly state: SessionState;
  /** The same, followed in three goes with the state saved as JSON in between. */
  readonly inPieces: SessionState;
  /** Ids of the tasks found cold at one of the looks that are made every ten requests, whatever the load. */
  readonly cold: ReadonlySet<string>;
}

function follow(file: string): Followed {
  const events = selectMainChain(readRecording(file).entries).flatMap((entry) => entry.events);
  const session = createSession(claudeCodeVocabulary);
  const cold = new Set<string>();
  let looked = 0;
  for (const event of events) {
    session.feed(event);
    if (event.kind !== "output") continue;
    const state = session.requests() - looked >= CHECK_FREQUENCY ? session.state() : undefined;
    if (!state) continue;
    looked = session.requests();
    for (const { id } of findColdTasks(state)) cold.add(id);
  }
  return { state: session.state(), inPieces: followInPieces(events), cold };
}

function followInPieces(events: readonly SessionEvent[]): SessionState {
  const size = Math.max(1, Math.ceil(events.length / 3));
  let saved: SessionState | undefined;
  for (let from = 0; from < events.length || !saved; from += size) {
    const session = createSession(claudeCodeVocabulary, saved);
    for (const event of events.slice(from, from + size)) session.feed(event);
    saved = throughJson(session.state());
  }
  return saved;
}

function throughJson(state: SessionState): SessionState {
  return JSON.parse(JSON.stringify(state));
}

withCorpus.describe("the state of recorded sessions", () => {
  const sessions = listCorpus().map((file) => ({
    name: path.relative(CORPUS, file),
    ...follow(file),
    truth: findTruth(file),
  }));
  const listed = sessions.filter(({ truth }) => truth.hasTasks);

  it("[R175] lists exactly the tasks and to-dos that the client's own records leave open", () => {
    expect(listed.length).toBeGreaterThan(40);
    const reported = listed.map(({ name, state }) => ({ name, open: renderOpen(state) }));
    expect(reported).toEqual(listed.map(({ name, truth }) => ({ name, open: truth.open })));
  });

  it("is the same in one go and in three, saved in between", () => {
    const differing = sessions.filter(({ state, inPieces }) => !isDeepStrictEqual(throughJson(state), inPieces));
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it("[R161] holds tasks that went cold, where the original pipeline found none", () => {
    expect(sessions.reduce((sum, { cold }) => sum + cold.size, 0)).toBeGreaterThan(0);
    const unfinished = sessions.filter(({ cold, state }) =>
      [...cold].some((id) => !state.work.some((item) => item.id === id)),
    );
    expect(unfinished.map(({ name }) => name)).toEqual([]);
  });

  it("stays small, whatever the size of the record", () => {
    const sizes = sessions.map(({ state }) => JSON.stringify(state).length);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
  });
});

function renderOpen(state: SessionState): readonly string[] {
  return listOpenWork({ ...state, episodes: [] })
    .map(({ status, subject }) => `${status}: ${subject}`)
    .sort();
}
