import type { WaveRow } from './dashboard-rows.ts';

/** `canary: 1 of 1 seats, 1 healthy, 0 failed, soaks until 2024-03-01T20:00:00Z`. */
export const describeWave = (wave: WaveRow): string =>
  `${wave.name}: ${wave.taken} of ${wave.seats} seats, ${wave.healthy} healthy, ${wave.failed} failed, ${describeWaveTime(wave)}`;

function describeWaveTime({ outcome, soakedUntil, startedAt, earliestStart, needsApproval }: WaveRow): string {
  if (outcome !== undefined) return outcome;
  if (startedAt !== undefined) return soakedUntil === undefined ? 'under way' : `soaks until ${soakedUntil}`;
  const approval = needsApproval === true ? ', needs approval' : '';
  return earliestStart === undefined ? `to come${approval}` : `begins at ${earliestStart} at the earliest${approval}`;
}
