import { formatHourlyPrice, type HistoryAmounts } from '@nodewright/dashboard/rows';
import { curveHeight, curveWidth, drawCurve, type HistoryLine } from './history-times.ts';

type CurveKind = {
  readonly title: string;
  readonly amountOf: (amounts: HistoryAmounts) => number;
  readonly print: (amount: number) => string;
  /** Whether a forecast knows it. */
  readonly isForeseen: boolean;
};

const curveKinds: readonly CurveKind[] = [
  { title: 'Nodes', amountOf: ({ nodes }) => nodes, print: String, isForeseen: true },
  { title: 'Not settled', amountOf: ({ unsettled }) => unsettled, print: String, isForeseen: true },
  { title: 'Held', amountOf: ({ held }) => held, print: String, isForeseen: false },
  { title: 'Waiting pods', amountOf: ({ waitingPods }) => waitingPods, print: String, isForeseen: false },
  {
    title: 'Cost an hour',
    amountOf: ({ microUsdPerHour }) => microUsdPerHour,
    print: formatHourlyPrice,
    isForeseen: false,
  },
];

type CurvesProps = { readonly line: HistoryLine; readonly time: number };

/** What there was over time: lines for what was read, dashed ones for what is expected. */
export const HistoryCurves = (props: CurvesProps) => (
  <div class="curves">
    {curveKinds.map((kind) => (
      <HistoryCurve key={kind.title} kind={kind} {...props} />
    ))}
  </div>
);

function HistoryCurve({ kind, line, time }: CurvesProps & { readonly kind: CurveKind }) {
  const { title, amountOf, print, isForeseen } = kind;
  const { begin, now, end, past } = line;
  const foreseen = isForeseen ? line.foreseen : [];
  const most = [...past, ...foreseen].reduce((sum, amounts) => Math.max(sum, amountOf(amounts)), 0);
  const scale = { begin, end, most, amountOf };
  const x = (at: number): number => ((at - begin) / Math.max(1, end - begin)) * curveWidth;
  return (
    <figure class="curve">
      <figcaption>
        <span>{title}</span>
        <span>at most {print(most)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${curveWidth} ${curveHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} over time: at most ${print(most)}`}
      >
        {end > now && <rect class="future" x={x(now)} width={curveWidth - x(now)} height={curveHeight} />}
        <path class="line" d={drawCurve(past, now, scale)} />
        <path class="line dashed" d={drawCurve(foreseen, end, scale)} />
        <line class="now" x1={x(time)} x2={x(time)} y1={0} y2={curveHeight} />
      </svg>
    </figure>
  );
}
