import type { HashedOriginals } from "../../survive/recall/recall.ts";
import { type Adapter, type AdapterSource, createAdapters } from "../adapter.ts";
import { isRecord } from "../conversation.ts";
import { type ConversationOptions, createConversation } from "../create-conversation.ts";
import { createRecallTool, type RecallInput, type RecallTool } from "../recall-tool.ts";

/** What `createMiddleware` of `langchain` takes. */
interface CompactionMiddleware {
  name: string;
  wrapModelCall<Request extends { messages: object[] }, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ): Promise<Answer>;
}

/** How many threads' ledgers are kept; beyond that, the least recently used thread decides anew. */
const MAX_THREADS = 1_000;

/**
 * A middleware that sends a lighter conversation and leaves the agent's state whole. If a request
 * does not fit, it is compacted harder and sent once more. Each thread has a ledger of its own.
 */
export function createCompaction(source: AdapterSource): CompactionMiddleware {
  const open = createThreads(createAdapters("langchain", source));
  return createMiddleware((request) => open(findThread(request) ?? nameFirst(request)));
}

/**
 * Middleware and recall tool of one agent, both bound to the thread of each call: recall answers what left this thread, and names nothing
 * of another. A call without a thread is refused: two conversations that begin alike would be one.
 */
export function createThreadTools(options: Omit<ConversationOptions, "id" | "format">): {
  readonly middleware: CompactionMiddleware;
  readonly recall: [run: (input: RecallInput, runtime: object) => Promise<string>, fields: LangchainFields];
} {
  // Refuses wrong options now, not at the first message.
  const { tool } = createConversation({ ...options, id: "any" });
  const openThread = createThreads((thread) => {
    const conversation = createConversation({ ...options, id: thread });
    return { ...createAdapters("langchain", conversation)(), tool: conversation.tool };
  });
  const open = (call: object) => {
    const thread = findThread(call);
    if (thread === undefined) throw new TypeError(NO_THREAD);
    return openThread(thread);
  };
  return {
    middleware: createMiddleware(open),
    recall: [(input, runtime) => open(runtime).tool.run(input), describeTool(tool)],
  };
}

const NO_THREAD =
  'Plimsoll needs the thread of each call: invoke the agent with { configurable: { thread_id: "…" } }. For a single conversation, use createCompaction and createRecallTool';

/** The least recently used thread is forgotten first: a store still has its ledger. */
function createThreads<Thread>(create: (id: string) => Thread): (id: string) => Thread {
  const threads = new Map<string, Thread>();
  return (id) => {
    const thread = threads.get(id) ?? create(id);
    threads.delete(id);
    threads.set(id, thread);
    const [oldest] = threads.keys();
    if (threads.size > MAX_THREADS && oldest !== undefined) threads.delete(oldest);
    return thread;
  };
}

function createMiddleware(open: (request: object) => Adapter): CompactionMiddleware {
  return {
    name: "PlimsollCompaction",
    async wrapModelCall(request, handler) {
      const adapter = open(request);
      const prepared = await adapter.prepare(request.messages);
      if (!prepared) return handler(request);
      try {
        return await handler({ ...request, messages: [...prepared.messages] });
      } catch (error) {
        const { status, body } = findRefusal(error);
        const harder = await adapter.react(prepared, status, body);
        if (!harder) throw error;
        return handler({ ...request, messages: [...harder.messages] });
      }
    },
  };
}

/** LangChain wraps the provider SDK's error, once for the model and once for each middleware. */
function findRefusal(error: unknown, depth = 0): { readonly status: number; readonly body: unknown } {
  if (!isRecord(error) || depth > MAX_CAUSES) return { status: 0, body: error };
  if (typeof error.status !== "number") return findRefusal(error.cause, depth + 1);
  return { status: error.status, body: error.message };
}

const MAX_CAUSES = 16;

/** The thread that the caller names, as for a checkpointer: in the runtime of a model's call, or in the config of a tool's. */
function findThread(call: object): string | undefined {
  const runtime = "runtime" in call && isRecord(call.runtime) ? call.runtime : call;
  const places = [runtime, "config" in runtime && isRecord(runtime.config) ? runtime.config : {}];
  const [thread] = places
    .map((place) =>
      "configurable" in place && isRecord(place.configurable) ? place.configurable.thread_id : undefined,
    )
    .filter((id) => id !== undefined);
  return thread === undefined ? undefined : `thread ${String(thread)}`;
}

/** The agent gives a conversation's first message an id, which stays while it runs. */
function nameFirst(request: object): string {
  const state = "state" in request && isRecord(request.state) ? request.state : request;
  const [first] = "messages" in state && Array.isArray(state.messages) ? state.messages : [];
  return isRecord(first) ? `first ${String(first.id)} ${JSON.stringify(first.content)}` : "nothing said";
}

interface LangchainFields {
  name: string;
  description: string;
  schema: RecallTool["parameters"];
}

/** The two arguments of LangChain's `tool`: `tool(...createRecallTool(originals))`. */
export function createLangchainRecallTool(
  originals: HashedOriginals,
): [run: (input: RecallInput) => Promise<string>, fields: LangchainFields] {
  const tool = createRecallTool(originals);
  return [tool.run, describeTool(tool)];
}

function describeTool({ name, description, parameters }: RecallTool): LangchainFields {
  return { name, description, schema: parameters };
}
