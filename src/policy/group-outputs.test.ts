/** If red: outputs of one kind are combined too early, stored twice, or lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GroupedOutput, groupArrived, type OutputGroups } from "./group-outputs.ts";
import { chooseBirthFold } from "./result-arrived.ts";

const rule = chooseBirthFold("balanced", "foldOnly");
const grep = (id: string, some: Partial<GroupedOutput> = {}): GroupedOutput => ({
  id,
  tool: "Grep",
  command: `plank ${id}`,
  text: `deck/${id}.log: plank dry\n`.repeat(100),
  kind: "search",
  window: "",
  ...some,
});

/** The ids that each output shares its artifact with. */
function arrive(outputs: readonly GroupedOutput[]): readonly (readonly string[] | undefined)[] {
  let groups: OutputGroups = [];
  return outputs.map((output) => {
    const step = groupArrived(groups, output, rule);
    groups = step.groups;
    return step.due?.map(({ id }) => id);
  });
}

describe("outputs of one command class", () => {
  it("[R57] are combined at every fifth, with the four before it: seven make one artifact, and none is stored twice", () => {
    const combined = arrive([..."abcdefghij"].map((id) => grep(id)));
    expect(combined.slice(0, 7).filter((group) => group !== undefined)).toEqual([["a", "b", "c", "d"]]);
    expect(combined.flatMap((group, at) => (group === undefined ? [] : [[at, group.join("")]]))).toEqual([
      [4, "abcd"],
      [9, "fghi"],
    ]);
  });

  it("are counted for each class and each window alone", () => {
    const four = ["a", "b", "c", "d"].map((id) => grep(id));
    const strangers = [
      grep("e", { window: "agent-1" }),
      grep("f", { tool: "Bash", command: "git diff", kind: "run" }),
      grep("g", { tool: "Bash", command: "ls", kind: "run" }),
    ];
    expect(arrive([...four, ...strangers])).toEqual(Array(7).fill(undefined));
    expect(arrive([...four, ...strangers, grep("h")]).at(-1)).toEqual(["a", "b", "c", "d"]);
  });

  it("[R62] do not count below 1,000 characters, and stay whole where a fold saves less than that", () => {
    const small = grep("s", { text: "x".repeat(999) });
    expect(arrive([small, ...["a", "b", "c"].map((id) => grep(id)), grep("d")])).toEqual(Array(5).fill(undefined));
    const four = ["a", "b", "c", "d"].map((id) => grep(id));
    expect(arrive([...four, grep("e", { text: "x".repeat(1479) })]).at(-1)).toBeUndefined();
    expect(arrive([...four, grep("e", { text: "x".repeat(1480) })]).at(-1)).toHaveLength(4);
  });

  it("leave alone what is worked with next", () => {
    const read = (id: string) => grep(id, { tool: "Read", kind: "read" });
    expect(arrive(["a", "b", "c", "d", "e"].map(read))).toEqual(Array(5).fill(undefined));
  });

  it("are remembered within bounds, whatever comes", () => {
    const output = fc.record({ id: fc.string(), tool: fc.string(), kind: fc.constantFrom("run", "search", "read") });
    fc.assert(
      fc.property(fc.array(output, { maxLength: 60 }), (outputs) => {
        let groups: OutputGroups = [];
        for (const some of outputs) groups = groupArrived(groups, grep(some.id, some), rule).groups;
        expect(groups.length).toBeLessThanOrEqual(8);
        for (const { members } of groups) expect(members.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
