/** The kinds of things that the demo project's shop stores; its long source files are rendered from them. */

type FieldKind = "text" | "cents" | "whole" | "day" | "choice" | "flag" | "id";

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly note: string;
  readonly isOptional: boolean;
  /** A valid value, as source text. */
  readonly sample: string;
  readonly min: number;
  readonly max: number;
  /** Source text of a regular expression; empty where any text will do. */
  readonly pattern: string;
  readonly choices: readonly string[];
}

export interface Resource {
  /** Singular, in camel case. */
  readonly name: string;
  readonly plural: string;
  /** Before the number in its ids. */
  readonly prefix: string;
  readonly note: string;
  readonly fields: readonly Field[];
  /** A condition that holds in every valid one, over `value`, with the field to blame and the sentence to say. */
  readonly rule?: { readonly condition: string; readonly field: string; readonly message: string };
  /** The field by which lists are sorted. */
  readonly sortBy: string;
  /** Fields by which lists can be narrowed. */
  readonly filters: readonly string[];
  /** No two may share it. */
  readonly unique?: string;
  /** Fields that stay as they were created. */
  readonly frozen: readonly string[];
  /** What can happen to one: a path segment, the fields it sets, and when it may not. */
  readonly action?: {
    readonly verb: string;
    readonly note: string;
    readonly changes: string;
    readonly isRefusedIf: string;
    readonly refusal: string;
  };
}

type Extra = Partial<Pick<Field, "isOptional" | "min" | "max" | "pattern">>;

export function text(name: string, sample: string, note: string, extra: Extra = {}): Field {
  return fieldOf("text", name, { note, sample: JSON.stringify(sample), min: 1, max: 80, ...extra });
}

export function cents(name: string, sample: number, note: string, extra: Extra = {}): Field {
  return fieldOf("cents", name, { note, sample: String(sample), max: 10_000_000, ...extra });
}

export function whole(name: string, sample: number, note: string, extra: Extra = {}): Field {
  return fieldOf("whole", name, { note, sample: String(sample), max: 100_000, ...extra });
}

export function day(name: string, sample: string, note: string, extra: Extra = {}): Field {
  return fieldOf("day", name, { note, sample: JSON.stringify(sample), ...extra });
}

export function choice(name: string, choices: readonly string[], note: string, extra: Extra = {}): Field {
  return fieldOf("choice", name, { note, sample: JSON.stringify(choices[0] ?? ""), choices, ...extra });
}

export function flag(name: string, note: string): Field {
  return fieldOf("flag", name, { note, sample: "false" });
}

/** The id of another thing. */
export function id(name: string, sample: string, note: string, extra: Extra = {}): Field {
  return fieldOf("id", name, { note, sample: JSON.stringify(sample), max: 24, ...extra });
}

function fieldOf(
  kind: FieldKind,
  name: string,
  given: Pick<Field, "note" | "sample"> & Partial<Omit<Field, "name" | "kind">>,
): Field {
  return { kind, name, isOptional: false, min: 0, max: 0, pattern: "", choices: [], ...given };
}

export function typeNameOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `purchaseOrder` as `purchase order`. */
export function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `purchaseOrder` with the article that it takes. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${wordsOf(name)}`;
}

/** `purchaseOrders` as `purchase_orders`. */
export function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
