/** If red: rules, corrections or wishes of the person are not heard, or heard where none were said. */
import { describe, expect, it } from "vitest";
import { asks, follow, says } from "../../test/support/session-story.ts";
import { isBinding } from "../survive/receipt/person-words.ts";
import { carriesOn } from "./episodes/episode-rules.ts";

/** d: decides something about the work. r: binds later work. u: presses for time. g: only says to go on. */
type Kind = "d" | "r" | "u" | "g";
/** What the person decides binds later work, too. */
const isMeant = (kinds: ReadonlySet<Kind>, kind: Kind): boolean =>
  kinds.has(kind) || (kind === "r" && (kinds.has("d") || kinds.has("u")));

const KINDS = { d: "decisions", r: "rules", u: "urgency", g: "going on" } as const;

/** What a careful reader hears in each sentence, before a colon; the sentences are made up. */
const SENTENCES = `
d: I decided: we keep the API stable.
d: Use Zod, not Yup.
d: let's not archive the old invoices
d: agreed, we can rename later
d: We decided to drop support for Node 18.
d: I've decided on PostgreSQL for the queue.
d: Decision: no telemetry in the first release.
d: The decision is: one table per tenant.
d: Let's go with the second layout.
d: we'll stick with cookies for the login
d: go with websockets rather than polling
d: I'm going with the small model.
d: We're going with a monorepo.
d: let's keep the old endpoint for a year
d: Let's use one queue per region.
d: lets skip the Windows build for this release
d: let's leave the parser as it is
d: I prefer plain SQL over a query builder.
d: I'd rather have two small files than one large one.
d: use the built-in test runner instead of Jest
d: Take oak rather than pine for the mast.
d: call it settle, not pay
d: keep the config in one file, not three
d: put the keys in the vault, not in the environment
d: We won't support Internet Explorer.
d: we don't need a cache for this
d: we no longer support the old format
d: ok agreed, the limit is ten requests a minute
d: Settled: dates are stored in UTC.
d: we agreed on tabs
d: I chose the blue theme.
d: we opted for a single worker
d: let's call it harbour
d: Let's defer the migration until March.
d: we will use feature flags for the rollout
d: We'll keep both columns for now.
d: we should use exact sums, not floats
d: leave the public interface unchanged
d: keep the flag optional
d: drop the dark mode for now
d: from now on the page is served by the worker
d: the totals must never be rounded
d: prices should always include tax
d: only the editor should live in this package rather than the whole app
d: Let's stay with the current router.
d: let's avoid a new dependency here
d: let's switch to pnpm
d: I want both the table and the chart on that page.
d: name the field total, not sum
d: store amounts in cents, not in euros
d: build it for arm64, without the x86 image
d: no, use my fork instead
d: Okay, I'm staying with the monthly plan.
d: we've settled on four columns
d: for tests use the fake clock, not the real one
dr: never push to main
dr: Always run the linter before you commit.
dr: no commits directly to main, ever!!!
dr: always write the changelog entry in the same commit
dr: from now on, ask me before you delete a file
r: do not touch the schema
r: don't commit anything yet
r: make sure the page works without JavaScript
r: please avoid new dependencies
r: you must not change the generated files
r: only change the tests
r: keep it under 200 lines
r: don't add comments to every line
r: the build has to stay green
r: do not use any in the types
r: please don't rename the columns
r: ensure that the old links still work
r: stop adding emojis
r: no need to update the docs
r: it should work offline
r: don't forget to close the file
r: I need the output to be valid JSON.
r: without changing the public types, please
r: do not run the migration on your own
r: leave the config alone
r: wait for my review before you merge
r: the script must exit with 1 on failure
r: avoid global state
r: use at most two queries
u: This is urgent.
u: I need this asap
u: it has to be done by Friday
u: Production is down.
u: please hurry
u: we are running out of time
u: the deadline is tomorrow
u: it is due on Monday
u: this is a blocker for us
u: we need it live before noon
ug: fix this as soon as possible
u: the release is time-critical
u: I want it finished by tomorrow
u: we are blocked until this works
u: I'm in a hurry
u: Seal the hull, by Friday.
g: yes
g: go ahead
g: ok continue
g: i think you can go for it
g: Sounds good, go ahead.
g: yes please
g: proceed
g: keep going
g: looks good, commit it
g: you can go ahead now
g: ok do it
g: go for it
g: sure, go on
g: lgtm
g: do both
g: we can continue
: what does this function do?
: why is the build slow?
: add a button to the settings page
: fix the failing test in the parser
: can you rename the variable?
: the page shows an error when I log in
: I see a blank screen after the redirect
: how would you split this file?
: please explain the second option
: write a test for the empty list
: it looks like the cache is stale
: maybe we could use a queue
: I wonder whether sqlite is enough
: thanks, that was quick
: this is the log from the server
: the priority of the rule is too low
: show me the last three commits
: there is a typo in the heading
: run the tests again and show me the output
: the deadline scheduler prints the wrong date
: which of the two is faster?
: The blocker list in the sidebar is empty.
: I tried it with the other account
: the immediate window shows nothing
: rename settle to pay
: remove the unused imports
: create a migration that adds a total column
: implement the export as CSV
: review the last change
: check whether the token expires
: look at the network tab
: I don't know which one is better
: do we need a lock here?
: is it faster to use a map?
: update the readme with the new command
: could it be that the port is taken?
: here is the stack trace
: the tests pass on my machine
: it still fails with the same message
: summarise what you changed
: open a pull request for this branch
: what is left to do?
: move the helper into its own file
: the quick fix did not help
: Let's look at the logs first.
: let's see what the profiler says
: let's try it with a smaller file
: let's talk about the data model
: let me know when it is done
: not sure that this is right
: I got two e-mails from the job
: the user should see a message
: perhaps a table is better than a list
: I think it's not urgent
: no hurry
: there is no deadline for this
: is this urgent?
: the hotfix branch is gone
: deploy to the test server and tell me the address
: make the header sticky
: it seems that we use two date libraries
: the button is blue instead of green, why?
: does it use Zod or Yup?
: I can't open the page
: compare both approaches
: print the total at the end
: sort the list by date
: the list is not sorted
: translate the page into Spanish
: tell me more about the second point
: the worker never stops, please look into it
: you decided to use a map, why?
: where did we decide that?
g: try again with the other key
: it always prints zero
: the cache never expires, is that a bug?
g: keep going with the tests
: add tests for the parser and the printer
: give me a list of the open issues
: we saw the same bug in March
: the test is flaky on Friday nights
: paste the output here
: send the report to the printer
: open the second tab
: what did we say about the keel?
: the log says that the port is taken
`
  .trim()
  .split("\n")
  .map((line) => {
    const at = line.indexOf(":");
    return { kinds: new Set(line.slice(0, at).split("") as Kind[]), text: line.slice(at + 2) };
  });

