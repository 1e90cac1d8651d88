import type { LayersOptions } from "../layers/catalogue.ts";
import { LEAST_LEDGER_TOKENS } from "../layers/options/policy-settings.ts";

/**
 * The layers' own settings are for windows of 200,000 tokens. Below a lower line what they keep must be less, too, or they
 * would never get there; what the caller sets stands.
 */
export function scaleLayers(targetTokens: number, layers: LayersOptions = {}): LayersOptions {
  const share = (parts: number, atMost: number): number => Math.min(atMost, Math.floor(targetTokens / parts));
  return {
    ...layers,
    clearStale: { clearAtLeast: share(20, 5_000), ...layers.clearStale },
    autoCompact: { keepTokens: share(6, 10_000), leastTokens: share(3, 10_000), ...layers.autoCompact },
    collapseExchanges: {
      // Below the line nothing happens, unless the caller asks for it: earlier is often cheaper.
      eager: false,
      leastTokens: share(10, 5_000),
      maxTailTokens: share(3, 40_000),
      // The default policy's ledger may have 12,000 tokens: more than half of such a line.
      ...(targetTokens < 24_000 ? { maxLedgerTokens: Math.max(LEAST_LEDGER_TOKENS, share(2, 12_000)) } : {}),
      ...layers.collapseExchanges,
    },
  };
}
