/** If red: most of what fills a real window cannot be explained to the person. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CORPUS } from "../../lab/bench/corpus.ts";
import { readSession } from "../../src/hosts/catalogue.ts";
import { attributeSession } from "../../src/recorded/assess-session.ts";
import { withCorpus } from "../support/needs.ts";

withCorpus.describe("what fills the last request of a recorded session", () => {
  withCorpus.it("is explained but for 12 % of it, unless lines of the file are damaged", () => {
    const files = readdirSync(CORPUS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
    const dark = files.flatMap((name) => {
      const session = readSession(path.join(CORPUS, name));
      const last = attributeSession(session).at(-1);
      const share = last ? last.unexplainedTokens / last.contextTokens : 0;
      return share > 0.12 && session.tally.malformed === 0 ? [`${name}: ${share.toFixed(2)}`] : [];
    });
    expect(files.length).toBeGreaterThan(100);
    expect(dark).toEqual([]);
  });
});
