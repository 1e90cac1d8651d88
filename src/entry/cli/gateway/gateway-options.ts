import { renderCount } from "../../../core/render-count.ts";
import type { PolicyName } from "../../../layers/options/policy-settings.ts";
import type { Totals } from "../../gateway/metrics.ts";
import type { BaseLife, CompactionSetting } from "../../gateway/prepare-request.ts";
import type { Options } from "../command.ts";

export const DEFAULT_UPSTREAM = "https://api.anthropic.com";

export const COMPACTIONS: readonly CompactionSetting[] = ["pass", "trim", "answer"];

export const POLICY_NAMES: readonly (PolicyName | "off")[] = ["thrifty", "balanced", "cautious", "off"];

export const BASE_LIVES: readonly BaseLife[] = ["price", "1h", "client"];

export const GATEWAY_OPTIONS: Options = {
  upstream: { value: "URL", help: `the API to forward requests to (${DEFAULT_UPSTREAM} by default)` },
  store: {
    value: "WHERE",
    help: "where gateways store and share their data: a folder or postgres://... (by default, a folder in your home folder)",
  },
  line: { value: "TOKENS", help: "the maximum tokens in a request (by default, the gateway decides by price)" },
  policy: {
    value: "NAME",
    help: "how much old output to remove (balanced by default); off removes only what does not fit in the window",
    choices: POLICY_NAMES,
  },
  "base-life": {
    value: "HOW",
    help: "how long to cache the system prompt and tools once the gateway has edited a conversation: as long as is cheapest, one hour, or as long as the client requests",
    choices: BASE_LIVES,
  },
  compaction: {
    value: "HOW",
    help: "how to handle the client's own compactions: pass them on, trim them first, or answer them without a model",
    choices: COMPACTIONS,
  },
};

export function renderTotals(totals: Totals): string {
  const { requests, edited, dropped, savedTokens, incidents, retries, recalls, failed } = totals;
  const unchanged = requests === 1 ? "sent unchanged" : "all sent unchanged";
  const saved = `${edited} shortened, about ${renderCount(savedTokens, "token")} less in all`;
  const often = (times: number): string => (times === 1 ? "once" : `${times} times`);
  return [
    `${renderCount(requests, "request")}, ${edited === 0 ? unchanged : saved}`,
    dropped > 0 && `${often(dropped)} an earlier edit was not repeated, because the text that it replaced had changed`,
    recalls > 0 && `removed text was fetched back ${renderCount(recalls, "time")}`,
    retries > 0 && `${renderCount(retries, "request")} sent again, shortened to fit the window`,
    failed > 0 && `the connection to the upstream failed ${often(failed)}`,
    incidents > 0 && `${renderCount(incidents, "incident")}, after which requests were sent unchanged`,
  ]
    .filter((part) => part !== false)
    .join("; ");
}
