import type { ComponentChild } from "preact";
import type { ShownAdvice as Advised, NowSession } from "../wire.ts";
import { CopyCommand } from "./copy-command.tsx";
import { renderUsd } from "./format.ts";
import { Safe } from "./safe.tsx";

/** What is happening, what to do about it, what that saves, and what to type: the first thing on the page. */
export function FirstAdvice({
  session,
  isSample,
}: {
  readonly session: NowSession;
  readonly isSample: boolean;
}): ComponentChild {
  const { advice, key, title } = session;
  return (
    <div class="advice">
      <h1 tabIndex={-1}>{advice ? advice.sentence : "Finding out what to do…"}</h1>
      {advice && <Act advice={advice} />}
      <p class="meta">
        {isSample ? "The sample" : "Your newest session"}:{" "}
        <a href={`#/session/${key}`}>
          <Safe text={title} />
        </a>
      </p>
    </div>
  );
}

/** What to type, where, and what it saves. */
export function Act({ advice }: { readonly advice: Advised }): ComponentChild {
  const { sentence, command, place, savesUsd } = advice;
  if (command === null) return null;
  const saving = savesUsd === null ? "" : renderUsd(savesUsd);
  return (
    <p class="act">
      {place === "shell" ? "Type in a terminal" : "Type in the client"} <CopyCommand command={command} />
      {saving !== "" && !sentence.includes(saving) && <b>saves about {saving}</b>}
    </p>
  );
}
