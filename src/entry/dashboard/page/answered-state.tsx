import type { ComponentChild } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { Connected } from "./connection.ts";
import { Empty, WaitingState } from "./states.tsx";

type FetchedAnswer<Value> =
  | { readonly status: "waiting" }
  | { readonly status: "here"; readonly value: Value }
  | { readonly status: "failed"; readonly why: string };

async function fetchAnswer<Value>(question: string): Promise<Value> {
  const response = await fetch(`api/${question}`);
  if (response.status === 404) throw new Error("The item that you opened no longer exists.");
  if (!response.ok) throw new Error(`The request failed: ${await response.text()}.`);
  const value: Value = await response.json();
  return value;
}

/** Limits the rate while a session runs and everything keeps changing. */
const LEAST_PAUSE_MS = 700;

interface Asked {
  /** The answer never changes. */
  readonly isFixed?: boolean;
  /** Below 1, added to the version: what else changes the answer. */
  readonly more?: number;
}

/**
 * Fetches again whenever the version changes and shows the last answer until the next arrives. An answer on its way is shown even
 * if the version has changed meanwhile: an old answer is better than none.
 */
export function useAnswer<Value>(question: string, { isFixed = false, more = 0 }: Asked = {}): FetchedAnswer<Value> {
  const known = useContext(Connected).state?.version ?? 0;
  const version = isFixed ? 0 : known + more;
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
    return () => {
      clearTimeout(timer);
      wanted.current = "";
    };
  }, [question, version]);
  return answer;
}

interface AnsweredProperties<Value> extends Asked {
  readonly question: string;
  readonly children: (value: Value) => ComponentChild;
}

/** Shows an answer once it has arrived; before that, or without one, a sentence. */
export function AnsweredState<Value>({ question, children, ...asked }: AnsweredProperties<Value>): ComponentChild {
  const answer = useAnswer<Value>(question, asked);
  if (answer.status === "waiting") return <WaitingState />;
  if (answer.status === "here") return children(answer.value);
  return (
    <Empty title="This part of the page could not be loaded">
      {answer.why} If this does not change, stop the dashboard with Ctrl+C, start it again and open its new address.
    </Empty>
  );
}
