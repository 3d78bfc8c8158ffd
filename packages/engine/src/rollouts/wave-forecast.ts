import { fromTimestamp, hours, instant, type Instant } from '@nodewright/apis';
import { readCalendar } from './calendar/windows.ts';
import { currentRollout } from './course.ts';
import { countSeats } from './seats/wave-seats.ts';
import { resolveRolloutSettings, type RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import { isRollback, viewRollout } from './view.ts';
import { wavesOfRollout } from './wave-progress.ts';

/** A wave as it would go if nothing failed and every node could be drained at once. */
export type WaveForecast = {
  readonly name: string;
  /** How many nodes may run the new image by its end, in all. */
  readonly seats: number;
  /** How many of them this wave adds. */
  readonly nodes: number;
  readonly soakMs: number;
  readonly needsApproval: boolean;
  readonly state: 'ended' | 'underWay' | 'toCome';
  /** When it begins at the earliest; absent for a wave that has ended, or that no window ever lets begin. */
  readonly earliestStart?: Instant;
  readonly earliestEnd?: Instant;
};

/** The waves of the rollout under way, with the earliest times; none where no rollout is under way. */
export function forecastWaves(seen: RolloutSnapshot): readonly WaveForecast[] {
  const rollout = currentRollout(seen);
  if (rollout === undefined) return [];
  const settings = resolveRolloutSettings(seen.policy.spec);
  const view = viewRollout(rollout, seen);
  const fleet = {
    nodes: seen.nodes.filter(({ leaving }) => !leaving).length,
    variants: new Set(view.toMove.map(({ variant }) => variant)).size,
    canaryGroupNodes: 0,
  };
  const isCalendarIgnored = isRollback(rollout) && settings.rollbackWindows === 'Ignore';
  const forecasts: WaveForecast[] = [];
  // Only a person leads on after a halt: no time can be told.
  let at: Instant | undefined = view.status.halted === undefined ? seen.now : undefined;
  let before = 0;
  for (const wave of wavesOfRollout(view, settings)) {
    const known = view.status.waves?.find(({ name }) => name === wave.name);
    const seats = known?.startedAt === undefined ? countSeats(wave, fleet, before) : known.seats;
    const nodes = Math.max(0, Math.min(seats, fleet.nodes) - Math.min(before, fleet.nodes));
    const { name, soakMs, needsApproval } = wave;
    const about = { name, seats, nodes, soakMs, needsApproval };
    before = Math.max(before, seats);
    if (known?.endedAt !== undefined) {
      forecasts.push({ ...about, state: 'ended' });
      continue;
    }
    const isBegun = known?.startedAt !== undefined;
    const start: Instant | undefined = isBegun || isCalendarIgnored ? at : nextOpening(settings, at);
    const end: Instant | undefined =
      start === undefined
        ? undefined
        : endOfWave(start, known?.soakedUntil, { nodes, soakMs, objects: seen.objects.length }, settings);
    forecasts.push({
      ...about,
      state: isBegun ? 'underWay' : 'toCome',
      ...(start === undefined || isBegun ? {} : { earliestStart: start }),
      ...(end === undefined ? {} : { earliestEnd: end }),
    });
    at = end;
  }
  return forecasts;
}

function endOfWave(
  start: Instant,
  soakedUntil: string | undefined,
  { nodes, soakMs, objects }: { readonly nodes: number; readonly soakMs: number; readonly objects: number },
  { pace }: RolloutSettings,
): Instant {
  if (soakedUntil !== undefined) return fromTimestamp(soakedUntil);
  const spacingMs = Math.max(hours(1) / pace.maxPerHour, pace.minIntervalMs / Math.max(1, objects));
  return instant(start + Math.floor(Math.max(0, nodes - 1) * spacingMs) + soakMs);
}

const mostLooks = 20;

/** When something may begin from then on: a window can open in a blackout, and a blackout end outside of windows. */
function nextOpening(settings: RolloutSettings, from: Instant | undefined): Instant | undefined {
  let at = from;
  for (let look = 0; look < mostLooks && at !== undefined; look += 1) {
    const calendar = readCalendar(settings, at);
    if (calendar.kind === 'open') return at;
    at =
      calendar.kind === 'outsideWindow' ? calendar.opensAt : calendar.kind === 'blackout' ? calendar.endsAt : undefined;
  }
  return undefined;
}
