import { shareLengths, takeFitting } from "../../core/clip-text.ts";
import type { SessionEvent } from "../../core/event.ts";
import { type JsonObject, numberField, textField } from "../../core/json.ts";
import { type Block, renderResultText } from "../../core/message.ts";
import { renderCount } from "../../core/render-count.ts";
import type { StoredArtifact } from "../../files/artifacts/keep-artifact.ts";
import { decodeText } from "../../files/artifacts/originals.ts";
import { countDecisions } from "../../files/count-decisions.ts";
import { assessHealth } from "../../measure/health.ts";
import { renderShare, renderTokens } from "../../measure/render-load.ts";
import { locateData } from "../../policy/actions/data-paths.ts";
import { CALLERS, renderRun, runOnTrigger } from "../../policy/advice/parse-trigger.ts";
import { reportHealth } from "../../policy/advice/report-health.ts";
import { draftPacket, renderPacketAnswer } from "../../survive/packet/draft-packet.ts";
import { matchLines } from "../../survive/recall/match-lines.ts";
import { pageText } from "../../survive/recall/page-text.ts";
import type { Picture } from "../../survive/recall/picture.ts";
import { recall } from "../../survive/recall/recall.ts";
import { findContinuation } from "../../survive/record/continuation.ts";
import { renderWork, type WorkList } from "../../survive/record/render-work.ts";
import { createShortener } from "../../survive/record/summary.ts";
import { createHandles } from "../../survive/record/trail.ts";
import { createPort, feedTranscript } from "./recall-port.ts";
import type { ServerSession } from "./sessions.ts";
import { TOOLS, type ToolSpec } from "./tools.ts";

export interface ToolAnswer {
  readonly blocks: readonly (string | Picture)[];
  readonly isError: boolean;
}

