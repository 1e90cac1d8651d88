/** If red: two runs of one prompt are given each other's originals. */
import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHandles } from "../../../src/fold/marker.ts";
import { tries } from "../../support/depth.ts";
import { type OpenGateway, openGateway } from "../open-gateway.ts";
import { openRawApi, type RawRequest } from "../raw-api.ts";
import { type Exchange, renderConversation, writeDocument } from "./long-conversation.ts";
import { type Api, messagesWriter, type RawBlock, responsesWriter, sumUsage } from "./raw-answer.ts";

const RECALL = "plimsoll_recall";

/** What two runs of one prompt have in common, and in what they differ. */
interface Pair {
  readonly api: Api;
  readonly isStream: boolean;
  /** Both name the same session, or none. */
  readonly session: string | undefined;
  /** The model says the same words in both. */
  readonly isSaidAlike: boolean;
  /** Of each result: whether the second run's tool gave what the first one's gave. */
  readonly isSame: readonly boolean[];
  /** What the second run's model asks for. */
  readonly question: "other" | "beginning" | "mistyped" | "own";
  readonly order: "after" | "between";
}

const pairs: fc.Arbitrary<Pair> = fc.record({
  api: fc.constantFrom("messages", "responses"),
  isStream: fc.boolean(),
  session: fc.constantFrom(undefined, undefined, "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
  isSaidAlike: fc.boolean(),
  isSame: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
  question: fc.constantFrom("other", "beginning", "mistyped", "own"),
  order: fc.constantFrom("after", "between"),
});

interface Run {
  readonly name: string;
  readonly exchanges: Exchange[];
  /** What the model asks for in the next request, if anything. */
  ask: string | undefined;
  /** The client's own bodies. */
  readonly sent: string[];
}

const SECRET = /secret_\w+/g;
/** In the sentence that says what handles look like. */
const EXAMPLE = "plimsoll:1a2b3c4d5e6f";

describe("two runs of one prompt, with the same tools, users and ids of calls", () => {
  it("never get, and are never told of, what left the other one alone", async () => {
    const runs = new Map<string, Run>();
    const api = await openRawApi((request, response) => {
      const run = runs.get(String(request.headers["x-run"]));
      if (run) answer(run, request, response);
      else response.writeHead(500).end();
    });
    const gateway = await openGateway(api.url);
    let count = 0;
    let fetched = 0;
    await fc.assert(
      fc.asyncProperty(pairs, async (pair) => {
        const index = count++;
        const [first, second] = ["a", "b"].map((letter): Run => {
          const run = { name: `${letter}${index}`, exchanges: [], ask: undefined, sent: [] };
          runs.set(run.name, run);
          return run;
        });
        if (!first || !second) throw new Error("there are two runs");
        const from = api.requests.length;
        const listOwn = ({ name }: Run): readonly RawRequest[] =>
          api.requests.slice(from).filter(({ headers }) => headers["x-run"] === name);
        const listHandles = (run: Run) =>
          findHandles(
            listOwn(run)
              .map(({ body }) => String(body))
              .join(),
          );
        await play(gateway, pair, { first, second, index, listHandles });
        fetched += judge(first, listOwn(first)) + judge(second, listOwn(second));
      }),
      { numRuns: tries(40, 300) },
    );
    // Most of them fetched something of their own.
    expect(fetched).toBeGreaterThan(count / 2);
  });
});

interface Playing {
  readonly first: Run;
  readonly second: Run;
  readonly index: number;
  /** That were sent upstream in a run so far. */
  listHandles(run: Run): readonly string[];
}

async function play(gateway: OpenGateway, pair: Pair, { first, second, index, listHandles }: Playing): Promise<void> {
  const step = async (run: Run, exchange: Exchange, ask?: string): Promise<void> => {
    run.exchanges.push(exchange);
    run.ask = ask;
    await send(gateway, run, pair, index);
  };
  const exchanges = (run: Run): readonly Exchange[] =>
    pair.isSame.map((isSame, at) => {
      const whose = isSame ? "ab" : run.name;
      return {
        said: [pair.isSaidAlike ? "I load it." : `I, ${run.name}, load it.`],
        callId: `call_${at}`,
        result: writeDocument(`secret_${index}_${at}_${whose}`, index * 7 + at + (isSame ? 0 : run === first ? 1 : 2)),
      };
    });
  const [of1, of2] = [exchanges(first), exchanges(second)];
  // In the first run the model fetches back what was folded, and says what it found.
  const early = pair.order === "between" ? of2.slice(0, 1) : [];
  for (const [at, exchange] of of1.entries()) {
    await step(first, exchange, at === of1.length - 1 ? "@own@" : undefined);
    const other = early[at];
    if (other) await step(second, other);
  }
  await step(first, { said: ["That is what it says."] });
  const asked = askFor(pair, listHandles(first)[0] ?? "plimsoll:0123456789ab");
  for (const exchange of of2.slice(early.length)) await step(second, exchange, asked);
  // The same words in the same place: what the first run fetched there must not come with them.
  await step(second, { said: ["That is what it says."] }, asked);
  await step(second, { said: ["Again."] }, "@own@");
}

function askFor({ question }: Pair, handle: string): string {
  if (question === "own") return "@own@";
  if (question === "beginning") return handle.slice(0, "plimsoll:".length + 8);
  return question === "other" ? handle : `${handle.slice(0, -1)}${handle.endsWith("0") ? "1" : "0"}`;
}

async function send(gateway: OpenGateway, run: Run, pair: Pair, index: number): Promise<void> {
  const { api, isStream, session } = pair;
  const own = session === undefined ? {} : { userId: `user_x_account_y_session_${session}` };
  const header: Record<string, string> = session !== undefined && api === "responses" ? { "session-id": session } : {};
  const client = renderConversation(api, run.exchanges, { isStream, prompt: `Task ${index}`, ...own });
  run.sent.push(client);
  const response = await fetch(`${gateway.url}/v1/${api}`, {
    method: "POST",
    headers: { ...header, "x-run": run.name, "x-api": api, "x-stream": String(isStream) },
    body: client,
  });
  const heard = await response.text();
  expect(response.status).toBe(200);
  expect(heard).not.toContain(RECALL);
}

/** A model that asks once for what it is to ask for, and then says so. */
function answer(run: Run, request: RawRequest, response: ServerResponse): void {
  const api: Api = request.headers["x-api"] === "responses" ? "responses" : "messages";
  const body = String(request.body);
  const own = findHandles(body).at(-1) ?? "plimsoll:ffffffffffff";
  const handle = run.ask === "@own@" ? own : run.ask;
  run.ask = undefined;
  const canAsk = body.includes(`"name":"${RECALL}"`);
  const block: RawBlock =
    handle !== undefined && canAsk
      ? {
          kind: "call",
          id: "call_9",
          name: RECALL,
          input: `{"handle":"${handle}","pattern":"17.4|Section 3:"}`,
          odd: "1",
          isEarly: false,
        }
      : { kind: "text", text: "That is what it says.", odd: "1" };
  const writer = api === "messages" ? messagesWriter : responsesWriter;
  const written = { id: "msg_1", usage: sumUsage(1, api), style: { lineEnd: "\n", gap: " " } as const };
  const round = { blocks: [block], stop: block.kind === "call" ? "tool_use" : "end_turn", odd: "1" } as const;
  const texts = [writer.block(block)];
  const isStream = request.headers["x-stream"] === "true";
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  if (!isStream) return void response.end(writer.whole(round, `[${texts.join(",")}]`, written));
  let number = 1;
  const next = (): number => number++;
  const frames = writer.frames(block, { index: 0, next }, written);
  response.end([...writer.begin(written), ...frames, ...writer.end(round, { next, blocks: texts }, written)].join(""));
}

/** Holds a run's requests to the law, and counts those in which something was fetched. */
function judge(run: Run, requests: readonly RawRequest[]): number {
  const said = new Set(run.sent.join("\n").match(SECRET) ?? []);
  let fetched = 0;
  for (const { body } of requests) {
    const text = String(body);
    for (const secret of text.match(SECRET) ?? []) expect(said, `${run.name} is sent ${secret}`).toContain(secret);
    const results = listRecalled(text);
    const elsewhere = results.reduce((rest, result) => rest.replaceAll(result, ""), text);
    const asked = [...text.matchAll(/\\?"handle\\?":\\?"(plimsoll:[0-9a-f]+)/g)].map(([, handle]) => handle ?? "");
    const view = new Set(findHandles(removeCalls(elsewhere)));
    for (const result of results) {
      if (result.includes("Clause 17.4")) fetched++;
      for (const handle of findHandles(result))
        expect([...view, ...asked, EXAMPLE].includes(handle), `${run.name} is told of ${handle}`).toBe(true);
    }
    // The tool is there where something left this request, and only there.
    expect(text.includes(`"name":"${RECALL}"`), `${run.name} is offered recall for nothing`).toBe(view.size > 0);
  }
  return fetched;
}

/** The results of recalls in a request, as they are written in it. */
function listRecalled(text: string): readonly string[] {
  const inMessages = [
    ...text.matchAll(/\{"type":"tool_result","tool_use_id":"call_9"(?:[^"\\}]|\\.|"(?:[^"\\]|\\.)*")*\}/g),
  ];
  const inResponses = [
    ...text.matchAll(/\{"type":"function_call_output","call_id":"call_9"(?:[^"\\}]|\\.|"(?:[^"\\]|\\.)*")*\}/g),
  ];
  return [...inMessages, ...inResponses].map(([found]) => found);
}

function removeCalls(text: string): string {
  return text.replaceAll(/\\?"handle\\?":\\?"plimsoll:[0-9a-f]+/g, "");
}
