import { measureDistance } from "../core/edit-distance.ts";

/** With no more of its letters wrong a name is a slip, not another word. */
const SLIP_SHARE = 0.4;

/** A name that nothing reads does nothing: it is named, with the nearest one that does. */
export function requireKnown(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest] = known
    .map((name) => ({ name, distance: measureDistance(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const hint =
    nearest && nearest.distance <= unknown.length * SLIP_SHARE
      ? `did you mean ${nearest.name}?`
      : `there are ${known.join(", ")}`;
  throw new TypeError(`unknown ${what} "${unknown}": ${hint}`);
}
