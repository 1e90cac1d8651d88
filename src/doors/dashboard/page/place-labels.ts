/** A point of a plot with the words that stand beside it. */
export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Of a letter at the size that plots are written in, on average. */
const LETTER_WIDTH = 6.6;
const LINE_HEIGHT = 14;
const GAP = 10;

/** Beside each point, on the first of four sides where it covers neither a point nor a label; on the right where all do. */
export function placeLabels(points: readonly LabelledPoint[]): readonly LabelPlace[] {
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return points.map((point, index) => {
    const sides = listSides(point);
    const own = taken[index];
    const isFree = (place: LabelPlace): boolean =>
      taken.every((box) => box === own || !isOverlapping(box, measure(place, point.text)));
    const place = sides.find(isFree) ?? sides[0];
    taken.push(measure(place, point.text));
    return place;
  });
}

function listSides({ x, y }: LabelledPoint): readonly [LabelPlace, LabelPlace, LabelPlace, LabelPlace] {
  return [
    { x: x + GAP, y: y + 4, anchor: "start" },
    { x, y: y - GAP, anchor: "middle" },
    { x, y: y + GAP + LINE_HEIGHT / 2, anchor: "middle" },
    { x: x - GAP, y: y + 4, anchor: "end" },
  ];
}

function measure({ x, y, anchor }: LabelPlace, text: string): Box {
  const width = text.length * LETTER_WIDTH;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - LINE_HEIGHT + 3, bottom: y + 3 };
}

function isOverlapping(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
