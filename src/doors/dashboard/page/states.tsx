import type { ComponentChild, ComponentChildren } from "preact";
import type { ReplayTold } from "../wire.ts";

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

export function ReplayingNotice({ replay }: { readonly replay: ReplayTold | undefined }): ComponentChild {
  if (!replay?.isRunning) return null;
  return (
    <div class="replaying">
      <label>
        Computing in the background what Plimsoll would have saved: {Math.floor(replay.share * 100)} %
        <progress value={replay.share} max={1} />
      </label>
    </div>
  );
}

interface StatProperties {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly note?: string | undefined;
}

/** One figure with its name above and its source below, for use in a `dl`. */
export function Stat({ name, children, note }: StatProperties): ComponentChild {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        <span class="figure">{children}</span>
        {note && <span class="note">{note}</span>}
      </dd>
    </div>
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
