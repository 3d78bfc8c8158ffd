import { fromTimestamp, hours, instant, type Instant, byNumber } from '@nodewright/apis';
import { endOfPause } from '../pauses/find-pause.ts';
import { findPauseOfNodes } from './gates/object-pause.ts';
import { nextOpening, OpenTimes } from './calendar/open-times.ts';
import type { RolloutCalendar } from './calendar/windows.ts';
import { currentRollout, isExpeditedImage } from './course.ts';
import { shortestStart } from './shortest-start.ts';
import { countSeats } from './seats/wave-seats.ts';
import { resolveRolloutSettings, type RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import { isRollback, type RolloutView, viewRollout } from './view.ts';
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
  readonly state: 'ended' | 'underWay' | 'halted' | 'toCome';
  /** When it begins at the earliest; absent for a wave that has ended, or that no window ever lets begin. */
  readonly earliestStart?: Instant;
  readonly earliestEnd?: Instant;
};

/** The waves of the rollout under way, with the earliest times; none where no rollout is under way. */
export function forecastWaves(seen: RolloutSnapshot): readonly WaveForecast[] {
  const rollout = currentRollout(seen);
  if (rollout === undefined) return [];
  const settings = resolveRolloutSettings(seen.policy.spec);
  return forecastRollout({ view: viewRollout(rollout, seen), settings, seen });
}

/** The end of a rollout for `NodeRollout.status.expectedEnd`; absent where no time can be given. */
export const expectRolloutEnd = (question: RolloutOutlookQuestion): Instant | undefined =>
  forecastRollout(question).at(-1)?.earliestEnd;

type RolloutOutlookQuestion = {
  readonly view: RolloutView;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
};

/**
 * The one arithmetic of waves, soaks, windows and pace: for plans that people ask for, and for the expected end in the
 * status. It does not know what drains take, so it is a bound from below. A forecast of a cluster runs the controllers
 * instead, which takes seconds: too long for a status, and the only way to know drains, budgets and evictions.
 */
function forecastRollout({ view, settings, seen }: RolloutOutlookQuestion): readonly WaveForecast[] {
  // A node and the new one that takes its place are one node of the fleet by the time that a further wave begins.
  const replaced = new Set(seen.nodes.map(({ replaces }) => replaces));
  const fleet = {
    nodes: seen.nodes.filter(({ name, leaving }) => !leaving && !replaced.has(name)).length,
    variants: new Set(view.toMove.map(({ variant }) => variant)).size,
    canaryGroupNodes: 0,
  };
  const pace = paceOf({ view, settings, seen });
  const beginnings = new ForecastBeginnings(pace);
  const waves = wavesOfRollout(view, settings);
  const soaks = !isExpeditedWhole(view, seen);
  const forecasts: WaveForecast[] = [];
  // Only a person can resume after a halt: no time can be given.
  const isHalted = view.status.halted !== undefined;
  let at: Instant | undefined = isHalted ? undefined : seen.now;
  let before = 0;
  const letGo = listLetGo(view, seen);
  let toMove = view.toMove.length - letGo.nodes;
  for (const [index, wave] of waves.entries()) {
    const known = view.status.waves?.find(({ name }) => name === wave.name);
    const seats = known?.startedAt === undefined ? countSeats(wave, fleet, before) : known.seats;
    const nodes = Math.max(0, Math.min(seats, fleet.nodes) - Math.min(before, fleet.nodes));
    const { name, needsApproval } = wave;
    // Its seats are those of the waves before it: they have soaked, and it passes at once.
    const soakMs = seats > before && soaks ? wave.soakMs : 0;
    const about = { name, seats, nodes, soakMs, needsApproval };
    before = Math.max(before, seats);
    if (known?.endedAt !== undefined) {
      forecasts.push({ ...about, state: 'ended' });
      continue;
    }
    const isBegun = known?.startedAt !== undefined;
    const free = isBegun ? Math.max(0, seats - view.members.length - letGo.claimsToCome) : nodes;
    const begins = index === waves.length - 1 ? toMove : Math.min(toMove, free);
    toMove -= begins;
    const start: Instant | undefined = isBegun ? at : nextOpening(pace.calendar, at && afterPause(at, pace));
    const last = start === undefined ? undefined : beginnings.lastOf(begins, start);
    const end =
      begins === 0 && known?.soakedUntil !== undefined && !isHalted
        ? fromTimestamp(known.soakedUntil)
        : last && instant(last + (begins > 0 || (isBegun && letGo.nodes > 0) ? pace.moveMs : 0) + soakMs);
    forecasts.push({
      ...about,
      state: isBegun ? (isHalted ? 'halted' : 'underWay') : 'toCome',
      ...(start === undefined || isBegun ? {} : { earliestStart: start }),
      ...(end === undefined ? {} : { earliestEnd: end }),
    });
    at = end;
  }
  return forecasts;
}

