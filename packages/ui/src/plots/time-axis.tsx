import { useMemo } from 'preact/hooks';
import { listTimeMarks, type TimeMark, type TimeSpan } from './time-marks.ts';
import { printPercent } from './print-percent.ts';

/** Room for the words of a mark, in pixels. */
const markWidth = 84;

/** The width before the page is laid out. */
const firstWidth = 600;

/** The marks that fit beside each other. */
export function useTimeMarks({ begin, end }: TimeSpan, width = firstWidth): readonly TimeMark[] {
  const most = Math.max(1, Math.floor(width / markWidth));
  return useMemo(() => listTimeMarks({ begin, end }, most), [begin, end, most]);
}

/** Lines of the marks, behind what is drawn. */
export const TimeGrid = ({ marks, height }: { readonly marks: readonly TimeMark[]; readonly height: number }) => (
  <g class="grid">
    {marks.map(({ at, place }) => (
      <line key={at} x1={printPercent(place)} x2={printPercent(place)} y1={0} y2={height} />
    ))}
  </g>
);

/** The words of the marks, each under its line. */
export const TimeAxis = ({ marks, y }: { readonly marks: readonly TimeMark[]; readonly y: number }) => (
  <g class="axis" aria-hidden="true">
    {marks.map(({ at, place, words, anchor }) => (
      <text key={at} x={printPercent(place)} y={y} text-anchor={anchor}>
        {words}
      </text>
    ))}
  </g>
);
