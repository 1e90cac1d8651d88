/** If red: the default policy does something else live than replay measures. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CORPUS, hasCorpus } from "../../lab/bench/corpus.ts";
import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Edit } from "../../src/core/edit.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Occasion } from "../../src/core/layer.ts";
import type { Block, Message } from "../../src/core/message.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { foldRow } from "../../src/entry/engine/append.ts";
import { parseRows } from "../../src/entry/engine/compaction/compaction-event.ts";
import { planAnswer } from "../../src/entry/engine/compaction/plan-answer.ts";
import { NO_EXTRAS } from "../../src/entry/engine/compaction/row-extras.ts";
import { readConversation } from "../../src/entry/engine/conversation.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { nameHandle } from "../../src/fold/marker.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { decidePromptAuthor } from "../../src/hosts/claude-code/prompt-author.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { renderSegments } from "../../src/layers/ledger/render-chunk.ts";
import { createLoadTracker } from "../../src/layers/ledger/track-load.ts";
import { POLICY_FOLDS } from "../../src/layers/options/policy-folds.ts";
import { POLICY_SETTINGS } from "../../src/layers/options/policy-settings.ts";
import { emptyCacheState } from "../../src/models/economics/cache-state.ts";
import { estimateMessageTokens } from "../../src/models/tokens.ts";
import { createMomentTracker } from "../../src/policy/advice/work-moment.ts";
import { decideDue } from "../../src/policy/collapse-due.ts";
import { DEFAULT_SETTINGS } from "../../src/policy/settings/settings.ts";
import { POLICIES } from "../../src/replay/catalogue.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { createCompactor } from "../../src/wire/compactor.ts";
import type { WireMessage } from "../../src/wire/conversation.ts";
import { some } from "../support/depth.ts";
import { withCorpus } from "../support/needs.ts";
import { story } from "../support/story.ts";

/**
 * What replay says that the default policy would do to a recorded session, the library and the module do to the same messages:
 * at the same requests, the same words. All are told what a live entry point knows: estimates, and no more.
 */
const SETTINGS = POLICY_SETTINGS.balanced;
const FIVE_MINUTES = 5 * 60_000;
const STANDING = "ledger:standing:";
/** The record is told next to the ledger; any session will do for it. */
const HAPPENED = story().asks("Paint the load line.").calls("Bash", { command: "paint" }, "painted").happened();

interface TestAction {
  readonly step: number;
  /** Handles of the results that were folded before they were sent. */
  readonly folded: readonly string[];
  /** The segments that took the place of old exchanges, as one text. */
  readonly collapsed: string;
}

/** A request as every entry point sees it. */
interface Request {
  readonly joined: readonly Message[];
  readonly occasion: Occasion;
}

function listRequests(session: ReplaySession): readonly Request[] {
  return session.steps.map(({ joined, atMs, model, share1h }, index) => {
    const before = session.steps[index - 1];
    const isCold = before !== undefined && (atMs - before.atMs > FIVE_MINUTES || before.model !== model);
    const occasion = { baseTokens: session.baseTokens, model, isCold, share1h, marks: "client" } as const;
    return { joined: joined.map(simplify), occasion };
  });
}

/** Thoughts, pictures and what the client says as the system are not told to the module: the comparison is without them. */
function simplify(message: Message): Message {
  const blocks = message.blocks.flatMap((block): readonly Block[] => {
    if (block.kind === "text") {
      if (block.text.startsWith("[unlogged]")) return [];
      return [{ ...block, author: message.role === "assistant" ? "model" : decidePromptAuthor(block.text) }];
    }
    if (block.kind === "toolCall") return [block];
    if (block.kind !== "toolResult") return [];
    const texts = block.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
    return [{ ...block, parts: [{ kind: "text", text: texts.join("\n") }] }];
  });
  return { ...message, role: message.role === "assistant" ? "assistant" : "user", blocks };
}

