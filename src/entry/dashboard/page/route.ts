import { useEffect, useState } from "preact/hooks";
import type { ReportedFigure } from "../../person/report-look-back.ts";
import { isKey } from "../question.ts";

export type Route =
  | { readonly view: "now" | "spend" | "what-if" }
  /** `behind`: sorts by what counts for this figure; only the days of the look back, unless `isOfAllTime`. */
  | { readonly view: "sessions"; readonly behind: ReportedFigure["kind"] | undefined; readonly isOfAllTime: boolean }
  | { readonly view: "session"; readonly key: string };

const FIGURES: readonly ReportedFigure["kind"][] = ["total", "pauses", "rewrites", "carried", "saved"];
const PLAIN = ["now", "spend", "what-if"] as const;

export function parseRoute(hash: string): Route {
  const [, view = "", name = "", span = ""] = hash.replace(/^#/, "").split("/");
  if (view === "session" && isKey(name)) return { view, key: name };
  if (view === "sessions")
    return { view, behind: FIGURES.find((figure) => figure === name), isOfAllTime: span === "all" };
  return { view: PLAIN.find((known) => known === view) ?? "now" };
}

export function useRoute(): Route {
  const [route, change] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => change(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
