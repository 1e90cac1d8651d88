/** If red: a preview of JSON shows a secret, or nothing of its shape. */
import { expect, it } from "vitest";
import { previewOf } from "../../../test/support/preview.ts";

const ITEMS = Array.from({ length: 90 }, (_, index) => ({
  size: index,
  id: `item-${index}`,
  tags: ["a", "b"],
  owner: { name: "Ann" },
}));

it("shows the shape, then values, what tells things apart first", () => {
  const { kind, lines } = previewOf(JSON.stringify({ total: 90, items: ITEMS, next: null }));
  expect(kind).toBe("json");
  expect(lines[0]).toBe("{total: 90, items: [90], next: null}");
  expect(lines).toContain("items: [90 items]");
  expect(lines).toContain('items[0]: {id: "item-0", size: 0, tags: [2], owner: {1}}');
});

it("goes past wrappers around one thing", () => {
  const { lines } = previewOf(
    JSON.stringify({ data: { repository: { pull: { title: "Fix it", body: "x".repeat(4000) } } } }),
  );
  expect(lines[0]).toMatch(/^data\.repository\.pull: \{title: "Fix it", body: "xxx/);
});

it("reads lines of JSON, and pretty-printed JSON that was cut off", () => {
  expect(previewOf(ITEMS.map((item) => JSON.stringify(item)).join("\n")).lines[0]).toMatch(/^line 1: \{id: "item-0"/);
  const cut = JSON.stringify({ items: ITEMS }, null, 2).slice(0, -40);
  expect(previewOf(cut, { path: "a.json" })).toMatchObject({ kind: "json" });
});

it("shows no value whose name says that it is a secret", () => {
  const { lines } = previewOf(
    JSON.stringify({ user: "ann", password: "correct horse battery", pad: "x".repeat(4000) }),
  );
  expect(lines[0]).toMatch(/^\{user: "ann", password: \[REDACTED\], pad: /);
  // A long value would be cut, and its end with the next quotation mark take the next member along.
  const long = previewOf(JSON.stringify({ password: "correct horse ".repeat(9), user: "ann", pad: "x".repeat(4000) }));
  expect(long.lines[0]).toMatch(/^\{password: \[REDACTED\], user: "ann", pad: /);
});
