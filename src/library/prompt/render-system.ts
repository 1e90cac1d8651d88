import type { AssembledPrompt } from "./assemble-prompt.ts";

/** How long a cached prefix lives after its last use. */
export type CacheTtl = "5m" | "1h";

/** As the Messages API takes it. Types, not interfaces, so that they are JSON too. */
export type CacheControl = { readonly type: "ephemeral"; readonly ttl?: CacheTtl };

export type SystemBlock = { readonly type: "text"; readonly text: string; readonly cache_control?: CacheControl };

/**
 * The prompt as `system` blocks: the static part with a breakpoint at its end, then the dynamic part. Nothing can be cached up
 * to the middle of a block, so the boundary is where one block ends; its line stays in, for whoever reads the request later.
 */
export function renderSystem(prompt: AssembledPrompt, { ttl = "5m" }: { readonly ttl?: CacheTtl } = {}): SystemBlock[] {
  const control = renderControl(ttl);
  const hasStatic = prompt.sections.some(({ kind }) => kind === "static");
  const first: SystemBlock = {
    type: "text",
    text: prompt.staticText,
    // A boundary line alone is not worth one of four places.
    ...(hasStatic && { cache_control: control }),
  };
  return prompt.dynamicText === "" ? [first] : [first, { type: "text", text: prompt.dynamicText }];
}

/** Five minutes is what the API takes without being told. */
export function renderControl(ttl: CacheTtl): CacheControl {
  if (ttl !== "5m" && ttl !== "1h") throw new TypeError(`ttl is "${String(ttl)}": use "5m" or "1h"`);
  return ttl === "1h" ? { type: "ephemeral", ttl } : { type: "ephemeral" };
}
