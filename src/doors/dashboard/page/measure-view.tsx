import type { ComponentChild } from "preact";
import type { MeasureView as Measures, ToolResults } from "../wire.ts";
import { useAnswer } from "./fetch-answer.ts";
import { plural, renderCount, renderMs, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Stat } from "./stat.tsx";
import { Answered, Empty } from "./states.tsx";
import { SummaryStrip } from "./summary-strip.tsx";
import { Bar, Table } from "./table.tsx";

export function MeasureView({ version }: { readonly version: number }): ComponentChild {
  const answer = useAnswer<Measures>("measure", version);
  return (
    <>
      <h1 tabIndex={-1}>Measure</h1>
      <p class="lead">How far the estimates are off on your own sessions, and how large things really are.</p>
      <Answered answer={answer}>
        {({ estimator, summaries, results, hooks }) => (
          <>
            <Estimator estimator={estimator} />
            <Summaries summaries={summaries} />
            <Results results={results} />
            <Hooks hooks={hooks} />
          </>
        )}
      </Answered>
    </>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function Estimator({ estimator }: Pick<Measures, "estimator">): ComponentChild {
  const { rows, tooShort } = estimator;
  return (
    <section aria-labelledby="estimator">
      <h2 id="estimator">Error of the estimator</h2>
      {rows.length === 0 ? (
        <p class="quiet">No session has the 40 comparable requests that a judgement takes.</p>
      ) : (
        <>
          <p class="note">
            Half of each session's requests predict how much the other half grew; this is how far off they were.{" "}
            {plural(tooShort, "session")} too short to judge.
          </p>
          <Table
            caption="Estimator error by model"
            keyOf={({ model }) => model}
            rows={rows}
            columns={[
              { name: "Model", render: ({ model }) => <Safe text={model} /> },
              { name: "Sessions", render: ({ sessions }) => renderCount(sessions), isNumber: true, isExtra: true },
              { name: "Requests", render: ({ steps }) => renderCount(steps), isNumber: true, isExtra: true },
              { name: "Every other, p50", render: ({ alternating }) => percent(alternating.median), isNumber: true },
              { name: "p95", render: ({ alternating }) => percent(alternating.p95), isNumber: true },
              {
                name: "Later half, p50",
                render: ({ laterHalf }) => percent(laterHalf.median),
                isNumber: true,
                isExtra: true,
              },
              {
                name: "Single request, p50",
                render: ({ singleStep }) => percent(singleStep.median),
                isNumber: true,
                isExtra: true,
              },
            ]}
          />
        </>
      )}
    </section>
  );
}

function Summaries({ summaries }: Pick<Measures, "summaries">): ComponentChild {
  const { distribution, tokens } = summaries;
  return (
    <section class="card" aria-labelledby="summaries">
      <h2 id="summaries">Size of real summaries</h2>
      {distribution === null ? (
        <Empty title="No compaction with a summary is recorded yet">Sizes appear here with the first one.</Empty>
      ) : (
        <>
          <p class="note">
            {plural(distribution.count, "summary", "summaries")} that compactions wrote, in estimated tokens.
            {distribution.quantiles.some(({ isSupported }) => !isSupported) &&
              " A quantile marked with ≥ needs more summaries than there are: it is the largest one seen, no more."}
          </p>
          <dl class="stats stats-wide">
            {distribution.quantiles.map(({ share, value, isSupported }) => (
              <Stat
                key={share}
                name={`p${Number((share * 100).toFixed(2))}`}
                note={isSupported ? undefined : `takes ${renderCount(Math.round(1 / (1 - share)))} summaries`}
              >
                {isSupported ? "" : "≥ "}
                {renderTokens(value)}
              </Stat>
            ))}
            <Stat name="Mean">{renderTokens(distribution.mean)}</Stat>
          </dl>
          <SummaryStrip tokens={tokens} distribution={distribution} />
        </>
      )}
    </section>
  );
}

function Results({ results }: Pick<Measures, "results">): ComponentChild {
  const most = results.reduce((largest, { totalTokens }) => Math.max(largest, totalTokens), 1);
  return (
    <section aria-labelledby="results">
      <h2 id="results">Tool results</h2>
      {results.length === 0 ? (
        <p class="quiet">No tool result is recorded yet.</p>
      ) : (
        <Table<ToolResults>
          caption="Sizes of tool results by tool, in tokens"
          keyOf={({ tool }) => tool}
          rows={results}
          most={12}
          columns={[
            { name: "Tool", render: ({ tool }) => <Safe text={tool} /> },
            { name: "Results", render: ({ count }) => renderCount(count), isNumber: true, isExtra: true },
            { name: "p50", render: ({ p50 }) => renderTokens(p50), isNumber: true },
            { name: "p90", render: ({ p90 }) => renderTokens(p90), isNumber: true },
            { name: "p99", render: ({ p99 }) => renderTokens(p99), isNumber: true, isExtra: true },
            { name: "Largest", render: ({ largest }) => renderTokens(largest), isNumber: true, isExtra: true },
            {
              name: "All together",
              render: ({ totalTokens }) => (
                <>
                  {renderTokens(totalTokens)}
                  <Bar share={totalTokens / most} />
                </>
              ),
              isNumber: true,
            },
          ]}
        />
      )}
    </section>
  );
}

function Hooks({ hooks }: Pick<Measures, "hooks">): ComponentChild {
  return (
    <section aria-labelledby="hooks">
      <h2 id="hooks">What the hooks cost</h2>
      {hooks.length === 0 ? (
        <Empty title="No run of a hook is written down" command="plimsoll install">
          Plimsoll's hooks note how long each run took. Install them, or ask plimsoll doctor why they do not run.
        </Empty>
      ) : (
        <Table
          caption="Run times of hooks and module by event"
          keyOf={({ door, event }) => `${door} ${event}`}
          rows={hooks}
          columns={[
            { name: "Event", render: ({ event, door }) => <Safe text={`${event} (${door})`} /> },
            { name: "Runs", render: ({ runs }) => renderCount(runs), isNumber: true },
            { name: "p50", render: ({ medianMs }) => renderMs(medianMs), isNumber: true },
            { name: "p95", render: ({ p95Ms }) => renderMs(p95Ms), isNumber: true },
            { name: "Slowest", render: ({ largestMs }) => renderMs(largestMs), isNumber: true, isExtra: true },
            { name: "In total", render: ({ totalMs }) => renderMs(totalMs), isNumber: true, isExtra: true },
          ]}
        />
      )}
    </section>
  );
}
