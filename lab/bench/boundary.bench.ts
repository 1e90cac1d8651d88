/** What marks in the prompt are worth in a loop of one's own, by where the part stands that changes with every request. */

import type { JsonObject } from "../../src/core/json.ts";
import { isObject, objectField } from "../../src/core/json.ts";
import { assemblePrompt, renderSystem } from "../../src/library/prompt/assemble-prompt.ts";
import { placeBreakpoints } from "../../src/library/prompt/place-breakpoints.ts";
import { priceUsage } from "../../src/models/economics/spend.ts";
import { parseUsage } from "../../src/wire/anthropic/parse-usage.ts";
import { answer } from "../../test/api/replies.ts";
import { createScriptedApi } from "../../test/api/scripted-api.ts";

const MODEL = "claude-sonnet-4-6";
const REQUESTS = 40;
const PLACES = ["no marks", "before the static part", "behind it", "nowhere", "at the end"] as const;

export async function run(): Promise<void> {
  for (const repeats of [400, 2000])
    for (const place of PLACES) {
      const { usd, share } = await play(place, "You keep a ship's log. ".repeat(repeats));
      console.log(
        `static ${repeats * 23} characters, ${place}: $${usd.toFixed(2)}, ${Math.round(share * 100)} % cached`,
      );
    }
}

async function play(place: (typeof PLACES)[number], text: string): Promise<{ usd: number; share: number }> {
  const api = await createScriptedApi({ main: () => answer("Seen and noted.") });
  const messages: JsonObject[] = [];
  let [usd, read, sent] = [0, 0, 0];
  for (let turn = 0; turn < REQUESTS; turn++) {
    const words = { type: "text", text: `Day ${turn}: ${`wind ${turn} and waves `.repeat(300)}` };
    const changing = { type: "text", text: `turn ${turn}` };
    const last = { role: "user", content: place === "at the end" ? [words, changing] : [words] };
    const system =
      place === "before the static part"
        ? [{ type: "text", text: `turn ${turn}\n${text}` }]
        : renderPrompt(text, place === "behind it" ? changing.text : "branch main");
    const bare: JsonObject = { model: MODEL, max_tokens: 1024, system, messages: [...messages, last] };
    const usage = parseUsage(await ask(api.url, place === "no marks" ? bare : placeBreakpoints(bare).request));
    usd += priceUsage(usage, MODEL)?.totalUsd ?? Number.NaN;
    read += usage.cacheReadTokens;
    sent += usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
    messages.push({ role: "user", content: [words] }, { role: "assistant", content: "Seen and noted." });
  }
  await api.close();
  return { usd, share: read / sent };
}

/** Without marks of its own: they are what is compared. */
function renderPrompt(text: string, changing: string): readonly JsonObject[] {
  const prompt = assemblePrompt([
    { name: "Intro", kind: "static", text },
    { name: "Environment", kind: "dynamic", text: changing },
  ]);
  return renderSystem(prompt).map((block) => ({ type: "text", text: block.text }));
}

async function ask(url: string, body: JsonObject): Promise<JsonObject> {
  const headers = { "content-type": "application/json", "x-api-key": "made-up", "anthropic-version": "2023-06-01" };
  const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(body) });
  const printed: unknown = await response.json();
  const usage = isObject(printed) ? objectField(printed, "usage") : undefined;
  if (usage === undefined) throw new Error(`no usage in ${JSON.stringify(printed).slice(0, 200)}`);
  return usage;
}