const hasBlocks = ({ blocks }: Message): boolean => blocks.length > 0;
/** Where the module folded a result its preview names a file of the project, so the segment behind it has another handle. */
const textsOf = (edits: readonly Edit[]): string =>
  renderSegments(
    edits
      .flatMap((edit) => (edit.kind === "replaceSpan" ? edit.messages : []))
      .filter(({ id }) => !id.startsWith(STANDING)),
  ).replaceAll(/plimsoll:[0-9a-f]{12}#N/g, "#N");

function noteAction(step: number, folds: readonly Edit[], collapses: readonly Edit[]): TestAction {
  return { step, folded: folds.flatMap(({ handles }) => handles), collapsed: textsOf(collapses) };
}

function isFold({ by }: Edit): boolean {
  return by === "foldOutputs";
}

const didSomething = ({ folded, collapsed }: TestAction): boolean => folded.length > 0 || collapsed !== "";

/** As `plimsoll replay` walks. */
function replay(session: ReplaySession, requests: readonly Request[]): readonly TestAction[] {
  const policy = POLICIES.find(({ name }) => name === "plimsoll");
  const planner = policy?.create({ session, needs: findNeeds(session) });
  const countTokens = (message: Message): number => estimateMessageTokens(message, session.tokenizer);
  let messages: readonly Message[] = [];
  return requests.map(({ joined, occasion }, step) => {
    const sentMessages = messages.length;
    messages = [...messages, ...joined.filter(hasBlocks)];
    const tokens = messages.reduce((sum, message) => sum + countTokens(message), 0);
    const known = { step, messages, sentMessages, tokens, countTokens, nowMs: 0, windowTokens: session.windowTokens };
    const { edits = [] } = planner?.plan({ ...known, ...occasion }) ?? {};
    messages = applyEdits(messages, edits).messages;
    return noteAction(
      step,
      edits.filter(isFold),
      edits.filter((edit) => !isFold(edit)),
    );
  });
}

/** As an agent with the library does: the whole history with every request. */
async function useLibrary(session: ReplaySession, requests: readonly Request[]): Promise<readonly TestAction[]> {
  let occasion: Occasion | undefined;
  const compactor = createCompactor({
    targetTokens: session.windowTokens - 33_000 - session.baseTokens,
    policy: "balanced",
    occasion: () => occasion ?? { baseTokens: 0, model: "", isCold: false, share1h: 0, marks: "client" },
    model: session.steps[0]?.model ?? "",
    decideAuthor: decidePromptAuthor,
    layers: {
      vocabulary: claudeCodeVocabulary,
      // By itself the library waits longer, and removes the oldest only (decision 0052): here it is told to do as the others do.
      collapseExchanges: { root: session.root, depth: "all", patience: SETTINGS.patience },
    },
  });
  const actions: TestAction[] = [];
  const history: WireMessage[] = [];
  let known = 0;
  for (const [step, request] of requests.entries()) {
    history.push(...request.joined.filter(hasBlocks).map(toWire));
    ({ occasion } = request);
    const { ledger } = await compactor.prepare([...history]);
    const edits = ledger.decisions.slice(known);
    known = ledger.decisions.length;
    actions.push(
      noteAction(
        step,
        edits.filter(isFold),
        edits.filter((edit) => !isFold(edit)),
      ),
    );
  }
  return actions;
}

function toWire({ role, blocks }: Message): WireMessage {
  return {
    role,
    content: blocks.map((block): JsonObject => {
      if (block.kind === "text") return { type: "text", text: block.text };
      if (block.kind === "toolCall")
        return { type: "tool_use", id: block.callId, name: block.tool, input: block.input };
      if (block.kind !== "toolResult") return {};
      const [part] = block.parts;
      const content = part?.kind === "text" ? part.text : "";
      return { type: "tool_result", tool_use_id: block.callId, content, is_error: block.isError };
    }),
  };
}

/** As a gateway does that is told to follow the policy, with what it knows of the session's cache. */
function passThrough(requests: readonly Request[]): readonly TestAction[] {
  const planner = createRequestPlanner({ policy: "balanced" });
  let view: readonly Message[] = [];
  return requests.map(({ joined, occasion }, step) => {
    const newFrom = view.length;
    view = [...view, ...joined.filter(hasBlocks)];
    const cached = { cachedTokens: 50_000, cached5mTokens: 50_000, cached1hTokens: 0, ttlMs: FIVE_MINUTES };
    const cache = { ...emptyCacheState, ...cached, model: occasion.model, lastUsedMs: 0, share1h: occasion.share1h };
    const { messages, edits } = planner.plan({
      view,
      newFrom,
      model: occasion.model,
      facts: {
        cache,
        requests: step,
        baseTokens: occasion.baseTokens,
        lastSentMessage: step === 0 ? "" : "sent",
        lastSentHash: "",
        outlived: 0,
      },
      nowMs: occasion.isCold ? 2 * 60 * 60_000 : 1,
      isClearedByServer: false,
      isTimeSpent: () => false,
    });
    view = messages;
    return noteAction(
      step,
      edits.filter(isFold),
      edits.filter((edit) => !isFold(edit)),
    );
  });
}

/** As the module does inside the client: rows followed one by one, compactions answered when they are due. */
async function rideAlong(session: ReplaySession, requests: readonly Request[]): Promise<readonly TestAction[]> {
  const style = { vocabulary: claudeCodeVocabulary, root: session.root, ...SETTINGS };
  const tracker = createLoadTracker(style, () => session.tokenizer);
  const moment = createMomentTracker(claudeCodeVocabulary);
  const calls = new Map<string, { readonly tool: string; readonly input: JsonObject }>();
  let held: readonly JsonObject[] = [];
  let compactions = 0;
  const actions: TestAction[] = [];
  for (const [step, { joined, occasion }] of requests.entries()) {
    const folded: string[] = [];
    for (const message of joined.filter(hasBlocks)) {
      const stored = await storeRow(message, calls, folded);
      held = [...held, ...toEngine(stored)];
      for (const event of toEvents(stored)) {
        tracker.feed(event);
        moment.feed(event);
      }
    }
    const load = tracker.load(SETTINGS);
    const old = load.old.reduce((sum, { gainTokens, keptTokens }) => sum + gainTokens + keptTokens, 0);
    const carried = {
      contextTokens: occasion.baseTokens + load.ledgerTokens + old + load.tailTokens,
      load,
      occasion,
      stepsSinceLast: undefined,
      level: "GREEN",
      compactionPointTokens: session.windowTokens - 33_000,
      work: moment.moment(),
    } as const;
    let collapsed = "";
    if (decideDue(carried, DEFAULT_SETTINGS)?.kind === "price") {
      const answer = planAnswer(
        { ...HAPPENED, state: { ...HAPPENED.state, compactions } },
        readConversation(parseRows(held), NO_EXTRAS, {
          hasRecord: compactions > 0,
          repeated: new Set(),
        }),
        {
          policy: "balanced",
          vocabulary: claudeCodeVocabulary,
          model: session.steps[0]?.model ?? "",
          transcript: "",
          root: session.root,
          recallTool: "recall",
        },
      );
      collapsed = textsOf(answer.edits);
      compactions++;
      tracker.collapsed(answer.keptExchanges, answer);
      held = answer.messages;
    }
    actions.push({ step, folded, collapsed });
  }
  return actions;
}

async function storeRow(
  message: Message,
  calls: Map<string, { tool: string; input: JsonObject }>,
  folded: string[],
): Promise<Message> {
  const blocks: Block[] = [];
  for (const block of message.blocks) {
    if (block.kind === "toolCall") calls.set(block.callId, block);
    const [part] = block.kind === "toolResult" ? block.parts : [];
    const call = block.kind === "toolResult" ? calls.get(block.callId) : undefined;
    if (block.kind !== "toolResult" || part?.kind !== "text" || !call) {
      blocks.push(block);
      continue;
    }
    const content = [{ type: "tool_result", tool_use_id: block.callId, content: part.text, is_error: block.isError }];
    const row = { door: "tool-result", agentId: undefined, origin: { tool: call.tool }, message: { content } };
    const result = await foldRow(row as never, portOf(call.input));
    for (const action of result?.actions ?? []) if (action.kind === "folded") folded.push(action.handle);
    const text = result?.message.content[0]?.content;
    blocks.push(typeof text === "string" ? { ...block, parts: [{ kind: "text", text }] } : block);
  }
  return { ...message, blocks };
}

function portOf(input: JsonObject): Parameters<typeof foldRow>[1] {
  return {
    rule: POLICY_FOLDS.balanced.fold,
    keep: ({ output }) => ({ sha256: sha256(output), handle: nameHandle(sha256(output)), path: "" }),
    readPersisted: () => undefined,
    inputOf: () => input,
  };
}

/** The engine has a row for every text that arrived, and one for all results of an answer. */
function toEngine({ role, blocks }: Message): readonly JsonObject[] {
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  const toolUses = blocks.flatMap((block) =>
    block.kind === "toolCall" ? [{ tool_use_id: block.callId, tool: block.tool, input: block.input }] : [],
  );
  if (role === "assistant") {
    const rows = texts.map((text) => ({ role, text, toolUses: [] }));
    return toolUses.length === 0 ? rows : [...rows, { role, text: "", toolUses }];
  }
  const toolResults = blocks.flatMap((block) => {
    const [part] = block.kind === "toolResult" ? block.parts : [];
    if (block.kind !== "toolResult") return [];
    return [{ tool_use_id: block.callId, text: part?.kind === "text" ? part.text : "", isError: block.isError }];
  });
  const results = toolResults.length === 0 ? [] : [{ role, text: "", toolUses: [], toolResults }];
  return [...results, ...texts.map((text) => ({ role, text, toolUses: [] }))];
}

function toEvents(message: Message): readonly SessionEvent[] {
  const common = { origin: "", atMs: undefined };
  if (message.role === "assistant") {
    const output = { stepId: message.id, model: "", usage: undefined, isOutputFinal: false };
    return [{ kind: "output", ...common, ...output, blocks: message.blocks }];
  }
  return message.blocks.map((block) => ({
    kind: "arrival",
    ...common,
    source: block.kind === "toolResult" ? "toolResult" : "prompt",
    label: "",
    role: message.role,
    block,
    detail: undefined,
  }));
}

function prepare(file: string): ReplaySession {
  const { recording, entries } = readRecording(file);
  const root = entries.find(({ cwd }) => cwd !== "")?.cwd ?? "";
  const session = prepareSession({
    name: path.basename(file),
    recording,
    brokenLines: 0,
    root,
    vocabulary: claudeCodeVocabulary,
  });
  if ("why" in session) throw new Error(session.why);
  return session;
}

const SAMPLE = path.resolve(import.meta.dirname, "../../samples/demo-session.jsonl");
/** Of several repositories and both generations of models; long enough to be collapsed several times. */
const RECORDED = [
  "entireio__cli/0442a060-edc3-4307-bddb-11a2951fd1a1.jsonl",
  "FSM1__cipher-box/394e0229-5fa4-428f-b1eb-e821951d3",
  "obsessiondb__chkit/08c55e70-2741-4b0b-a8be-049373e",
];

describe("the default policy, live", () => {
  const files = [SAMPLE, ...(hasCorpus ? RECORDED.map(findRecorded) : [])].filter((file) => existsSync(file));
  if (!hasCorpus) withCorpus.it("is compared on recorded sessions, too", () => {});

  it.each(some(1, files))(
    "does to %s what replay says, edit by edit, in the library, in the gateway and in the module",
    async (file) => {
      const session = prepare(file);
      const requests = listRequests(session);
      const said = replay(session, requests).filter(didSomething);
      if (file !== SAMPLE) expect(said.length).toBeGreaterThan(1);
      // A gateway does not know where a session runs, and writes paths whole.
      const abroad = replay({ ...session, root: "" }, requests).filter(didSomething);
      expect(passThrough(requests).filter(didSomething)).toEqual(abroad);
      expect((await useLibrary(session, requests)).filter(didSomething)).toEqual(said);
      const rode = (await rideAlong(session, requests)).filter(didSomething);
      expect(withoutPreviews(rode)).toEqual(withoutPreviews(said));
    },
  );
});

/** A preview names the file that holds the original in the module alone, so the lines that are quoted of it may be others. */
function withoutPreviews(actions: readonly TestAction[]): readonly TestAction[] {
  return actions.map((action) => ({
    ...action,
    collapsed: action.collapsed.replaceAll(/ → [^\n]*?(?=\(shortened before, )/g, " → "),
  }));
}

function findRecorded(opening: string): string {
  if (opening.endsWith(".jsonl")) return path.join(CORPUS, opening);
  const folder = path.join(CORPUS, path.dirname(opening));
  const name = readdirSync(folder).find((candidate) => candidate.startsWith(path.basename(opening)));
  return path.join(folder, name ?? "");
}
