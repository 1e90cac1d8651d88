import { useEffect, useState } from "preact/hooks";
import { findOverview, isKey, type Overview } from "../question.ts";

export type Route = { readonly view: "now" | Overview } | { readonly view: "session"; readonly key: string };

export function parseRoute(hash: string): Route {
  const [, view = "", key = ""] = hash.replace(/^#/, "").split("/");
  if (view === "session" && isKey(key)) return { view, key };
  return { view: findOverview(view) ?? "now" };
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
