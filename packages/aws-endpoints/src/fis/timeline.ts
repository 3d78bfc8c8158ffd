import { instant, type Instant, readOwn, byNumberOf } from '@nodewright/apis';
import { type ActionEffect, planAction } from './action-kinds.ts';
import type { ExperimentPlan, ExperimentAction } from './template.ts';

export type ActionTimes = { readonly startsAt: Instant; readonly endsAt: Instant };

export type TimedEffect = {
  readonly at: Instant;
  readonly kind: ActionEffect['kind'];
  readonly instanceIds: readonly string[];
};

/** When each action runs: at the start, or when the actions that it starts after have ended. */
export function scheduleActions(
  { actions }: Pick<ExperimentPlan, 'actions'>,
  start: Instant,
): Readonly<Record<string, ActionTimes>> {
  const known = new Map<string, ActionTimes>();
  const timesOf = (name: string): ActionTimes => {
    const action = readOwn(actions, name) ?? {};
    const before = (action.startAfter ?? []).map((each) => (known.get(each) ?? timesOf(each)).endsAt);
    const startsAt = instant(Math.max(start, ...before));
    const times = { startsAt, endsAt: instant(startsAt + planAction(action).lastsMs) };
    known.set(name, times);
    return times;
  };
  return Object.fromEntries(Object.keys(actions).map((name) => [name, timesOf(name)]));
}

/** Whether actions wait for each other in a circle. */
export function hasCircle(actions: Readonly<Record<string, ExperimentAction>>): boolean {
  const done = new Set<string>();
  const leads = (name: string, path: readonly string[]): boolean => {
    if (path.includes(name)) return true;
    if (done.has(name)) return false;
    const found = (readOwn(actions, name)?.startAfter ?? []).some((each) => leads(each, [...path, name]));
    done.add(name);
    return found;
  };
  return Object.keys(actions).some((name) => leads(name, []));
}

/** The effects of all actions in their order. */
export function listEffects(
  { actions }: Pick<ExperimentPlan, 'actions'>,
  times: Readonly<Record<string, ActionTimes>>,
  resolved: Readonly<Record<string, readonly string[]>>,
): readonly TimedEffect[] {
  return Object.entries(actions)
    .flatMap(([name, action]) => {
      const startsAt = readOwn(times, name)?.startsAt ?? instant(0);
      const instanceIds = Object.values(action.targets ?? {}).flatMap((target) => readOwn(resolved, target) ?? []);
      return planAction(action).effects.map(({ afterMs, kind }) => ({
        at: instant(startsAt + afterMs),
        kind,
        instanceIds,
      }));
    })
    .toSorted(byNumberOf(({ at }) => at));
}