/** Whether no new node of the rollout has to soak. */
function isExpeditedWhole({ rollout, toMove, moving, updated }: RolloutView, seen: RolloutSnapshot): boolean {
  const inUse = new Set([...toMove, ...moving, ...updated].map(({ variant }) => variant));
  const targets = rollout.spec.to.filter(({ variant }) => inUse.has(variant));
  return targets.length > 0 && targets.every((image) => isExpeditedImage(image, seen));
}

/** Nodes of the rollout that were let go and are not leaving yet, and how many of their new nodes are still to come. */
function listLetGo({ rollout, toMove }: RolloutView, { policy, nodes }: RolloutSnapshot) {
  const present = new Set(toMove.map(({ name }) => name));
  const replaced = new Set(nodes.map(({ replaces }) => replaces));
  const letGo = (policy.status?.admitted ?? []).filter(
    (move) => move.rollout === rollout.metadata.name && present.has(move.node),
  );
  return { nodes: letGo.length, claimsToCome: letGo.filter(({ node }) => !replaced.has(node)).length };
}

type ForecastPace = {
  /** Between two nodes that begin. */
  readonly spacingMs: number;
  readonly maxPerHour: number;
  /** When nodes began that count in the sliding hour, in order. */
  readonly begun: readonly Instant[];
  /** From the launch of a new node until it is initialized, the shortest that new nodes have shown. */
  readonly moveMs: number;
  readonly calendar: RolloutCalendar;
  /** When the pause ends that holds all nodes: Infinity where only a person ends it. */
  readonly pausedUntil: number;
};

/** Nothing where no time can be given. */
const afterPause = (at: Instant, { pausedUntil }: ForecastPace): Instant | undefined =>
  pausedUntil === Infinity ? undefined : instant(Math.max(at, pausedUntil));

const alwaysOpen: RolloutCalendar = { windows: [], blackouts: [] };

function paceOf({ view, settings, seen }: RolloutOutlookQuestion): ForecastPace {
  const { maxPerHour, minIntervalMs, maxSurge, order } = settings.pace;
  const moveMs = shortestStart(view.members);
  const pause = findPauseOfNodes(view.toMove, seen);
  const isCalendarIgnored = isRollback(view.rollout) && settings.rollbackWindows === 'Ignore';
  return {
    spacingMs: Math.ceil(
      Math.max(
        minIntervalMs / Math.max(1, seen.objects.length),
        moveMs / (order === 'TerminateFirst' ? 1 : Math.max(1, maxSurge)),
      ),
    ),
    maxPerHour,
    begun: (seen.policy.status?.begun ?? []).map(({ at }) => fromTimestamp(at)).toSorted(byNumber),
    moveMs,
    calendar: isCalendarIgnored ? alwaysOpen : settings,
    pausedUntil: pause === undefined ? 0 : endOfPause(pause),
  };
}

/** Lets nodes begin one after the other, as early as interval, limit in an hour and calendar let them. */
class ForecastBeginnings {
  readonly #pace: ForecastPace;
  readonly #begun: Instant[];
  readonly #open: OpenTimes;

  constructor(pace: ForecastPace) {
    this.#pace = pace;
    this.#begun = [...pace.begun];
    this.#open = new OpenTimes(pace.calendar);
  }

  /** When the last of so many nodes begins, from an instant on. */
  lastOf(nodes: number, from: Instant): Instant | undefined {
    let at: Instant | undefined = from;
    for (let node = 0; node < nodes; node += 1) {
      at = this.#nextFrom(from);
      if (at === undefined) return undefined;
      this.#begun.push(at);
    }
    return at;
  }

  #nextFrom(from: Instant): Instant | undefined {
    const { spacingMs, maxPerHour } = this.#pace;
    const [last, oldest] = [this.#begun.at(-1), this.#begun.at(-maxPerHour)];
    const paced = Math.max(from, (last ?? 0) + spacingMs, oldest === undefined ? 0 : oldest + hours(1));
    const free = afterPause(instant(paced), this.#pace);
    return free && this.#open.nextFrom(free);
  }
}
