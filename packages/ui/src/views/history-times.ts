import {
  applyEntries,
  type ClusterHistory,
  type ForeseenChanges,
  type HistoryAmounts,
  type HistoryEntry,
  listForeseenEntries,
  listHistoryAmounts,
  replayHistory,
  type TrackedRow,
} from '@nodewright/dashboard/rows';
import { area, curveStepAfter, line } from 'd3-shape';

/** The past, the present and what is expected, on one line of time. Times are milliseconds. */
export type HistoryLine = {
  readonly begin: number;
  readonly now: number;
  /** The present where nothing is expected. */
  readonly end: number;
  readonly past: readonly HistoryAmounts[];
  /** From the present on; empty without a forecast. */
  readonly foreseen: readonly HistoryAmounts[];
  readonly entries: readonly HistoryEntry[];
  readonly expected: readonly HistoryEntry[];
};

/** `undefined` before the cluster has been read. */
export function layOutHistory(history: ClusterHistory, forecast: ForeseenChanges | undefined): HistoryLine | undefined {
  const { begin, end, base, entries } = history;
  if (begin === undefined || end === undefined) return undefined;
  const now = Date.parse(end);
  const expected = forecast === undefined ? [] : listForeseenEntries(forecast, end);
  return {
    begin: Date.parse(begin),
    now,
    end: forecast === undefined ? now : Math.max(now, Date.parse(forecast.until)),
    past: listHistoryAmounts(begin, base, entries),
    foreseen: forecast === undefined ? [] : listHistoryAmounts(end, applyEntries(base, entries), expected),
    entries,
    expected,
  };
}

/** The rows at a moment of the line. */
export function readRowsAt(history: ClusterHistory, { now, expected }: HistoryLine, at: number): readonly TrackedRow[] {
  const past = replayHistory(history, new Date(Math.min(at, now)).toISOString());
  if (at <= now) return past;
  return applyEntries(
    past,
    expected.filter((entry) => Date.parse(entry.at) <= at),
  );
}

/** The amounts at a moment of the line. */
export function readAmountsAt({ past, foreseen, now }: HistoryLine, at: number): HistoryAmounts | undefined {
  const amounts = at <= now ? past : foreseen;
  return amounts.findLast((each) => Date.parse(each.at) <= at) ?? amounts[0];
}

/** The moments at which something changes, in order, each once; the present is one of them. */
export function listChangeTimes({ entries, expected, now }: HistoryLine): readonly number[] {
  const times = [...entries.map(({ at }) => Date.parse(at)), now, ...expected.map(({ at }) => Date.parse(at))];
  return [...new Set(times)];
}

/** How wide curves are drawn; they are stretched to the width of the page. */
export const curveWidth = 1000;
/** How high curves are drawn, at the top of their axis. */
export const curveHeight = 56;

export type CurveScale = {
  /** The place of a time on the line, from 0 to 1. */
  readonly timePlace: (time: number) => number;
  /** The place of an amount on its axis, from 0 to 1. */
  readonly amountPlace: (amount: number) => number;
  readonly amountOf: (amounts: HistoryAmounts) => number;
};

type CurvePoint = readonly [x: number, y: number];

const drawSteps = line<CurvePoint>().curve(curveStepAfter).digits(1);
const drawGround = area<CurvePoint>()
  .curve(curveStepAfter)
  .x(([x]) => x)
  .y0(curveHeight)
  .y1(([, y]) => y)
  .digits(1);

/** A line in steps, and the area under it, as paths of SVG. */
export type DrawnCurve = { readonly steps: string; readonly ground: string };

/** A line in steps until a time. Of several amounts in one step of the width, the highest is drawn: none is hidden. */
export function drawCurve(moments: readonly HistoryAmounts[], until: number, scale: CurveScale): DrawnCurve {
  const points = listCurvePoints(moments, until, scale);
  return { steps: drawSteps(points) ?? '', ground: drawGround(points) ?? '' };
}

function listCurvePoints(
  moments: readonly HistoryAmounts[],
  until: number,
  { timePlace, amountPlace, amountOf }: CurveScale,
): readonly CurvePoint[] {
  const x = (time: number): number => Math.round(timePlace(time) * curveWidth);
  const highest = new Map<number, number>();
  const last = new Map<number, number>();
  for (const amounts of moments) {
    const step = x(Date.parse(amounts.at));
    highest.set(step, Math.max(highest.get(step) ?? 0, amountOf(amounts)));
    last.set(step, amountOf(amounts));
  }
  const y = (amount = 0): number => curveHeight - amountPlace(amount) * curveHeight;
  const points = [...highest].flatMap(([step, amount]): readonly CurvePoint[] =>
    last.get(step) === amount
      ? [[step, y(amount)]]
      : [
          [step, y(amount)],
          [step, y(last.get(step))],
        ],
  );
  const end = points.at(-1);
  return end === undefined ? [] : [...points, [x(until), end[1]]];
}
