import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { PLANTED_FAULTS as IN_THE_CLIENT, THIN_SOON } from "../client/planted-faults.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The tests that plant them take minutes, and come last. */
it.each([...PLANTED_FAULTS, THIN_SOON, ...IN_THE_CLIENT.map(({ patch }) => patch)])(
  "the line of $file in which a fault is planted is there exactly once",
  ({ file, find }) => {
    expect(readFileSync(path.join(ROOT, file), "utf8").split(find)).toHaveLength(2);
  },
);
