import type { ComponentChild } from "preact";

/** The mark on a ship's hull: a ring, and the line that the water must not pass. */
export function MarkIcon({ size = 22 }: { readonly size?: number }): ComponentChild {
  return (
    <svg class="mark-icon" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="9" fill="none" stroke="currentColor" stroke-width="3" />
      <path d="M1 16h30" stroke="currentColor" stroke-width="3" />
    </svg>
  );
}
