/** If red: a picture in the documents shows something else than the program prints. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const IMAGES = path.join(ROOT, "docs/images");
const { name } = createTemporaryFolder();

describe("the pictures of the documents", () => {
  it("show the terminal as the program prints the sample now, byte for byte", () => {
    const folder = name("");
    mkdirSync(folder);
    execFileSync(process.execPath, [path.join(ROOT, "scripts/draw-pictures.mjs"), folder, "--terminal"]);
    const [drawn, kept] = [folder, IMAGES].map((place) => readFileSync(path.join(place, "terminal.svg"), "utf8"));
    expect(kept, "docs/images/terminal.svg is stale: npm run pictures").toBe(drawn);
  });

  it("are light: below 300 KB each, and nothing in them is loaded from elsewhere", () => {
    for (const file of readdirSync(IMAGES)) {
      expect(statSync(path.join(IMAGES, file)).size, file).toBeLessThan(300_000);
      if (file.endsWith(".svg"))
        expect(readFileSync(path.join(IMAGES, file), "utf8").replaceAll("http://www.w3.org/", "")).not.toMatch(
          /https?:|<script|<image|url\(/,
        );
    }
  });
});
