import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownOriginal } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { renderInteger } from "./format.ts";
import { Safe } from "./safe.tsx";
import { AnsweredState } from "./states.tsx";

interface OriginalDialogProperties {
  readonly question: string;
  readonly onClose: () => void;
}

/** A whole text in front of the page, closed by its button or the escape key. */
export function OriginalDialog({ question, onClose }: OriginalDialogProperties): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  const answer = useAnswer<ShownOriginal>(question, 0);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="The original">
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
      <AnsweredState answer={answer}>
        {({ label, text, characters }) => (
          <>
            <h2>
              <Safe text={label} />
            </h2>
            <p class="note">
              {renderInteger(characters)} characters
              {characters > text.length && `, of which the first ${renderInteger(text.length)} are shown`}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>
              <Safe text={text} />
            </pre>
          </>
        )}
      </AnsweredState>
    </dialog>
  );
}
