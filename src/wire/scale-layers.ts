import type { LayersOptions } from "../layers/catalogue.ts";
import { POLICY_SETTINGS, type PolicyName } from "../layers/options/policy-settings.ts";

/**
 * The layers' own settings are for windows of 200,000 tokens. Below a lower line what they keep must be less, too, or they
 * would never get there; what the caller sets stands.
 */
export function scaleLayers(targetTokens: number, layers: LayersOptions = {}, policy?: PolicyName): LayersOptions {
  const share = (parts: number, atMost: number): number => Math.min(atMost, Math.floor(targetTokens / parts));
  return {
    ...layers,
    ...(policy ? { foldOutputs: { ...POLICY_SETTINGS[policy].fold, atBirth: true, ...layers.foldOutputs } } : {}),
    clearStale: { clearAtLeast: share(20, 5_000), ...layers.clearStale },
    autoCompact: { keepTokens: share(6, 10_000), leastTokens: share(3, 10_000), ...layers.autoCompact },
    collapseTurns: {
      // Below the line nothing happens, unless the caller asks for it: earlier is often cheaper.
      eager: policy !== undefined,
      ...(policy ? { policy } : {}),
      leastTokens: share(10, 5_000),
      maxTailTokens: share(3, 40_000),
      ...layers.collapseTurns,
    },
  };
}
