/** If red: a preview of a table leaves out its header, or shows a column of secrets. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("keeps the header, how many rows there are, the first and the last", () => {
  const { kind, lines } = previewOf(`id,name,price\n${repeat(300, (n) => `${n},thing ${n},${n * 3}`)}`);
  expect(kind).toBe("table");
  expect(lines.slice(0, 3)).toEqual(["300 rows", "1: id,name,price", "2: 1,thing 1,3"]);
  expect(lines.join("\n")).toContain("301: 300,thing 300,900");
});

it("reads aligned columns and piped ones", () => {
  const aligned = `NAME            STATUS   AGE\n${repeat(130, (n) => `pod-${String(n).padEnd(11)} Running  ${n}d`)}`;
  const piped = ` id | name \n----+------\n${repeat(130, (n) => ` ${n} | thing `)}`;
  for (const text of [aligned, piped]) expect(previewOf(text)).toMatchObject({ kind: "table" });
});

it("shows no column whose header speaks of a secret", () => {
  const { lines } = previewOf(`user,password,city\n${repeat(200, (n) => `ann${n},open sesame ${n},Rome`)}`);
  expect(lines.join("\n")).toContain("ann1,[REDACTED],Rome");
  expect(lines.join("\n")).not.toContain("sesame");
  const several = previewOf(`user,password,city,api_key\n${repeat(200, (n) => `ann${n},open ${n},Rome,sesame ${n}`)}`);
  expect(several.lines.join("\n")).toContain("ann1,[REDACTED],Rome,[REDACTED]");
});
