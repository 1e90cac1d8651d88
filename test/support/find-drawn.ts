/** All elements of a kind, as they would be drawn. */
export function findDrawn(drawn: unknown, kind: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(drawn)) return drawn.flatMap((one) => findDrawn(one, kind));
  const { type, props } = Object(drawn);
  if (props === undefined) return [];
  return [...(type === kind ? [props] : []), ...findDrawn(props.children, kind)];
}
