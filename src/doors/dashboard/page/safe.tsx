import type { ComponentChild } from "preact";
import { splitHidden } from "./table.tsx";

/** Text from a transcript: always text, with whatever hides or turns it made visible, and its direction kept to itself. */
export function Safe({ text }: { readonly text: string }): ComponentChild {
  return (
    <bdi>
      {splitHidden(text).map((piece) =>
        "hidden" in piece ? (
          <span class="hidden-character" title="a character that is not seen">
            {piece.hidden}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
