import { useEffect, useState } from "preact/hooks";

export type Route =
  | { readonly view: "now" | "sessions" | "spend" | "measure" | "what-if" }
  | { readonly view: "session"; readonly key: string };

export function parseRoute(hash: string): Route {
  const [, view = "", key = ""] = hash.replace(/^#/, "").split("/");
  if (view === "session" && /^[0-9a-f]{16}$/.test(key)) return { view, key };
  switch (view) {
    case "sessions":
    case "spend":
    case "measure":
    case "what-if":
      return { view };
    default:
      return { view: "now" };
  }
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
