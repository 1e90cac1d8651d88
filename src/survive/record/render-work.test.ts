/** If red: the state of the work is shown without its proof, or guesses as facts. */
import { describe, expect, it } from "vitest";
import { boat } from "../../../test/support/boat-story.ts";
import { story } from "../../../test/support/story.ts";
import { findContinuation } from "./continuation.ts";
import { renderGuesses, renderWork, type WorkList } from "./render-work.ts";

const todo = (content: string, status: string) => ({ content, status, activeForm: content });
const failed = { isError: true };
const continuation = findContinuation(boat);

const show = (lists: readonly WorkList[]): string =>
  lists.flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]).join("\n");

describe("the state of the work", () => {
  it("is told to the person with the request that proves each line, and what it rests on", () => {
    expect(show(renderWork(boat, continuation, { root: "/p", isWhy: true }))).toMatchInlineSnapshot(`
      "Work
        [active on its list, unchanged for 17 requests] Rig it (request 1; rests on the task list)
        [active] "2" to "Oak or pine? (2. pine)" (request 18; rests on your words)
        [open on its list, unchanged for 17 requests] Paint it (request 1; rests on the task list)
        [done] Plank the hull (request 1; rests on the task list)
        [cancelled] Name it (request 1; rests on the task list)
      Files
        src/hull.ts: created, 2 changes, 0 reads (request 8; rests on the record of the calls)
        src/sail.ts: 0 changes, 1 read (request 4; rests on the record of the calls)
        src/mast.ts: 0 changes, 1 read (request 3; rests on the record of the calls)
      Decisions
        you: Oak or pine? (2. pine) → 2 (request 6; rests on your words)
        I decided to use tar for src/hull.ts because oil is thin., affects src/hull.ts (request 5; rests on the model's words)
      Errors, and what fixed them
        npm run build → error: no keel at src/keel.ts — fixed by changing hull.ts (request 7; rests on exit statuses)
      Failed when last run
        npm test → Error: water in src/hull.ts (request 13; rests on exit statuses)"
    `);
  });

  it("is told to a model with handles, and with what it knows of each file", () => {
    const handle = (callId: string): string => `<${callId.replace(/^call:/, "").slice(-3)}>`;
    expect(show(renderWork(boat, continuation, { root: "", handle }))).toMatchInlineSnapshot(`
      "Work
        [active on its list, unchanged for 17 requests] Rig it (<0c1>)
        [active] "2" to "Oak or pine? (2. pine)" (request 18)
        [open on its list, unchanged for 17 requests] Paint it (<0c1>)
        [done] Plank the hull (<0c1>)
        [cancelled] Name it (<0c1>)
      Files
        /p/src/hull.ts: created, 2 changes, 0 reads (request 8)
        /p/src/sail.ts: 0 changes, 1 read, lines 3 on (request 4)
        /p/src/mast.ts: 0 changes, 1 read, lines 3-6 (request 3)
      Decisions
        the user: Oak or pine? (2. pine) → 2 (request 6)
        I decided to use tar for src/hull.ts because oil is thin., affects src/hull.ts (request 5)
      Errors, and what fixed them
        npm run build → error: no keel at /p/src/keel.ts — fixed by changing hull.ts (<0c7>)
      Failed when last run
        npm test → Error: water in /p/src/hull.ts (<c13>)"
    `);
  });

  it("is guessed only for who asks for guesses, the newest first", () => {
    expect(show(renderGuesses(boat, continuation, { root: "/p" }))).toMatchInlineSnapshot(`
      "Perhaps the phase
        research (request 18)
      Perhaps decided
      Perhaps tried, and failed
        tried but that, failed because it cracks (request 5)
      Perhaps pressing
        Urgent: it sails on Friday. (request 0)
      Perhaps never fixed
        deploy ship → fatal: no harbour (request 11)
        deploy boat → fatal: no quay (request 10)"
    `);
  });

  it("says of an item on the list that it is old only after ten requests, and cuts what is long", () => {
    const long = "x".repeat(400);
    const later = (requests: number) => {
      const begun = story()
        .asks(long)
        .calls("TodoWrite", { todos: [todo(long, "pending")] }, "ok");
      const { happened: tell } = Array.from({ length: requests }).reduce<typeof begun>(
        (told) => told.says("On."),
        begun,
      );
      return renderWork(tell(), findContinuation(tell()), { root: "" })[0]?.lines;
    };
    expect(later(9)).toEqual([`[open] ${"x".repeat(159)}… (request 1)`]);
    expect(later(10)).toEqual([`[open on its list, unchanged for 10 requests] ${"x".repeat(159)}… (request 1)`]);
  });

  it("quotes no more of an error or a decision than a line holds", () => {
    const long = "y".repeat(400);
    const told = story()
      .asks("Go.")
      .says(`We decided to use ${long} because ${long}.`)
      .calls("Bash", { command: `npm run build ${long}` }, `Exit code 1\nerror: ${long}`, failed)
      .happened();
    const widths = renderWork(told, findContinuation(told), { root: "" }).map(({ lines }) =>
      lines.map(({ length }) => length),
    );
    expect(widths).toMatchInlineSnapshot(`
      [
        [
          24,
        ],
        [],
        [
          312,
        ],
        [],
        [
          275,
        ],
      ]
    `);
  });
});
