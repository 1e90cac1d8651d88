// A system prompt in the order in which a cache reads it, checked over several requests for what breaks it, with the
// breakpoints where they pay.
import { assemblePrompt, checkStability, placeBreakpoints, renderStability, renderSystem } from "plimsoll/prompt";

function createPrompt(branch: string, rules: string) {
  return assemblePrompt([
    { name: "Intro", kind: "static", text: "You keep a ship's log." },
    { name: "System rules", kind: "static", text: rules },
    // What may change between two requests stands behind everything that does not.
    { name: "Environment", kind: "dynamic", text: `branch ${branch}` },
  ]);
}

const rules = "Write down what was seen, never what was meant. ".repeat(120);
const steady = checkStability([createPrompt("main", rules), createPrompt("bow", rules)]);
console.log(renderStability(steady));

// A date among the rules, and every request pays for the whole prompt again: here is where, and what it costs.
const dated = checkStability([
  createPrompt("main", `2026-03-01\n${rules}`),
  createPrompt("main", `2026-03-02\n${rules}`),
]);
console.log(renderStability(dated));

const { placed, declined } = placeBreakpoints({
  model: "claude-sonnet-4-5",
  max_tokens: 1_000,
  system: renderSystem(createPrompt("main", rules)),
  messages: [{ role: "user", content: "What was seen today?" }],
});
console.log(`${placed.length} placed, ${declined.map(({ purpose, why }) => `${purpose} not: ${why}`).join(", ")}`);
