/** Places for labels below one another, each as near as possible to where it would like to be and none nearer than `gap` to the next. */
export function spreadLabels(
  wanted: readonly number[],
  gap: number,
  range: readonly [top: number, bottom: number],
): readonly number[] {
  const order = wanted
    .map((place, index) => ({ place, index }))
    .sort((left, right) => left.place - right.place || left.index - right.index);
  const [top, bottom] = range;
  const places = order.map(({ place }) => Math.max(top, place));
  for (let index = 1; index < places.length; index++)
    places[index] = Math.max(places[index] ?? 0, (places[index - 1] ?? 0) + gap);
  let limit = Math.max(bottom, top + gap * (places.length - 1));
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.min(places[index] ?? 0, limit);
    limit = (places[index] ?? 0) - gap;
  }
  const byIndex = new Array<number>(wanted.length).fill(0);
  for (const [rank, { index }] of order.entries()) byIndex[index] = places[rank] ?? 0;
  return byIndex;
}