/** Handles one call. Never throws: an error is an answer that the model can read. */
export async function callTool(session: ServerSession, name: string, input: JsonObject): Promise<ToolAnswer> {
  const tool = TOOLS.find((spec) => spec.name === name);
  if (!tool) return fail(`There is no tool "${name}". The tools are ${TOOLS.map((spec) => spec.name).join(", ")}`);
  try {
    if (tool.name !== "recall") return { blocks: [answer(session, tool.name, input)], isError: false };
    const recalled = await recall(input, createPort(session));
    return recalled.isError ? fail(recalled.words) : recalled;
  } catch (error) {
    return fail(`The call failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(words: string): ToolAnswer {
  return { blocks: [words], isError: true };
}

function answer(session: ServerSession, name: Exclude<ToolSpec["name"], "recall">, input: JsonObject): string {
  const page = numberField(input, "page");
  switch (name) {
    case "search":
      return search(session, textField(input, "query"), page);
    case "list":
      return renderOriginals(session, page);
    case "state":
      return renderState(session, input);
    case "health":
      return renderHealth(session, input);
  }
}

const NOTHING_RECORDED = "Nothing has been recorded for this session yet.";

function renderHealth(session: ServerSession, { caller, occasion }: JsonObject): string {
  const followed = session.follow();
  if (followed === undefined) return NOTHING_RECORDED;
  const { host, environment, project, configFolder } = session.place;
  const settings = host.readCompactionSettings(environment, project);
  const health = assessHealth(followed.meter, { settings });
  const facts = {
    health,
    happened: { state: followed.session, trail: followed.trail },
    savedDecisions: countDecisions(project, locateData(configFolder)),
    baseTokens: followed.meter.baseTokens,
  };
  if (caller !== undefined) {
    const run = runOnTrigger({ event: "context.boundary", caller, occasion }, facts);
    return run === undefined ? `Unknown caller or occasion. Callers: ${CALLERS.join(", ")}` : renderRun(run);
  }
  const left = health.tokensToLine === undefined ? "" : `, ${renderTokens(health.tokensToLine)} tokens to compaction`;
  const requests =
    health.requestsToLine === undefined ? "" : `, about ${health.requestsToLine} requests at the current pace`;
  return [
    `${health.level}: ${renderShare(health)}${left}${requests}`,
    `Source: ${health.source}, ${health.confidence} (${health.note})`,
    `${health.toolCalls} tool calls, ${health.compactions} compactions, ${listOriginals(session).length} results folded`,
    "",
    reportHealth(facts),
  ].join("\n");
}

/** As long as a page of the other lists. */
const WORK_CHARACTERS = 6000;

/** For a task: its packet for a subagent, or the reason why that must not be sent. */
function renderState(session: ServerSession, { task }: JsonObject): string {
  const followed = session.follow();
  if (followed === undefined) return NOTHING_RECORDED;
  const { session: state, trail } = followed;
  const { project: root } = session.place;
  if (typeof task === "string") return renderPacketAnswer(draftPacket(state, { task }, { root }));
  const continuation = findContinuation({ state, trail });
  const head = `${renderCount(state.requests.count, "request")}, ${renderCount(state.compactions, "compaction")}\nNext: ${createShortener(root)(continuation.next.action)}`;
  const lists = renderWork({ state, trail }, continuation, { root, handle: createHandles(trail.calls) });
  const rooms = shareLengths(
    lists.map(({ lines }) => lines.join("\n").length + 1),
    WORK_CHARACTERS,
  );
  return [head, ...lists.map((list, index) => renderList(list, rooms[index] ?? 0))].join("");
}

function renderList({ title, lines }: WorkList, room: number): string {
  if (lines.length === 0) return "";
  const shown = takeFitting(lines, room);
  const left = lines.length - shown.length;
  return ["\n", `## ${title}`, ...shown, ...(left > 0 ? [`… ${left} more`] : [])].join("\n");
}

/** Longer lists are not useful; the query should be narrower. */
const MAX_HITS = 400;

/** Something to search, and what to ask for the rest with: a handle and a line, or a request. */
interface Searched {
  readonly text: string;
  name(line: number): string;
}

/** The lines that match, the best first, each with its place. */
function search(session: ServerSession, query: string, page: number | undefined): string {
  if (query.trim() === "") return "Pass a query: words, or a regular expression.";
  const searched = [...listSearchedOriginals(session), ...listSearchedMessages(session)];
  const { hits, note } = matchLines(
    searched.map(({ text }) => text),
    query,
  );
  if (hits.length === 0) return `Nothing matches "${query}" in this session's messages and originals.`;
  const lines = hits
    .slice(0, MAX_HITS)
    .map(({ text, line, shown }) => `${searched[text]?.name(line + 1) ?? ""}: ${shown}`);
  const more = hits.length > MAX_HITS ? `the first ${MAX_HITS} lines` : `${hits.length} lines`;
  const taken = note === "" ? "" : ` (${note})`;
  const how = "; to read the text around a match, call recall with its handle and lines";
  return renderPage(lines, page, (where) => `${more} match${taken}${where}${how}`);
}

function listSearchedOriginals(session: ServerSession): readonly Searched[] {
  const newest = new Map(listOriginals(session).map(({ sha256, handle }) => [sha256, handle]));
  return [...newest].reverse().flatMap(([sha256, handle]) => {
    const read = session.originals.read(sha256);
    const text = read.ok ? decodeText(read.value.bytes) : undefined;
    return text === undefined ? [] : [{ text, name: (line: number) => `${handle} line ${line}` }];
  });
}

function listSearchedMessages(session: ServerSession): readonly Searched[] {
  const file = session.transcript();
  if (file === undefined) return [];
  const searched: Searched[] = [];
  const nameCall = createHandles(session.follow()?.trail.calls ?? []);
  const own = new Set<string>();
  let [request, stepId] = [0, ""];
  const look = (block: Block, who: string): void => {
    const at = request;
    if (block.kind === "text") searched.push({ text: block.text, name: () => `request ${at} ${who}` });
    if (block.kind === "toolCall") {
      const place = `request ${at} ${block.tool} ${nameCall(block.callId)}`;
      // Our own earlier searches are not hits.
      if (/plimsoll/i.test(block.tool)) own.add(block.callId);
      else searched.push({ text: JSON.stringify(block.input), name: () => place });
    }
    if (block.kind === "toolResult" && !own.has(block.callId))
      searched.push({ text: renderResultText(block), name: (line) => `${nameCall(block.callId)} line ${line}` });
  };
  feedTranscript(file, (event: SessionEvent) => {
    if (event.kind === "output") {
      if (event.stepId !== stepId) request++;
      stepId = event.stepId;
      for (const block of event.blocks) look(block, "model");
    }
    if (event.kind === "arrival") look(event.block, event.source === "prompt" ? "person" : event.source);
  });
  return searched;
}

function listOriginals(session: ServerSession): readonly StoredArtifact[] {
  const id = session.sessionId();
  return session.originals.list().artifacts.filter(({ sessionId }) => id === "" || sessionId === id);
}

function renderOriginals(session: ServerSession, page: number | undefined): string {
  const rows = [...listOriginals(session)]
    .reverse()
    .map(({ handle, bytes, tool, command, generated }) =>
      `${handle} ${bytes} bytes, ${generated.slice(0, 19)}, ${tool} ${command.replace(/\s+/g, " ").slice(0, 120)}`.trimEnd(),
    );
  if (rows.length === 0) return "Nothing was folded in this session.";
  return renderPage(rows, page, (where) => `${rows.length} originals, the newest first${where}`);
}

function renderPage(lines: readonly string[], page: number | undefined, head: (where: string) => string): string {
  const found = pageText(lines.join("\n"), page);
  return `[${head(found.pages === 1 ? "" : `, page ${found.page} of ${found.pages}`)}]\n${found.text}\n[end]`;
}
