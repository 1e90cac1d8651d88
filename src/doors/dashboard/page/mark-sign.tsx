import type { ComponentChild } from "preact";
import type { Mark } from "../wire.ts";

export const MARK_NAMES: Readonly<Record<Mark["kind"], string>> = {
  compaction: "Compaction",
  fold: "Shortened output",
  clear: "Clearing of old results",
  miss: "Rewrite of the cache",
};

/** The same shapes as in `area-chart.tsx`: told apart without colour. */
export function MarkSign({ kind }: { readonly kind: Mark["kind"] }): ComponentChild {
  return (
    <svg
      class={`sign sign-${kind}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      role="img"
      aria-label={MARK_NAMES[kind]}
    >
      {kind === "compaction" && <rect x="1.5" y="1.5" width="9" height="9" fill="currentColor" />}
      {kind === "fold" && <path d="M1.5 1.5h9l-4.5 9z" fill="currentColor" />}
      {kind === "clear" && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />}
      {kind === "miss" && <path d="M2 2l8 8M10 2l-8 8" stroke="currentColor" stroke-width="2" />}
    </svg>
  );
}
