import type { ComponentChild, ComponentChildren } from "preact";

interface StatProperties {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly note?: string | undefined;
}

/** One figure with its name above and its source below; stands in a `dl`. */
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
