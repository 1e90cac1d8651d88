import type { ImageBlock, Message, TextBlock } from "../../core/message.ts";

/** What the ledger keeps of an exchange, in order. */
export type Piece =
  /** The person's words or image, as the identical block. */
  | { readonly kind: "block"; readonly block: TextBlock | ImageBlock }
  | Line
  /** A system message stays where it is. */
  | { readonly kind: "message"; readonly message: Message };

/** One line. With sections it gets a number by which they are fetched. */
export interface Line {
  readonly kind: "line";
  /** Empty if only the number is shown. */
  readonly text: string;
  /** Its name if only its number is shown. */
  readonly label?: string;
  readonly sections: readonly LineText[];
  readonly isPassing?: boolean;
  /** The failure at the end of the line; shown once per segment. */
  readonly failure?: string;
  /** The text to use if a later line of the segment has the same name; if empty, only the number is left. */
  readonly replaced?: { readonly name: string; readonly text: string } | undefined;
}

/** A line without the texts behind it: those are in the exchange. */
export interface KnownLine extends Omit<Line, "sections"> {
  readonly parts: readonly LineText["part"][];
}

/** Lines that were worded before, by a hash of what they are worded from. */
export type KnownLines = Map<string, KnownLine>;

/** The original text of a line. `part` distinguishes the sections of one line. */
export interface LineText {
  readonly part: "" | "i";
  readonly text: string;
}
