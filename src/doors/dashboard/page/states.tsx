import type { ComponentChild, ComponentChildren } from "preact";
import type { FetchedAnswer } from "./fetch-answer.ts";
import { MarkIcon } from "./mark-icon.tsx";

interface EmptyProperties {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What to run next. */
  readonly command?: string;
}

/** Nothing to show yet, and what to do about it. */
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

interface AnsweredProperties<Value> {
  readonly answer: FetchedAnswer<Value>;
  readonly children: (value: Value) => ComponentChild;
}

/** An answer once it is here; until then, or where there is none, a sentence. */
export function AnsweredState<Value>({ answer, children }: AnsweredProperties<Value>): ComponentChild {
  if (answer.status === "waiting") return <WaitingState />;
  if (answer.status === "failed")
    return (
      <Empty title="This could not be read">
        {answer.why} If it stays so, end the dashboard with Ctrl+C, start it again and open its new address.
      </Empty>
    );
  return children(answer.value);
}
