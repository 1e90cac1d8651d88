import type { ComponentChild } from "preact";

/** Shows text from a transcript as plain text: invisible and reordering characters become visible, and its direction is isolated. */
export function Safe({ text }: { readonly text: string }): ComponentChild {
  return (
    <bdi>
      {splitHidden(text).map((piece) =>
        "hidden" in piece ? (
          <span class="hidden-character" title="an invisible character">
            {piece.hidden}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}

/** A long text that scrolls by itself. */
export function LongText({ text }: { readonly text: string }): ComponentChild {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0}>
      <Safe text={text} />
    </pre>
  );
}

/** A piece of text, or the name of a character that is invisible or changes how text is shown. */
type TextPiece = { readonly text: string } | { readonly hidden: string };

// Control characters except tab and line feed, then invisible characters that join, separate or reverse text.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Splits a text so that every invisible or reordering character is replaced by its name. */
export function splitHidden(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    // A carriage return before a line feed is just a line end.
    if (character === "\r" && text[index + 1] === "\n") {
      pieces.push({ text: text.slice(from, index) });
    } else pieces.push({ text: text.slice(from, index) }, { hidden: nameCharacter(character) });
    from = index + 1;
  }
  pieces.push({ text: text.slice(from) });
  return pieces.filter((piece) => "hidden" in piece || piece.text !== "");
}

/** Visible white space becomes one blank; invisible characters stay, to be shown by name. */
export function showOneLine(text: string): string {
  return text.replace(/[ \t\n]+|\r\n/g, " ");
}

/** On one line for attributes and drawings, with names in place of hidden characters. */
export function renderVisible(text: string): string {
  return splitHidden(showOneLine(text))
    .map((piece) => ("hidden" in piece ? piece.hidden : piece.text))
    .join("");
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

function nameCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return CONTROLS[code] ?? (code === 0x7f ? "DEL" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);
}
