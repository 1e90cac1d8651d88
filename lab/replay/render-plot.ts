import { clipText } from "../../src/core/clip-text.ts";
import type { ReplayReport } from "../../src/replay/report.ts";
import { type FrontierPoint, findFrontier } from "./frontier.ts";
import { spreadLabels } from "./spread-labels.ts";

const PANEL = { width: 400, top: 96, labels: 205, gap: 96 };
const LABEL_GAP = 17;
const MARGIN_LEFT = 64;
const MARGIN_BOTTOM = 72;
const LEAST_HEIGHT = 380;
const TICKS = 5;
/** Dearer points stand on the upper edge, with an arrow: they would press all others together. */
const MOST_RELATIVE = 1.5;
const COLOURS = {
  ink: "#1f2933",
  soft: "#52606d",
  line: "#d9e2ec",
  ours: "#0b6e4f",
  theirs: "#8a4b08",
  limit: "#5a3e9b",
};

/** Net dollars against need left behind, as one SVG: on the left what is lost, on the right what is not in view. */
export function renderPlot(report: ReplayReport): string {
  const height = Math.max(LEAST_HEIGHT, LABEL_GAP * (report.policies.length + 1));
  const panels = [
    { title: "cold need lost", points: listPoints(report, ({ coldLost }) => coldLost) },
    {
      title: "cold need not in view (recoverable or lost)",
      points: listPoints(report, ({ coldRetained }) => (coldRetained === undefined ? undefined : 1 - coldRetained)),
    },
  ];
  const dearest = Math.max(1.2, ...panels.flatMap(({ points }) => points.map(({ relativeUsd }) => relativeUsd)));
  const width = MARGIN_LEFT + panels.length * (PANEL.width + PANEL.labels) + PANEL.gap;
  const bottom = PANEL.top + height + MARGIN_BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom}" viewBox="0 0 ${width} ${bottom}" font-family="system-ui, sans-serif" font-size="13" fill="${COLOURS.ink}">`,
    `<title>Net dollars relative to native against the need left behind</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    text(
      MARGIN_LEFT,
      32,
      "Net dollars relative to native against the need left behind",
      'font-size="18" font-weight="600"',
    ),
    text(MARGIN_LEFT, 54, describe(report), `fill="${COLOURS.soft}"`),
    ...panels.map(({ title, points }, index) =>
      renderPanel(points, {
        title,
        height,
        dearest,
        left: MARGIN_LEFT + index * (PANEL.width + PANEL.labels + PANEL.gap),
      }),
    ),
    "</svg>",
    "",
  ].join("\n");
}

function describe({ sessions, steps, policies }: ReplayReport): string {
  if (sessions.length === 0) return "no session could be replayed";
  return `${sessions.length} sessions, ${steps} requests, ${policies.length} policies; below and left is better; the line joins what nothing beats in both`;
}

function listPoints(
  { policies }: ReplayReport,
  choose: (figures: ReplayReport["policies"][number]) => number | undefined,
): readonly FrontierPoint[] {
  return policies.flatMap((policy) => {
    const needShare = choose(policy);
    const { netUsd: relativeUsd } = policy.relative;
    return needShare === undefined || relativeUsd === undefined ? [] : [{ name: policy.name, needShare, relativeUsd }];
  });
}

interface Frame {
  readonly title: string;
  readonly height: number;
  readonly left: number;
  readonly dearest: number;
}

function renderPanel(points: readonly FrontierPoint[], { title, height, left, dearest }: Frame): string {
  const mostShare = niceTop(Math.max(0.01, ...points.map(({ needShare }) => needShare)));
  const mostUsd = Math.min(MOST_RELATIVE, niceTop(dearest));
  const toX = (share: number): number => left + (share / mostShare) * PANEL.width;
  const toY = (usd: number): number => PANEL.top + height - (Math.min(usd, mostUsd) / mostUsd) * height;
  const base = PANEL.top + height;
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => index / TICKS);
  const places = spreadLabels(
    points.map(({ relativeUsd }) => toY(relativeUsd)),
    LABEL_GAP,
    [PANEL.top + 4, base],
  );
  const isLimit = ({ name }: FrontierPoint): boolean => name.startsWith("clairvoyant");
  const frontier = findFrontier(points.filter((point) => !isLimit(point)));
  return [
    text(left, PANEL.top - 14, title, 'font-weight="600"'),
    ...ticks.flatMap((tick) => [
      line([left, toY(tick * mostUsd)], [left + PANEL.width, toY(tick * mostUsd)], COLOURS.line),
      text(left - 8, toY(tick * mostUsd) + 4, (tick * mostUsd).toFixed(2), `text-anchor="end" fill="${COLOURS.soft}"`),
      text(
        toX(tick * mostShare),
        base + 20,
        renderShare(tick * mostShare),
        `text-anchor="middle" fill="${COLOURS.soft}"`,
      ),
    ]),
    line([left, toY(1)], [left + PANEL.width, toY(1)], COLOURS.soft, 'stroke-dasharray="4 4"'),
    text(left + PANEL.width / 2, base + 44, title, `text-anchor="middle" fill="${COLOURS.soft}"`),
    `<polyline fill="none" stroke="${COLOURS.ours}" stroke-width="1.5" points="${frontier.map(({ needShare, relativeUsd }) => `${round(toX(needShare))},${round(toY(relativeUsd))}`).join(" ")}"/>`,
    ...points.flatMap((point, index) => {
      const [x, y, labelY] = [toX(point.needShare), toY(point.relativeUsd), places[index] ?? 0];
      const colour = isLimit(point) ? COLOURS.limit : point.name.startsWith("plimsoll") ? COLOURS.ours : COLOURS.theirs;
      const labelX = left + PANEL.width + 18;
      return [
        line([x, y], [labelX - 4, labelY], colour, 'stroke-opacity="0.35"'),
        `<circle cx="${round(x)}" cy="${round(y)}" r="4.5" fill="${colour}"><title>${escapeXml(point.name)}: ${point.relativeUsd.toFixed(3)}, ${renderShare(point.needShare)}</title></circle>`,
        text(
          labelX,
          labelY + 4,
          `${clipText(point.name, LONGEST_NAME)} ${point.relativeUsd.toFixed(2)}${point.relativeUsd > mostUsd ? " ↑" : ""}`,
          `fill="${colour}"`,
        ),
      ];
    }),
  ].join("\n");
}

/** The least of 1, 2, 2.5, 5 times a power of ten, fifths of it included, that holds the value. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor =
    [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].find((candidate) => candidate * power >= value * 1.0001) ?? 10;
  return factor * power;
}

const LONGEST_NAME = 24;

function renderShare(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

type Place = readonly [x: number, y: number];

function line([x1, y1]: Place, [x2, y2]: Place, colour: string, more = ""): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}" ${more}/>`;
}

function text(x: number, y: number, words: string, more: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${escapeXml(words)}</text>`;
}

function round(value: number): string {
  return value.toFixed(1);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/g;

/** What XML forbids altogether goes, what it reserves is named. */
function escapeXml(words: string): string {
  return words.replace(FORBIDDEN, " ").replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
