/** Something that is wrong, and what to do about it. */
export interface Problem {
  readonly what: string;
  readonly fix: string;
}
