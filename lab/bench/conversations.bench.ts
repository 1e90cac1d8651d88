/** Two thousand conversations that stay open in one process: what they and the default store or a small one hold, and whether each recalls its own alone. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { findHandles } from "../../src/fold/marker.ts";
import {
  createConversation,
  createMemoryStore,
  type PlimsollConversation,
} from "../../src/wire/create-conversation.ts";

const CONVERSATIONS = 2_000;
const DAYS = 30;
const LINE_TOKENS = 10_000;
const LIMITS_MB = [256, 32];

export async function run(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (const limitMb of LIMITS_MB) {
    const store = createMemoryStore({ maxBytes: limitMb << 20 });
    const all = new Map<number, PlimsollConversation>();
    const open = (tenant: number): PlimsollConversation => {
      const known = all.get(tenant) ?? createConversation({ id: `tenant ${tenant}`, store, targetTokens: LINE_TOKENS });
      all.set(tenant, known);
      return known;
    };
    const heapMb = (): number => {
      collect();
      return process.memoryUsage().heapUsed / (1 << 20);
    };
    const residentMb = (): number => Math.round(process.memoryUsage.rss() / (1 << 20));
    const [before, residentBefore] = [heapMb(), residentMb()];
    const sizes: string[] = [];
    for (let tenant = 1; tenant <= CONVERSATIONS; tenant++) {
      await open(tenant).prepare(history(tenant));
      if (tenant % 500 === 0) sizes.push(`${tenant}: ${Math.round(heapMb() - before)} MB (resident ${residentMb()})`);
    }
    const last = open(CONVERSATIONS);
    const [handle = ""] = findHandles(JSON.stringify((await last.prepare(history(CONVERSATIONS))).messages));
    const own = (await last.tool.run({ handle: `${handle}#1` })).includes(readDay(CONVERSATIONS, 0));
    const foreign = (await open(CONVERSATIONS - 1).tool.run({ handle })).includes("Nothing is kept");
    console.log(
      `limit ${limitMb} MB, resident before ${residentBefore} MB, heap after ${sizes.join(", ")}; recalls its own: ${own}, another's: ${!foreign}`,
    );
  }
}

function history(tenant: number): readonly object[] {
  const work = Array.from({ length: DAYS }, (_, day) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${day}`, name: "log", input: { day } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${day}`, content: readDay(tenant, day) }] },
  ]);
  return [{ role: "user", content: `Read the log of ${tenant}.` }, ...work.flat()];
}

/** About 1,000 tokens. */
function readDay(tenant: number, day: number): string {
  const lines = Array.from(
    { length: 60 },
    (_, line) => `${tenant} day ${day} line ${line}: wind from west, ${line % 9} waves`,
  );
  return lines.join("\n");
}
