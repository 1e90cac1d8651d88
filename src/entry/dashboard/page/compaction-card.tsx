import type { ComponentChild } from "preact";
import type { ReceiptAction } from "../../../recorded/read-actions.ts";
import type { Receipt as ReceiptData } from "../../../survive/receipt/receipt.ts";
import type { CompactionDetail } from "../wire.ts";
import { plural, renderInteger, renderMoment, renderMs, renderTokens } from "./format.ts";
import { LongText, Safe, showOneLine } from "./safe.tsx";

export function CompactionCard({ compaction }: { readonly compaction: CompactionDetail }): ComponentChild {
  const { number, trigger, atMs, durationMs, summary, receipt, live } = compaction;
  return (
    <article class="card compaction">
      <header>
        <h3>Compaction {number}</h3>
        <p class="meta">
          {trigger === "auto" ? "automatic" : trigger === "manual" ? "manual" : <Safe text={trigger} />}
          {atMs !== undefined && ` · ${renderMoment(atMs, true)}`}
          {durationMs !== undefined && ` · took ${renderMs(durationMs)}`}
        </p>
      </header>
      <BeforeAfter compaction={compaction} />
      {receipt ? (
        <Receipt receipt={receipt} hasRun={live !== undefined} />
      ) : (
        <p class="quiet">No summary is recorded.</p>
      )}
      {live && <Live live={live} />}
      {summary && (
        <details>
          <summary>
            The summary: {renderTokens(summary.tokens)} tokens, {renderInteger(summary.characters)} characters
          </summary>
          <LongText text={summary.text} />
        </details>
      )}
    </article>
  );
}

function BeforeAfter({ compaction }: { readonly compaction: CompactionDetail }): ComponentChild {
  const sizes = { Before: compaction.tokensBefore, After: compaction.tokensAfter };
  const most = Math.max(sizes.Before ?? 0, sizes.After ?? 0, 1);
  return (
    <dl class="before-after">
      {Object.entries(sizes).map(([name, tokens]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width={((tokens ?? 0) / most) * 100} height="10" />
            </svg>
            <span class="number">{tokens === undefined ? "not recorded" : renderTokens(tokens)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const LANDINGS: Readonly<Record<ReceiptData["landing"], string>> = {
  nothing: "Nothing had to be put back.",
  unchecked: "No request has been sent since, so it is not confirmed yet that the facts were put back.",
  landed: "The next request contained the text that was put back.",
  missing: "The text that was put back was missing from the next request, or incomplete.",
};

function Receipt({ receipt, hasRun }: Readonly<{ receipt: ReceiptData; hasRun: boolean }>): ComponentChild {
  const { held, paraphrased, lost, injected, landing } = receipt;
  const total = held + paraphrased + lost.length;
  return (
    <div class="receipt">
      <h4>
        {lost.length === 0
          ? `All ${plural(total, "fact")} kept`
          : `${renderInteger(lost.length)} of ${plural(total, "fact")} missing from the summary`}
      </h4>
      <FactBar held={held} paraphrased={paraphrased} lost={lost.length} />
      {lost.length > 0 && (
        <ul class="lost">
          {lost.map(({ kind, text, request, mark, repair }, index) => (
            <li key={`${request} ${index}`}>
              <span>
                <Safe text={showOneLine(text)} />
              </span>
              <span class="meta">
                {kind}, request {request}
                {mark && `, ${mark}`} · {hasRun ? repair : repair === "left out" ? "no room" : "would be put back"}
              </span>
            </li>
          ))}
        </ul>
      )}
      {injected !== "" && (
        <details>
          <summary>
            {hasRun ? "Put back" : "What Plimsoll would have put back"}: {renderInteger(injected.length)} characters
          </summary>
          <LongText text={injected} />
        </details>
      )}
      <p class="note">
        {hasRun || landing === "nothing"
          ? LANDINGS[landing]
          : "Plimsoll did not run in this session, so nothing was put back."}
      </p>
    </div>
  );
}

function FactBar({ held, paraphrased, lost }: Record<"held" | "paraphrased" | "lost", number>): ComponentChild {
  const total = Math.max(1, held + paraphrased + lost);
  return (
    <>
      <svg class="fact-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="held" width={(held / total) * 100} height="8" />
        <rect class="paraphrased" x={(held / total) * 100} width={(paraphrased / total) * 100} height="8" />
        <rect class="lost-part" x={((held + paraphrased) / total) * 100} width={(lost / total) * 100} height="8" />
      </svg>
      <p class="fact-legend">
        <i class="swatch held" /> {renderInteger(held)} kept word for word
        <i class="swatch paraphrased" /> {renderInteger(paraphrased)} paraphrased
        <i class="swatch lost-part" /> {renderInteger(lost)} missing
      </p>
    </>
  );
}

const LIVE_LANDINGS: Readonly<Record<ReceiptAction["landing"], string>> = {
  landed: "put back and seen in the next request",
  missing: "put back three times but never seen in a request",
  unknown: "not seen in a request yet",
};

function Live({ live }: { readonly live: ReceiptAction }): ComponentChild {
  const { door, held, paraphrased, lost, landing } = live;
  const total = held + paraphrased + lost.length;
  return (
    <div class="live-receipt">
      <h4>
        As noted while the session ran ({door}): {renderInteger(lost.length)} of {plural(total, "fact")} missing,{" "}
        {lost.length === 0 ? "nothing to put back" : LIVE_LANDINGS[landing]}
      </h4>
      <ul class="lost">
        {lost.map(({ line, isInjected }) => (
          <li key={line}>
            <span>
              <Safe text={line.replace(/^- /, "")} />
            </span>
            <span class="meta">{isInjected ? "put back" : "left out"}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
