import type { HashedOriginals } from "../../survive/recall/recall.ts";
import { type Adapter, type AdapterOptions, createAdapters } from "../adapter.ts";
import { isRecord } from "../is-json.ts";
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
export function createCompaction(options: AdapterOptions): CompactionMiddleware {
  const createAdapter = createAdapters("langchain", options);
  const threads = new Map<string, Adapter>();
  const openThread = (id: string): Adapter => {
    const adapter = threads.get(id) ?? createAdapter();
    threads.delete(id);
    threads.set(id, adapter);
    const [oldest] = threads.keys();
    if (threads.size > MAX_THREADS && oldest !== undefined) threads.delete(oldest);
    return adapter;
  };
  return {
    name: "PlimsollCompaction",
    async wrapModelCall(request, handler) {
      const adapter = openThread(nameThread(request));
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

/** The conversation's thread in a checkpointer; one for all without it. */
function nameThread(request: object): string {
  const runtime = "runtime" in request && isRecord(request.runtime) ? request.runtime : {};
  const configurable = isRecord(runtime.configurable) ? runtime.configurable : {};
  return String(configurable.thread_id ?? "");
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
  const { name, description, parameters, run } = createRecallTool(originals);
  return [run, { name, description, schema: parameters }];
}
