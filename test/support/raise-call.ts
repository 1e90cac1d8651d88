import { isObject, type JsonObject } from "../../src/core/json.ts";

type Raise = (event: string, e: JsonObject, answer: (e: JsonObject) => unknown) => Promise<unknown>;

/** A call as the module hands it to the engine: before it runs, and what it came to. */
export async function raiseCall(raise: Raise, e: JsonObject, run: (e: JsonObject) => unknown): Promise<unknown> {
  const admitted = await raise("tool.call", e, run);
  if (isObject(admitted) && !isObject(admitted.e)) return admitted;
  const result = await run(isObject(admitted) && isObject(admitted.e) ? admitted.e : e);
  await raise("tool.called", e, () => result);
  return result;
}
