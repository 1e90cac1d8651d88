/** Where a text may be cut, told character by character; a cutter sees every character once, whatever the chunks. */
export interface Cutter {
  /** Takes the next character; how many characters of what is kept are ready, this one included or not; 0 for none. */
  step(character: string): number;
}
