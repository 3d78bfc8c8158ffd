import { earliest, type FinishedUpdate, instant, minutes, toTimestamp, type Instant } from '@nodewright/apis';
import { failureWords } from './failure-words.ts';
import type { NodeGroupPlan } from './node-group-plan.ts';
import * as reports from './report.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { blockersFrom, type GroupPhase, withStanding } from './status.ts';
import type { UpdateVerdict } from './verdict.ts';
import { goalOfImage } from './goal.ts';

export type WaitingVerdict = Exclude<UpdateVerdict, { kind: 'go' }>;

/** Nothing is begun: says why, and when to look again. */
export function planWaiting(seen: NodeGroupSnapshot, verdict: WaitingVerdict, now: Instant): NodeGroupPlan {
  const after = withStanding(seen, { update: undefined, ...phaseWhileWaiting(seen, verdict, now) }, now);
  return { after, actions: [], reports: reportsWhileWaiting(seen, verdict), recheckAt: nextLook(seen, verdict, now) };
}

function phaseWhileWaiting(seen: NodeGroupSnapshot, verdict: WaitingVerdict, now: Instant): Omit<GroupPhase, 'update'> {
  const { nodeGroup } = seen;
  switch (verdict.kind) {
    case 'watched':
      return { phase: 'Pending', reason: 'spec.image is not set: the group is watched only' };
    case 'noImage':
      return { phase: 'Pending', reason: verdict.why };
    case 'upToDate':
      return { phase: 'UpToDate', reason: 'every node is on the target', served: true };
    case 'mixed':
      return { phase: 'Outdated', reason: verdict.why };
    case 'heldByRollout':
      return { phase: 'Outdated', reason: verdict.why };
    case 'notAsked': {
      const failed = lastFailure(seen);
      const waits = 'waits until `nodewright nodegroup upgrade` asks for the update';
      return failed === undefined
        ? { phase: 'Outdated', reason: waits }
        : { phase: 'Failed', reason: `${failureWords(failed)}; ${waits}` };
    }
    case 'wouldGoBack': {
      const obstacles = [{ reason: 'ReleaseWithdrawn', message: verdict.why }];
      return { phase: 'Blocked', reason: verdict.why, blockedBy: blockersFrom(nodeGroup, obstacles, now) };
    }
    case 'blocked': {
      const [first] = verdict.obstacles;
      const more = verdict.obstacles.length > 1 ? `, and ${verdict.obstacles.length - 1} more` : '';
      const blockedBy = blockersFrom(nodeGroup, verdict.obstacles, now);
      return { phase: 'Blocked', reason: `${first?.message ?? ''}${more}`, blockedBy };
    }
    case 'later': {
      const [last] = nodeGroup.status?.history ?? [];
      const words = last === undefined ? 'the last update failed' : failureWords(last);
      return { phase: 'Failed', reason: `${words}; next try at ${toTimestamp(verdict.at)}` };
    }
  }
}

/** Of the last update, when it was for what is wanted now. */
function lastFailure({ nodeGroup, wanted }: NodeGroupSnapshot): FinishedUpdate | undefined {
  const [last] = nodeGroup.status?.history ?? [];
  const isForThis = wanted.kind === 'image' && last?.target === goalOfImage(wanted);
  return isForThis && last.outcome === 'Failed' ? last : undefined;
}

function reportsWhileWaiting({ nodeGroup }: NodeGroupSnapshot, verdict: WaitingVerdict): NodeGroupPlan['reports'] {
  if (verdict.kind === 'wouldGoBack') return [reports.wouldGoBack(nodeGroup, verdict.why)];
  if (verdict.kind !== 'blocked') return [];
  return verdict.obstacles.map((obstacle) => reports.updateHeld(nodeGroup, obstacle));
}

const nextLook = ({ wanted }: NodeGroupSnapshot, verdict: WaitingVerdict, now: Instant): Instant =>
  earliest(
    instant(now + minutes(1)),
    wanted.kind === 'unspoken' ? undefined : wanted.validUntil,
    verdict.kind === 'later' ? verdict.at : undefined,
  );
