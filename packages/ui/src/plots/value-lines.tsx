import type { ValueAxis } from './value-marks.ts';

type AxisProps = { readonly axis: ValueAxis; readonly height: number };

const yOf = (axis: ValueAxis, value: number, height: number): number => (1 - axis.placeOf(value)) * height;

/** Lines of the marks of an upright axis, behind what is drawn. */
export const ValueLines = ({ axis, height }: AxisProps) => (
  <g class="grid">
    {axis.marks.map((value) => (
      <line key={value} x1="0" x2="100%" y1={yOf(axis, value, height)} y2={yOf(axis, value, height)} />
    ))}
  </g>
);

/** The values of the marks, left of what is drawn. */
export const ValueLabels = ({ axis, height, print }: AxisProps & { readonly print: (value: number) => string }) => (
  <svg class="axis labels" height={height} aria-hidden="true">
    {axis.marks.map((value) => (
      <text key={value} x="100%" dx={-6} y={yOf(axis, value, height) + 4} text-anchor="end">
        {print(value)}
      </text>
    ))}
  </svg>
);
