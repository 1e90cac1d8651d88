import { useEffect, useRef, useState } from "preact/hooks";

export type FetchedAnswer<Value> =
  | { readonly status: "waiting" }
  | { readonly status: "here"; readonly value: Value }
  | { readonly status: "failed"; readonly why: string };

/** Asks the server once. */
async function fetchAnswer<Value>(question: string): Promise<Value> {
  const response = await fetch(`api/${question}`);
  if (response.status === 404) throw new Error("The item that you opened no longer exists.");
  if (!response.ok) throw new Error(`The request failed: ${await response.text()}.`);
  const value: Value = await response.json();
  return value;
}

/** Not oftener than this while a session runs and everything changes all the time. */
const LEAST_PAUSE_MS = 700;

/**
 * Asks again whenever the version changes, and goes on showing the last answer until the next is here. An answer on its way
 * counts though the version has changed meanwhile: something is better than a sentence.
 */
export function useAnswer<Value>(question: string, version: number): FetchedAnswer<Value> {
  const [answer, change] = useState<FetchedAnswer<Value>>({ status: "waiting" });
  const asked = useRef({ question: "", atMs: 0 });
  const wanted = useRef("");
  useEffect(() => {
    wanted.current = question;
    const isAnew = asked.current.question !== question;
    if (isAnew) change({ status: "waiting" });
    const pauseMs = isAnew ? 0 : Math.max(0, asked.current.atMs + LEAST_PAUSE_MS - performance.now());
    const timer = setTimeout(() => {
      asked.current = { question, atMs: performance.now() };
      fetchAnswer<Value>(question).then(
        (value) => wanted.current === question && change({ status: "here", value }),
        (error: unknown) =>
          wanted.current === question &&
          change({ status: "failed", why: error instanceof Error ? error.message : String(error) }),
      );
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [question, version]);
  useEffect(
    () => () => {
      wanted.current = "";
    },
    [],
  );
  return answer;
}
