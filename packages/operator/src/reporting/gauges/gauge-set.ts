import { byTextOf } from '@nodewright/apis';
import type { Resources } from '@nodewright/engine';

/** Gauges of one subject: `refresh` sets every series that is true now, `clear` takes all of them away. */
export type GaugeSet = { readonly refresh: () => void; readonly clear: () => void };

type Clearable = { reset(): void };

/** A set whose series are written anew at every look, so none outlives its subject. */
export function gaugeSet(gauges: Readonly<Record<string, Clearable>>, write: () => void): GaugeSet {
  const clear = (): void => {
    for (const gauge of Object.values(gauges)) gauge.reset();
  };
  return {
    clear,
    refresh: () => {
      clear();
      write();
    },
  };
}

/** Amounts under the names and in the units of Karpenter's metrics: `ephemeral_storage`, CPU in cores. */
export const listResourceAmounts = (resources: Resources): readonly (readonly [type: string, amount: number])[] =>
  Object.entries(resources)
    .toSorted(byTextOf(([name]) => name))
    .map(([name, amount]) => [name.toLowerCase().replaceAll('-', '_'), name === 'cpu' ? amount / 1_000 : amount]);
