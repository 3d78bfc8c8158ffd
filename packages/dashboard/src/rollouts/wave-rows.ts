import { type NodeRolloutStatus, type RolloutWaveStatus, toTimestamp } from '@nodewright/apis';
import type { WaveForecast } from '@nodewright/engine';
import type { RolloutOutlook } from '@nodewright/operator';
import type { WaveRow } from '../rows/dashboard-rows.ts';

/** Waves that have begun as they are stored, and those to come as they are foreseen. Nothing is to come of one that has ended. */
export function viewWaves(
  { waves: known = [], endedAt }: Pick<NodeRolloutStatus, 'waves' | 'endedAt'>,
  outlook: Pick<RolloutOutlook, 'waves'> | undefined,
): readonly WaveRow[] {
  const rows = joinForecasts(known, endedAt === undefined ? (outlook?.waves ?? []) : []);
  return endedAt === undefined ? rows : rows.map((row) => ({ outcome: describeUnendedWave(row), ...row }));
}

const describeUnendedWave = ({ startedAt }: WaveRow): string =>
  startedAt === undefined ? 'not begun' : 'not finished';

function joinForecasts(known: readonly RolloutWaveStatus[], foreseen: readonly WaveForecast[]): readonly WaveRow[] {
  const forecasts = new Map(foreseen.map((wave) => [wave.name, wave]));
  const names = [...new Set([...known.map(({ name }) => name), ...forecasts.keys()])];
  return names.map((name) => {
    const foreseen = forecasts.get(name);
    const { seats, ...stored } = known.find((wave) => wave.name === name) ?? { name, taken: 0, healthy: 0, failed: 0 };
    // How many nodes a wave takes is counted when it begins.
    const isCounted = 'startedAt' in stored && stored.startedAt !== undefined;
    return { ...writeForecast(foreseen), ...stored, seats: isCounted ? (seats ?? 0) : (foreseen?.seats ?? seats ?? 0) };
  });
}

function writeForecast(wave: WaveForecast | undefined) {
  const { needsApproval, earliestStart, earliestEnd, state } = wave ?? {};
  return {
    ...(needsApproval === true && state === 'toCome' ? { needsApproval } : {}),
    ...(earliestStart === undefined ? {} : { earliestStart: toTimestamp(earliestStart) }),
    ...(earliestEnd === undefined ? {} : { earliestEnd: toTimestamp(earliestEnd) }),
  };
}
