import type { ComponentChild } from "preact";

/** How much of something is used up; from nine tenths on in the colour of warnings. */
export function LoadMeter({ share, label }: { readonly share: number; readonly label: string }): ComponentChild {
  const width = Math.max(0, Math.min(100, share * 100));
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="bar-rest" width="100" height="8" />
      <rect class={share >= 0.9 ? "meter-full" : "bar-part"} width={width} height="8" />
    </svg>
  );
}
