import { resolveIntOrPercent } from '@nodewright/apis';
import type { WaveSettings } from '../settings.ts';

export type FleetCount = {
  /** Governed nodes at the beginning of the wave. */
  readonly nodes: number;
  /** Variants that have a governed node then. */
  readonly variants: number;
  /** Nodes of the managed group that may be the first wave although it is larger. */
  readonly canaryGroupNodes: number;
};

/**
 * How many nodes may run the target by the end of a wave, in all. Percentages round up. Each variant in use has a seat,
 * and no wave has fewer seats than the one before.
 */
export function countSeats(wave: WaveSettings, fleet: FleetCount, before: number): number {
  const written = resolveIntOrPercent(wave.nodes, fleet.nodes, 'up');
  return Math.max(1, written, fleet.variants, before, fleet.canaryGroupNodes);
}
