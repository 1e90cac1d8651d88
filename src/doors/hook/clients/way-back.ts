/** The tools by which a model gets at an original, as its client names them. */
export interface WayBack {
  /** Takes a handle; absent where no server is there to answer it. */
  readonly recallTool?: string | undefined;
  /** Reads a file; absent where it is called as usual. */
  readonly readTool?: string | undefined;
}
