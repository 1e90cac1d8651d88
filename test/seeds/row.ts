/** How a person sees a requirement of the seeds with their own eyes. */
export interface Row {
  /** What it is about, in a few words. */
  readonly what: string;
  /**
   * What to do: a command in backticks, an event of the client by its name, words to type in quotes, an import. What is named here
   * is looked up: a command, an option, an event or a subpath that is not there fails the test.
   */
  readonly see: string;
  /** The setting that changes it, by its name in `docs/settings.md`. */
  readonly setting?: string;
  /** Why it is off unless somebody asks for it: the figure that says so. */
  readonly off?: string;
}

/** By the requirement's number: `R14`. */
export type Rows = Readonly<Record<string, Row>>;
