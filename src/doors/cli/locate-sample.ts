import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The sample session that the package carries, from the bundle and from the plain modules; empty where it is missing. */
export function locateSample(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = ["../samples", "../../../samples", "../../../samples"].map((name) =>
    path.join(here, name, "demo-session.jsonl"),
  );
  return places.find((name) => existsSync(name)) ?? "";
}
