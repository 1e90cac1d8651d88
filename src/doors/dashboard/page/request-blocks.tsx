import type { ComponentChild } from "preact";
import type { RequestBlock } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { renderInteger, renderTokens } from "./format.ts";
import { Safe, showOneLine } from "./safe.tsx";
import { AnsweredState } from "./states.tsx";

interface RequestBlocksProperties {
  readonly session: string;
  readonly request: number;
  readonly onOriginal: (question: string) => void;
}

export function RequestBlocks({ session, request, onOriginal }: RequestBlocksProperties): ComponentChild {
  const answer = useAnswer<readonly RequestBlock[]>(`request?key=${session}&request=${request}`, 0);
  return (
    <AnsweredState answer={answer}>
      {(blocks) =>
        blocks.length === 0 ? (
          <p class="quiet">This request added nothing to the conversation.</p>
        ) : (
          <ol class="blocks">
            {blocks.map((block, index) => (
              <Block
                key={`${index}`}
                block={block}
                onOriginal={() => onOriginal(`block?key=${session}&request=${request}&block=${index}`)}
              />
            ))}
          </ol>
        )
      }
    </AnsweredState>
  );
}

function Block({ block, onOriginal }: Readonly<{ block: RequestBlock; onOriginal: () => void }>): ComponentChild {
  const { direction, label, characters, tokens, start } = block;
  return (
    <li class={direction}>
      <p class="block-head">
        <b>{direction === "sent" ? "→" : "←"}</b> <Safe text={label} />
        <span class="meta">
          ≈ {renderTokens(tokens)} tokens, {renderInteger(characters)} characters
        </span>
      </p>
      {start.trim() !== "" && (
        <p class="block-start">
          <Safe text={showOneLine(start)} />
          {characters > start.length && "…"}
        </p>
      )}
      {characters > 0 && (
        <button type="button" class="quiet-button" onClick={onOriginal}>
          Show all of it
        </button>
      )}
    </li>
  );
}
