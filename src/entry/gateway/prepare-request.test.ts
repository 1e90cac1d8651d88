/** If red: two requests of one conversation run at once and decide differently. */
import { expect, it } from "vitest";
import { createSessionQueue } from "./prepare-request.ts";

it("has a conversation's requests wait for each other, also for one that fails, and others not", async () => {
  const inTurn = createSessionQueue();
  const done: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const note = (name: string) => async (): Promise<void> => void done.push(name);
  const first = inTurn("a", async () => {
    await gate;
    done.push("first");
    throw new Error("no");
  });
  const second = inTurn("a", note("second"));
  await inTurn("b", note("other"));
  expect(done).toEqual(["other"]);
  open();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(done).toEqual(["other", "first", "second"]);
});
