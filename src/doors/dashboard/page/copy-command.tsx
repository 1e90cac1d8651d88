import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";

const THANKS_MS = 2000;

interface CopyCommandProperties {
  readonly command: string;
  /** Only the button: where the command is one way among others, and takes much room. */
  readonly isBrief?: boolean;
}

/** A command with a button that puts it where it can be pasted from. */
export function CopyCommand({ command, isBrief = false }: CopyCommandProperties): ComponentChild {
  const [state, change] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    const timer = setTimeout(() => change("idle"), THANKS_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => change("copied"),
      // Some browsers ask first, and a person may say no: the command stands beside the button.
      () => change("refused"),
    );
  };
  return (
    <span class={isBrief ? "copy is-brief" : "copy"}>
      {(!isBrief || state === "refused") && <code>{command}</code>}
      <button type="button" onClick={copy} title={command}>
        {state === "copied" ? "Copied" : state === "refused" ? "Select it" : isBrief ? "Copy command" : "Copy"}
        <span class="unseen"> {command}</span>
      </button>
    </span>
  );
}
