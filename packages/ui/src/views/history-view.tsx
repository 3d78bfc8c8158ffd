import {
  type Dashboard,
  type ForeseenChanges,
  formatHourlyPrice,
  type HiddenParts,
  type HistoryAmounts,
  printedAge,
  spellNodeCount,
} from '@nodewright/dashboard/rows';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type HistoryState, useHistory } from '../live/history-source.ts';
import { goToAddress } from '../live/page-location.ts';
import { hiddenContext, placeContext, useAddress } from '../parts/page-context.ts';
import { formatLocal, TimeText } from '../parts/time-text.tsx';
import { ForecastButton } from './forecast-button.tsx';
import { HistoryCurves } from './history-curves.tsx';
import { HistoryMoment } from './history-moment.tsx';
import { type HistoryLine, layOutHistory, listChangeTimes, readAmountsAt, readRowsAt } from './history-times.ts';

/** What the cluster was like at each moment since the server began to read it, and what a forecast expects. */
export function HistoryView({ dashboard: { at } }: { readonly dashboard: Dashboard }) {
  const { known, lookAgain } = useHistory(at);
  const line = useMemo(
    () => (known === undefined ? undefined : layOutHistory(known.history, known.forecast)),
    [known?.history, known?.forecast],
  );
  const problem = known?.problem;
  if (known === undefined || line === undefined)
    return problem !== undefined ? (
      <p class="warning">The history cannot be read: {problem}</p>
    ) : (
      <p class="empty" aria-busy="true">
        Reading the history.
      </p>
    );
  return (
    <>
      {problem !== undefined && (
        <p class="warning">The history cannot be read now, this is how it was before: {problem}</p>
      )}
      <HistoryLineView known={known} line={line} onChange={lookAgain} />
    </>
  );
}

type LineProps = { readonly known: HistoryState; readonly line: HistoryLine; readonly onChange: () => void };

function HistoryLineView({ known, line, onChange }: LineProps) {
  const place = useContext(placeContext);
  const address = useAddress();
  const [dragged, setDragged] = useState<number>();
  const asked = Date.parse(place.query.get('at') ?? '');
  const time = clampTime(dragged ?? (Number.isNaN(asked) ? line.now : asked), line);
  const goTo = (next: number): void => {
    setDragged(undefined);
    goToAddress(address({ at: next === line.now ? '' : new Date(next).toISOString() }));
  };
  const rows = useMemo(() => readRowsAt(known.history, line, time), [known.history, line, time]);
  const hidden = useContext(hiddenContext);
  const words = describeAmounts(readAmountsAt(line, time), time > line.now, hidden);
  return (
    <>
      <Scrubber line={line} time={time} words={words} onDrag={setDragged} onChoose={goTo} />
      {known.forecasting !== undefined && (
        <ForecastButton standing={known.forecasting} forecast={known.forecast} onChange={onChange} />
      )}
      <MomentTitle line={line} time={time} words={words} forecast={known.forecast} />
      <HistoryCurves line={line} time={time} onChoose={goTo} />
      <HistoryMoment line={line} time={time} rows={rows} />
    </>
  );
}

const clampTime = (time: number, { begin, end }: HistoryLine): number => Math.min(end, Math.max(begin, time));

type ScrubberProps = {
  readonly line: HistoryLine;
  readonly time: number;
  /** What there is then. */
  readonly words: string;
  readonly onDrag: (time: number) => void;
  readonly onChoose: (time: number) => void;
};

/** A slider over the line of time, and steps from change to change. */
function Scrubber({ line, time, words, onDrag, onChoose }: ScrubberProps) {
  const times = useMemo(() => listChangeTimes(line), [line]);
  const before = times.findLast((each) => each < time);
  const after = times.find((each) => each > time);
  const { begin, end, now } = line;
  return (
    <div class="scrubber">
      <input
        type="range"
        min={begin}
        max={end}
        step={1}
        value={time}
        aria-label="Moment of the history"
        aria-valuetext={`${formatLocal(new Date(time).toISOString())}${time > now ? ', foreseen' : ''}: ${words}`}
        onInput={({ currentTarget }) => onDrag(currentTarget.valueAsNumber)}
        onChange={({ currentTarget }) => onChoose(currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          const next = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
          if (next === undefined) return;
          event.preventDefault();
          onChoose(next);
        }}
      />
      <div class="scrubber-steps">
        <span class="faint">
          <TimeText at={new Date(begin).toISOString()} />
        </span>
        <span class="choice">
          <button
            type="button"
            disabled={before === undefined}
            onClick={() => before !== undefined && onChoose(before)}
          >
            ◀ Earlier change
          </button>
          <button type="button" disabled={time === now} onClick={() => onChoose(now)}>
            Now
          </button>
          <button type="button" disabled={after === undefined} onClick={() => after !== undefined && onChoose(after)}>
            Later change ▶
          </button>
        </span>
        <span class="faint">
          {end > now ? 'foreseen until ' : 'now, '}
          <TimeText at={new Date(end).toISOString()} />
        </span>
      </div>
    </div>
  );
}

/** A forecast knows nodes alone, and what is hidden is not counted. */
function describeAmounts(
  amounts: HistoryAmounts | undefined,
  isForeseen: boolean,
  { podReasons, spending }: HiddenParts,
): string {
  if (amounts === undefined) return '';
  const nodes = `${spellNodeCount(amounts.nodes)}, ${amounts.unsettled} of them not settled`;
  if (isForeseen) return nodes;
  const { held, waitingPods, microUsdPerHour } = amounts;
  const rest = [
    `${held} held`,
    ...(podReasons === undefined ? [`${waitingPods} pods without a node`] : []),
    ...(spending === undefined ? [`${formatHourlyPrice(microUsdPerHour)} an hour`] : []),
  ];
  return `${nodes}; ${rest.join(', ')}`;
}

type MomentTitleProps = {
  readonly line: HistoryLine;
  readonly time: number;
  readonly words: string;
  readonly forecast: ForeseenChanges | undefined;
};

function MomentTitle({ line: { now }, time, words, forecast }: MomentTitleProps) {
  const at = new Date(time).toISOString();
  const distance = printedAge(Math.round(Math.abs(now - time) / 1000));
  const isForeseen = time > now;
  return (
    <>
      <h2 aria-live="polite">
        <TimeText at={at} />{' '}
        <span class={isForeseen ? 'tag foreseen' : 'tag'}>
          {time === now ? 'now' : isForeseen ? `foreseen, in ${distance}` : `${distance} ago`}
        </span>
      </h2>
      {words !== '' && <p>{words}</p>}
      {isForeseen && forecast !== undefined && (
        <p class="warning">
          A forecast of <TimeText at={forecast.takenAt} /> expects this
          {forecast.change.length === 0 ? '' : ` after a change of ${forecast.change.join(', ')}`}. What holds nodes and
          pods then is not known.
        </p>
      )}
    </>
  );
}
