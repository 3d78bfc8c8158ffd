import type { ComponentChildren } from 'preact';
import { printPercent } from './print-percent.ts';
import type { ValueAxis } from './value-marks.ts';

/** A part of a bar; the first one begins at 0, the next one where it ends. */
export type BarPart = { readonly value: number; readonly className: string };

export type PlotBar = {
  readonly id: string;
  /** What stands before the bar. */
  readonly label: ComponentChildren;
  readonly parts: readonly BarPart[];
  /** The value, behind the bar. */
  readonly value: string;
  /** All of it in words, for the pointer. */
  readonly words: string;
};

type PlotProps = {
  readonly bars: readonly PlotBar[];
  readonly axis: ValueAxis;
  readonly printMark: (value: number) => string;
  readonly className: string;
};

const barHeight = 12;

/** Bars beside each other's names and values, over one axis. The list has everything in words. */
export const BarPlot = ({ bars, axis, printMark, className }: PlotProps) => (
  <div class={`bars ${className}`}>
    <ul>
      {bars.map(({ id, label, parts, value, words }) => (
        <li key={id} title={words}>
          <span>{label}</span>
          <svg height={barHeight} aria-hidden="true">
            <rect class="track" width="100%" height={barHeight} />
            {layOutParts(parts).map(({ from, to, className: part }) => (
              <rect
                key={part}
                class={part}
                x={printPercent(axis.placeOf(from))}
                width={printPercent(axis.placeOf(to) - axis.placeOf(from))}
                height={barHeight}
              />
            ))}
            <BarLines axis={axis} />
          </svg>
          <span>{value}</span>
        </li>
      ))}
    </ul>
    <svg class="axis" height={15} aria-hidden="true">
      {axis.marks.map((mark) => (
        <text key={mark} x={printPercent(axis.placeOf(mark))} y={12} text-anchor={anchorMark(axis.placeOf(mark))}>
          {printMark(mark)}
        </text>
      ))}
    </svg>
  </div>
);

const anchorMark = (place: number): 'start' | 'middle' | 'end' =>
  place === 0 ? 'start' : place === 1 ? 'end' : 'middle';

function layOutParts(parts: readonly BarPart[]) {
  let from = 0;
  return parts.map(({ value, className }) => {
    const to = from + value;
    const part = { from, to, className };
    from = to;
    return part;
  });
}

const BarLines = ({ axis }: { readonly axis: ValueAxis }) => (
  <g class="grid">
    {axis.marks.map((mark) => (
      <line
        key={mark}
        x1={printPercent(axis.placeOf(mark))}
        x2={printPercent(axis.placeOf(mark))}
        y1={0}
        y2={barHeight}
      />
    ))}
  </g>
);
