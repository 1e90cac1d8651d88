/** If red: the hooks built for Codex lack something that those of Claude Code have, and fail as they start. */
import { describe, expect, it } from "vitest";
import type { HappeningState } from "../../../hosts/happening.ts";
import * as claudeCode from "./claude-code/client.ts";
import * as codex from "./codex/client.ts";

type Known = Omit<typeof claudeCode, "followSession"> & {
  followSession(file: string): { readonly state: HappeningState; readonly size: number };
};

describe("what the hooks know of their clients", () => {
  it("has the same names and shapes for each, so that the build can put one in the place of the other", () => {
    // The compiler compares the shapes.
    const clients: readonly Known[] = [claudeCode, codex];
    const [first = [], ...others] = clients.map((client) => Object.keys(client).sort());
    for (const names of others) expect(names).toEqual(first);
  });
});
