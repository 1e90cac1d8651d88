import type { ComponentChild, ComponentChildren } from "preact";
import { useProgress } from "./connection.ts";

interface EmptyProperties {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly command?: string;
}

export function Empty({ title, children, command }: EmptyProperties): ComponentChild {
  return (
    <div class="empty">
      <MarkIcon size={40} />
      <h2>{title}</h2>
      <p>{children}</p>
      {command && <code class="command">{command}</code>}
    </div>
  );
}

export function WaitingState(): ComponentChild {
  return <p class="waiting">Reading…</p>;
}

/** The mark on a ship's hull: a ring, and the line that the water must not pass. */
export function MarkIcon({ size = 22 }: { readonly size?: number }): ComponentChild {
  return (
    <svg class="mark-icon" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="9" fill="none" stroke="currentColor" stroke-width="3" />
      <path d="M1 16h30" stroke="currentColor" stroke-width="3" />
    </svg>
  );
}

export function ReplayingNotice(): ComponentChild {
  const { isRunning = false, share = 0 } = useProgress()?.replay ?? {};
  if (!isRunning) return null;
  return (
    <div class="replaying">
      <label>
        Computing in the background what Plimsoll would have saved: {Math.floor(share * 100)} %
        <progress value={share} max={1} />
      </label>
    </div>
  );
}

/** The name of a figure, the figure, and what it means or where it comes from. */
export type StatRow = readonly [name: string, figure: string, note: string];

export function Stats({ rows, isWide }: Readonly<{ rows: readonly StatRow[]; isWide?: boolean }>): ComponentChild {
  return (
    <dl class={isWide ? "stats stats-wide" : "stats"}>
      {rows.map(([name, figure, note]) => (
        <div key={name} class="stat">
          <dt>{name}</dt>
          <dd>
            <span class="figure">{figure}</span>
            <span class="note">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProperties {
  readonly id: string;
  readonly title: string;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ id, title, isCard, children }: SectionProperties): ComponentChild {
  return (
    <section class={isCard ? "card" : undefined} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
