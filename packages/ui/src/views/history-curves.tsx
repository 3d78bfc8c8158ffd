import { type DashboardPart, formatHourlyPrice, type HistoryAmounts } from '@nodewright/dashboard/rows';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import { hiddenContext } from '../parts/page-context.ts';
import { formatLocal } from '../parts/time-text.tsx';
import { useMeasurement } from '../parts/use-measurement.ts';
import { printPercent } from '../plots/print-percent.ts';
import { TimeAxis, TimeGrid, useTimeMarks } from '../plots/time-axis.tsx';
import { createTimePlaces, type TimeMark } from '../plots/time-marks.ts';
import { createValueAxis } from '../plots/value-marks.ts';
import { ValueLabels, ValueLines } from '../plots/value-lines.tsx';
import { curveHeight, curveWidth, drawCurve, type HistoryLine, readAmountsAt } from './history-times.ts';

type CurveKind = {
  readonly title: string;
  readonly amountOf: (amounts: HistoryAmounts) => number;
  readonly print: (amount: number) => string;
  /** As the marks of its axis. */
  readonly printMark: (amount: number) => string;
  /** The top of its axis at the least. */
  readonly least: number;
  /** Whether a forecast knows it. */
  readonly isForeseen: boolean;
  /** Without this part it would be wrong. */
  readonly part?: DashboardPart;
};

const counted = { print: String, printMark: String, least: 2 };

const curveKinds: readonly CurveKind[] = [
  { ...counted, title: 'Nodes', amountOf: ({ nodes }) => nodes, isForeseen: true },
  { ...counted, title: 'Not settled', amountOf: ({ unsettled }) => unsettled, isForeseen: true },
  { ...counted, title: 'Held', amountOf: ({ held }) => held, isForeseen: false },
  {
    ...counted,
    title: 'Waiting pods',
    amountOf: ({ waitingPods }) => waitingPods,
    isForeseen: false,
    part: 'podReasons',
  },
  {
    title: 'Cost an hour',
    amountOf: ({ microUsdPerHour }) => microUsdPerHour,
    print: formatHourlyPrice,
    printMark: (microUsd) => `$${microUsd / 1_000_000}`,
    least: 10_000,
    isForeseen: false,
    part: 'spending',
  },
];

type CurvesProps = {
  readonly line: HistoryLine;
  readonly time: number;
  /** A reader has clicked on a moment. */
  readonly onChoose: (time: number) => void;
};

/**
 * What there was over time: lines for what was read, dashed ones for what is expected. The values are those of the moment
 * under the pointer, and else those of the slider, which the keyboard moves.
 */
export function HistoryCurves({ line, time, onChoose }: CurvesProps) {
  const { begin, end } = line;
  const hidden = useContext(hiddenContext);
  const plots = useRef<HTMLDivElement>(null);
  const width = useMeasurement(plots, measureArea);
  const marks = useTimeMarks({ begin, end }, width);
  const [pointed, setPointed] = useState<number>();
  const readTime = (event: MouseEvent): number | undefined => {
    const area = event.target instanceof Element ? event.target.closest('svg.area') : null;
    if (area === null) return undefined;
    const { left, width } = area.getBoundingClientRect();
    return Math.round(begin + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (end - begin));
  };
  return (
    <div
      class="curves"
      ref={plots}
      onPointerMove={(event) => setPointed(readTime(event))}
      onPointerLeave={() => setPointed(undefined)}
      onClick={(event) => {
        const chosen = readTime(event);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {curveKinds
        .filter(({ part }) => part === undefined || hidden[part] === undefined)
        .map((kind) => (
          <HistoryCurve key={kind.title} kind={kind} line={line} time={time} pointed={pointed} marks={marks} />
        ))}
    </div>
  );
}

/** Room for the words of the marks under a curve. */
const axisHeight = 15;

const measureArea = (plots: Element): number => plots.querySelector('svg.area')?.getBoundingClientRect().width ?? 0;

type CurveProps = {
  readonly kind: CurveKind;
  readonly line: HistoryLine;
  /** The moment of the slider. */
  readonly time: number;
  readonly pointed: number | undefined;
  readonly marks: readonly TimeMark[];
};

function HistoryCurve({ kind, line, time, pointed, marks }: CurveProps) {
  const { title, print, isForeseen } = kind;
  const { most, axis, places, past, foreseen } = useMemo(() => drawCurves(kind, line), [kind, line]);
  const at = pointed ?? time;
  const reading = readCurve(kind, line, at);
  const amount = reading === undefined ? 'not foreseen' : print(reading);
  const words = `${amount} at ${formatLocal(new Date(at).toISOString())}`;
  const [now, chosen] = [places(line.now), printPercent(places(time))];
  return (
    <figure class="curve">
      <figcaption>
        <span>{title}</span>
        <span>
          <strong>{pointed === undefined ? amount : words}</strong>, at most {print(most)}
        </span>
      </figcaption>
      <div class="plot">
        <ValueLabels axis={axis} height={curveHeight} print={kind.printMark} />
        <svg
          class="area"
          height={curveHeight + axisHeight}
          role="img"
          aria-label={`${title} over time: ${words}, at most ${print(most)}`}
        >
          <rect class="back" width="100%" height={curveHeight} />
          {now < 1 && <rect class="future" x={printPercent(now)} width={printPercent(1 - now)} height={curveHeight} />}
          <TimeGrid marks={marks} height={curveHeight} />
          <ValueLines axis={axis} height={curveHeight} />
          <svg height={curveHeight} viewBox={`0 0 ${curveWidth} ${curveHeight}`} preserveAspectRatio="none">
            <path class="ground" d={past.ground} />
            <path class="line" d={past.steps} />
            {isForeseen && <path class="line dashed" d={foreseen.steps} />}
          </svg>
          <line class="now" x1={chosen} x2={chosen} y1={0} y2={curveHeight} />
          <TimeAxis marks={marks} y={curveHeight + 12} />
          {pointed !== undefined && <PointedMoment place={places(pointed)} height={curveHeight} />}
        </svg>
      </div>
    </figure>
  );
}

const PointedMoment = ({ place, height }: { readonly place: number; readonly height: number }) => (
  <line class="pointed" x1={printPercent(place)} x2={printPercent(place)} y1={0} y2={height} />
);

function drawCurves({ amountOf, least, isForeseen }: CurveKind, line: HistoryLine) {
  const { now, end, past } = line;
  const foreseen = isForeseen ? line.foreseen : [];
  const most = [...past, ...foreseen].reduce((sum, amounts) => Math.max(sum, amountOf(amounts)), 0);
  const axis = createValueAxis({ most, least, count: 2 });
  const places = createTimePlaces(line);
  const scale = { timePlace: places, amountPlace: axis.placeOf, amountOf };
  return { most, axis, places, past: drawCurve(past, now, scale), foreseen: drawCurve(foreseen, end, scale) };
}

/** `undefined` for what a forecast does not know. */
function readCurve({ amountOf, isForeseen }: CurveKind, line: HistoryLine, at: number): number | undefined {
  const amounts = at > line.now && !isForeseen ? undefined : readAmountsAt(line, at);
  return amounts === undefined ? undefined : amountOf(amounts);
}
