/** If red: headers that are for one connection are passed on, and requests break or get mixed up. */
import { expect, it } from "vitest";
import { filterHeaders } from "./filter-headers.ts";

it.each(["Proxy-Authorization", "proxy-authenticate", "TE", "Upgrade", "Keep-Alive", "Transfer-Encoding"])(
  "%s is for one neighbour, and goes no further",
  (name) => {
    expect(filterHeaders(["A", "1", name, "secret", "B", "2"])).toEqual(["A", "1", "B", "2"]);
  },
);

it("Connection is heard however it and what it names are spelled", () => {
  expect(filterHeaders(["CONNECTION", "X-Mine", "x-mine", "1", "b", "2"])).toEqual(["b", "2"]);
});

it("what Connection names goes no further either, but for the length of the body", () => {
  const raw = ["Connection", "x-mine, content-length", "X-Mine", "1", "Content-Length", "2"];
  expect(filterHeaders(raw)).toEqual(["Content-Length", "2"]);
});
