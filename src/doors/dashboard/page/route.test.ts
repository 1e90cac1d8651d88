import { expect, it } from "vitest";
import { parseRoute } from "./route.ts";

it.each([
  ["", { view: "now" }],
  ["#/", { view: "now" }],
  ["#/nonsense", { view: "now" }],
  ["#/spend", { view: "spend" }],
  ["#/what-if", { view: "what-if" }],
  ["#/session/0123456789abcdef", { view: "session", key: "0123456789abcdef" }],
  ["#/session/../../x", { view: "now" }],
])("takes the address %j for %j", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});