/** The same in other languages: nothing may be invented. */
const FOREIGN = [
  "Bitte entferne die alte Datei und schreibe einen Test dafür.",
  "Das ist nicht dringend, aber der Knopf fehlt noch.",
  "Warum schlägt der Test fehl?",
  "Ja, mach weiter.",
  "Por favor, añade un botón en la página de ajustes.",
  "No sé por qué falla la prueba.",
  "Sí, adelante con eso.",
  "Agora corrige o erro no login, por favor.",
  "A página não abre no celular.",
  "请修复登录页面的错误。",
  "继续",
  "为什么构建这么慢？",
  "次のテストを書いてください。",
];

function hear(text: string): ReadonlySet<Kind> {
  const { words, decided } = follow(asks("Caulk the hull"), says("It is tight."), asks(text));
  const said = words.at(-1);
  const heard: readonly (readonly [Kind, boolean])[] = [
    ["d", decided.decisions.length + (decided.perhaps ?? []).length > 0],
    ["r", (said?.constraints ?? []).some(isBinding)],
    ["u", (said?.urgency ?? []).length > 0],
    ["g", carriesOn(text)],
  ];
  return new Set(heard.filter(([, isHeard]) => isHeard).map(([kind]) => kind));
}

describe("two hundred sentences of people", () => {
  const read = SENTENCES.map(({ kinds, text }) => ({ kinds, text, heard: hear(text) }));

  it("are two hundred, each once", () => {
    expect(new Set(SENTENCES.map(({ text }) => text)).size).toBeGreaterThanOrEqual(200);
  });

  it.each([
    ["d", 0.95, 0.9],
    ["r", 0.9, 0.9],
    ["u", 0.95, 0.9],
    ["g", 0.95, 0.9],
  ] as const)(
    "[R197] are heard as they are meant: %s, precision at least %d, recall at least %d",
    (kind, precise, complete) => {
      const meant = read.filter(({ kinds }) => kinds.has(kind));
      const heard = read.filter((one) => one.heard.has(kind));
      const both = heard.filter(({ kinds }) => isMeant(kinds, kind));
      const invented = heard.filter(({ kinds }) => !isMeant(kinds, kind)).map(({ text }) => text);
      const missed = meant.filter((one) => !one.heard.has(kind)).map(({ text }) => text);
      const printed = `${KINDS[kind]}: invented ${JSON.stringify(invented)}, missed ${JSON.stringify(missed)}`;
      expect(both.length / heard.length, printed).toBeGreaterThanOrEqual(precise);
      expect(1 - missed.length / meant.length, printed).toBeGreaterThanOrEqual(complete);
    },
  );

  it.each(FOREIGN)("[R197] are not invented in another language: %s", (text) => {
    expect([...hear(text)].filter((kind) => kind !== "g")).toEqual([]);
  });
});
