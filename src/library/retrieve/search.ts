/** Whatever can look for words: a working tree, an index, a language server. */
export interface Search {
  /** Paths of files that hold any of the terms, in whatever case, the best first; at most `limit`. */
  find(terms: readonly string[], limit: number): Promise<readonly string[]>;
  /** What stands in a file; `undefined` where it cannot be had, and then the file is passed over and counted. */
  textOf(path: string): Promise<string | undefined>;
}
