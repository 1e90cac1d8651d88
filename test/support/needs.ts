import { describe, it } from "vitest";
import { hasCorpus } from "../../lab/bench/corpus.ts";

/** Tests that need something which a machine may lack: there they are skipped, and their titles say why. */
export function needs(isThere: boolean, lack: string) {
  const titled = (title: string): string => (isThere ? title : `${title} (skipped: ${lack})`);
  return {
    describe: (title: string, suite: () => void): void => void describe.skipIf(!isThere)(titled(title), suite),
    it: (title: string, test: () => Promise<void> | void): void => void it.skipIf(!isThere)(titled(title), test),
  };
}

export const withCorpus: ReturnType<typeof needs> = needs(hasCorpus, "no recorded sessions beside the project");
export const asOrdinaryUser: ReturnType<typeof needs> = needs(process.getuid?.() !== 0, "root may do everything");
