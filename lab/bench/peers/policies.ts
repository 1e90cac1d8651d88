import type { Policy } from "../../../src/replay/policy.ts";
import { createPeer } from "./create-peer.ts";

/** Published code next to ours: `npm run lab -- replay --with lab/bench/peers/policies.mjs`. Constants and sources: README.md. */
export const policies: readonly Policy[] = [
  createPeer({
    name: "pi",
    about:
      "pi 0.73.1, run as published: summary at window - 16,384, cut so that about 20,000 tokens stay; price and cut only",
    adapter: "pi.mjs",
    compacts: true,
  }),
  createPeer({
    name: "ai_prune",
    about:
      "AI SDK 6.0.326 pruneMessages before every request: tool calls before the last 2 messages and all earlier reasoning go",
    adapter: "ai-prune-step.mjs",
  }),
  createPeer({
    name: "ai_prune_turn",
    about:
      "AI SDK 6.0.326 pruneMessages with the same options, once for each prompt of the person, as its reference page calls it",
    adapter: "ai-prune-turn.mjs",
  }),
  createPeer({
    name: "langchain_clear",
    about:
      "LangChain 1.5.14 ClearToolUsesEdit in its defaults: from 100,000 tokens of messages all results but 3 are cleared",
    adapter: "langchain-clear.mjs",
  }),
  createPeer({
    name: "langchain_trim",
    about: "LangChain core 1.2.13 trimMessages: the last window - 33k tokens stay, beginning with a prompt",
    adapter: "langchain-trim.mjs",
  }),
  createPeer({
    name: "gemini_cli_mask",
    about:
      "Gemini CLI 0.61.0 ToolOutputMaskingService in its defaults: 50,000 tokens protected, 30,000 at least; originals in files",
    adapter: "gemini-mask.mjs",
  }),
];
