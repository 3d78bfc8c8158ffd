import { type AdmittedNode, hours, instant, type Instant, latest, byNumber } from '@nodewright/apis';
import type { PaceSettings } from '../settings.ts';
import type { MoveBlocker } from './gate.ts';

/** When a replacement was begun, and in which object. */
export type Beginning = { readonly at: Instant; readonly object: string };

export type PaceState = {
  readonly beginnings: readonly Beginning[];
  readonly admitted: readonly AdmittedNode[];
  /** Whether a new node has failed in the rollout. */
  readonly hasFailure: boolean;
};

/** What one more replacement of so many claims, in an object, would be too much for. */
export function paceBlockers(
  { object, claims, isWhole }: { readonly object: string; readonly claims: number; readonly isWhole: boolean },
  { beginnings, admitted, hasFailure }: PaceState,
  pace: PaceSettings,
  now: Instant,
): readonly MoveBlocker[] {
  const blockers: MoveBlocker[] = [];
  const recent = beginnings.filter(({ at }) => now - at < hours(1));
  if (recent.length >= pace.maxPerHour) {
    const oldest =
      recent
        .map(({ at }) => at)
        .toSorted(byNumber)
        .at(-pace.maxPerHour) ?? now;
    const message = `${recent.length} replacements were begun in the last hour, pace.maxPerHour is ${pace.maxPerHour}`;
    blockers.push({ gate: 'pace', message, until: instant(oldest + hours(1)) });
  }
  const last = latest(...beginnings.filter((each) => each.object === object).map(({ at }) => at));
  if (last !== undefined && now - last < pace.minIntervalMs)
    blockers.push({
      gate: 'pace',
      message: `a node of ${object} was begun less than pace.minInterval ago`,
      until: instant(last + pace.minIntervalMs),
    });
  if (pace.order === 'TerminateFirst') return [...blockers, ...oneByOne(admitted, hasFailure)];
  const surge = admitted.reduce((sum, each) => sum + each.claims, 0);
  if (!isWhole && claims > 0 && surge + claims > pace.maxSurge)
    blockers.push({
      gate: 'surge',
      message: `${surge} additional nodes are there or on their way, pace.maxSurge is ${pace.maxSurge}`,
    });
  return blockers;
}

/** Without room for a replacement nodes go one at a time, and none after a failure. */
function oneByOne(admitted: readonly AdmittedNode[], hasFailure: boolean): readonly MoveBlocker[] {
  const [first] = admitted;
  return [
    ...(first === undefined
      ? []
      : [{ gate: 'surge' as const, message: `node ${first.node} goes first: pace.order is TerminateFirst` }]),
    ...(hasFailure
      ? [
          {
            gate: 'failure' as const,
            message: 'a new node has failed: pace.order TerminateFirst stops after a failure',
          },
        ]
      : []),
  ];
}
