/** If red: a preview of a log leaves out an error, or takes a success for one. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

it("keeps errors, warnings, the start and the end, and tells repeats once", () => {
  const text = [
    "2026-01-02 03:04:05 INFO starting up",
    repeat(200, (n) => `2026-01-02 03:05:${n} INFO handled request ${n} in ${n} ms`),
    "2026-01-02 03:06:00 WARN cache is nearly full",
    repeat(3, (n) => `2026-01-02 03:07:0${n} ERROR connection refused by 10.0.0.${n}`),
    repeat(200, (n) => `2026-01-02 03:08:${n} INFO handled request ${n} in ${n} ms`),
    "2026-01-02 03:09:00 INFO shut down",
  ].join("\n");
  const { kind, lines } = previewOf(text);
  expect(kind).toBe("log");
  expect(lines[0]).toBe("3 lines speak of errors, 1 of warnings");
  expect(lines).toContain("203: 2026-01-02 03:07:01 ERROR connection refused by 10.0.0.1 (3 lines like this)");
  expect(lines.join("\n")).toMatch(/starting up[\s\S]+\(400 lines like this\)[\s\S]+nearly full[\s\S]+shut down/);
});

it("takes no line of success for an error", () => {
  const text = repeat(150, (n) => `[03:04:05] build ${n}: 0 errors, exports email events`);
  expect(previewOf(text).lines.join("\n")).not.toContain("speak of errors");
});

it("knows system error codes", () => {
  const text = repeat(150, (n) => `[03:04:05] step ${n} ${n === 70 ? "ENOENT a.txt" : "fine"}`);
  expect(previewOf(text).lines.join("\n")).toContain("ENOENT a.txt");
});
