/** If red: the picture of policies puts one in the wrong place, or its labels overlap. */
import { describe, expect, it } from "vitest";
import { emptyOutcome, toWalk } from "../../src/replay/outcome.ts";
import { createReport } from "../../src/replay/report.ts";
import { listElements, parseXml } from "../../test/support/parse-xml.ts";
import { renderPlot } from "./render-plot.ts";

interface Plotted {
  readonly usd: number;
  readonly lost: number;
}

function plot(policies: Readonly<Record<string, Plotted>>) {
  const walks = Object.entries(policies).map(([name, { usd, lost }]) => {
    const cold = { retained: 100 - lost, recoverable: 0, lost };
    return [name, toWalk({ ...emptyOutcome("s"), sendUsd: usd, cold })] as const;
  });
  const sessions = [
    {
      name: "s",
      repository: "r",
      client: "c",
      recordedUsd: 1,
      windowTokens: 200_000,
      steps: 60,
      walks: new Map(walks),
    },
  ];
  const listed = walks.map(([name]) => ({ name, about: "" }));
  const report = createReport({ sessions, leftOut: [], policies: listed, minSteps: 60 });
  return parseXml(renderPlot(report));
}

const many = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`policy_${index}`, { usd: 10, lost: 1 }]));

describe("the plot", () => {
  it("is XML on a light ground, with a point for every policy in both panels", () => {
    const svg = plot({ native: { usd: 10, lost: 2 }, plimsoll: { usd: 6, lost: 0 } });
    expect(svg.attributes.xmlns).toBe("http://www.w3.org/2000/svg");
    expect(listElements(svg, "rect")[0]?.attributes.fill).toBe("#ffffff");
    expect(listElements(svg, "circle").map(({ children: [title] }) => title?.text)).toEqual([
      "plimsoll: 0.600, 0.0 %",
      "native: 1.000, 2.0 %",
      "plimsoll: 0.600, 0.0 %",
      "native: 1.000, 2.0 %",
    ]);
  });

  it("puts the cheaper lower and the less lost farther left", () => {
    const svg = plot({ native: { usd: 10, lost: 2 }, plimsoll: { usd: 6, lost: 0 } });
    const [cheap, dear] = listElements(svg, "circle").map(({ attributes }) => ({
      x: Number(attributes.cx),
      y: Number(attributes.cy),
    }));
    expect((cheap?.y ?? 0) > (dear?.y ?? 0) && (cheap?.x ?? 0) < (dear?.x ?? 0)).toBe(true);
  });

  it("lets no label overlap another, though all policies cost the same, and none leave the picture", () => {
    const svg = plot({ native: { usd: 10, lost: 1 }, ...many });
    const labels = listElements(svg, "text").filter(({ text }) => /^(?:policy_|native )/.test(text));
    expect(labels).toHaveLength(50);
    const places = labels.map(({ attributes }) => `${attributes.x} ${attributes.y}`);
    expect(new Set(places).size).toBe(50);
    for (const x of new Set(labels.map(({ attributes }) => attributes.x))) {
      const ys = labels.filter(({ attributes }) => attributes.x === x).map(({ attributes }) => Number(attributes.y));
      const sorted = ys.sort((left, right) => left - right);
      for (const [index, y] of sorted.entries())
        if (index > 0) expect(y - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(16.8);
      expect(sorted.at(-1)).toBeLessThan(Number(svg.attributes.height));
    }
  });

  it("shows what is much dearer on the upper edge, with an arrow", () => {
    const svg = plot({ native: { usd: 10, lost: 1 }, mask: { usd: 66, lost: 1 } });
    expect(listElements(svg, "text").map(({ text }) => text)).toContain("mask 6.60 ↑");
  });

  it("holds names that XML reserves signs of", () => {
    const svg = plot({ native: { usd: 10, lost: 1 }, 'a<b&"c\u0001': { usd: 9, lost: 1 } });
    expect(listElements(svg, "text").map(({ text }) => text)).toContain('a<b&"c  0.90');
  });

  it("says that there is nothing where no session could be replayed", () => {
    const svg = parseXml(
      renderPlot(createReport({ sessions: [], leftOut: [], policies: [{ name: "native", about: "" }], minSteps: 60 })),
    );
    expect(listElements(svg, "text").map(({ text }) => text)).toContain("no session could be replayed");
  });
});
