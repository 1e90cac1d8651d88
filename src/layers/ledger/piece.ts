import type { ImageBlock, Message, TextBlock } from "../../core/message.ts";

/** What is left of an exchange in the ledger, in its order. */
export type Piece =
  /** What the person said, or an image they gave: the very same block. */
  | { readonly kind: "block"; readonly block: TextBlock | ImageBlock }
  | Line
  /** A system message keeps its place and its weight. */
  | { readonly kind: "message"; readonly message: Message };

/** Something in one line. With sections it gets a number by which they are fetched. */
export interface Line {
  readonly kind: "line";
  /** Empty where the number alone is told. */
  readonly text: string;
  /** What it is called where only its number is shown. */
  readonly label?: string;
  readonly sections: readonly LineText[];
  /** Words from which nobody learns anything later. */
  readonly isPassing?: boolean;
  /** What went wrong, where the line ends in it: told once in a stretch. */
  readonly failure?: string;
  /** How it reads where a later line of the stretch has the same name; an empty text leaves the number alone. */
  readonly replaced?: { readonly name: string; readonly text: string } | undefined;
}

/** What a line stands for, word for word. `part` tells the sections of one line apart. */
export interface LineText {
  readonly part: "" | "i";
  readonly text: string;
}
