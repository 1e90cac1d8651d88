/** If red: a link into the page opens the wrong view. */
import { expect, it } from "vitest";
import { parseRoute } from "./route.ts";

it.each([
  ["", { view: "now" }],
  ["#/", { view: "now" }],
  ["#/nonsense", { view: "now" }],
  ["#/spend", { view: "spend" }],
  ["#/what-if", { view: "what-if" }],
  ["#/sessions", { view: "sessions", behind: undefined, isOfAllTime: false }],
  ["#/sessions/pauses", { view: "sessions", behind: "pauses", isOfAllTime: false }],
  ["#/sessions/saved/all", { view: "sessions", behind: "saved", isOfAllTime: true }],
  ["#/sessions/nonsense", { view: "sessions", behind: undefined, isOfAllTime: false }],
  ["#/measure", { view: "now" }],
  ["#/session/0123456789abcdef", { view: "session", key: "0123456789abcdef" }],
  ["#/session/../../x", { view: "now" }],
])("takes the address %j for %j", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});
