import { scaleLinear } from 'd3-scale';

/** An axis of values from 0 up to a round value. */
export type ValueAxis = {
  readonly top: number;
  /** Round values, 0 and the top among them where they are round. */
  readonly marks: readonly number[];
  /** The place of a value on the axis, from 0 to 1. */
  readonly placeOf: (value: number) => number;
};

type ValueRange = {
  /** The greatest value. */
  readonly most: number;
  /** The smallest top: values are not magnified beyond it. */
  readonly least: number;
  /** About so many marks. */
  readonly count: number;
};

export function createValueAxis({ most, least, count }: ValueRange): ValueAxis {
  const scale = scaleLinear()
    .domain([0, Math.max(most, least)])
    .range([0, 1])
    .nice(count)
    .clamp(true);
  return { top: scale.domain()[1] ?? least, marks: scale.ticks(count), placeOf: (value) => scale(value) };
}
