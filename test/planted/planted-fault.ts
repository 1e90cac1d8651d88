/** One small change that a test must notice. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test that goes red. */
  readonly test: string;
}
