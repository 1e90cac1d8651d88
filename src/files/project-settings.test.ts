/** If red: the person's own settings are ignored. */
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { layerOf, readOwnLayer } from "./project-settings.ts";

const temporary = createTemporaryFolder();

describe("the person's own settings", () => {
  const read = (make: (file: string) => void) => {
    const file = temporary.name("-settings.json");
    make(file);
    return readOwnLayer(file);
  };

  it("are read, and are none where there is no file", () => {
    expect(read((file) => writeFileSync(file, '{"early":"off"}'))).toEqual({ layer: { early: "off" } });
    expect(read(() => {})).toBeUndefined();
    expect([layerOf({ layer: { early: "off" } }), layerOf(undefined)]).toEqual([{ early: "off" }, {}]);
  });

  it.each<[string, (file: string) => void, string]>([
    ["no JSON", (file) => writeFileSync(file, "{"), "not valid JSON"],
    ["a list", (file) => writeFileSync(file, "[]"), "not a JSON object"],
    ["a folder", (file) => mkdirSync(file), "not a regular file of at most"],
  ])("leave the defaults where the file is %s, and say why", (_, make, why) => {
    const layer = read(make);
    expect(layer).toEqual({ problem: expect.stringContaining(why) });
    expect(layer).toEqual({ problem: expect.stringContaining("so the defaults apply") });
    expect(layerOf(layer)).toEqual({});
  });
});
