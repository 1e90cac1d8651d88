import { useEffect, useState } from "preact/hooks";

/** Changes with the person's colour scheme: what is drawn on a canvas has to be drawn again. */
export function useTheme(): "light" | "dark" {
  const [isDark, change] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => change(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isDark ? "dark" : "light";
}
