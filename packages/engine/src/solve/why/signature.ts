import { earliest, type Instant } from '@nodewright/apis';
import type { PlacementObstacle } from '../reasons/obstacles.ts';
import { fixOf } from './printed-reasons.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import type { TypeElimination } from '../reasons/type-elimination.ts';

/** Equal for reasons that differ only in numbers and times. */
export const signatureOf = (reasons: readonly UnschedulableReason[]): string =>
  JSON.stringify(
    reasons.map((reason) => [reason.kind, 'nodePool' in reason ? reason.nodePool : '', reasonDetail(reason)]),
  );

function reasonDetail(reason: UnschedulableReason): string {
  switch (reason.kind) {
    case 'noInstanceTypes':
      return lastOf(reason.elimination);
    case 'futileLaunch':
      return `${reason.launch.node} ${reason.launch.attempts}`;
    case 'refused':
      return `${reason.obstacle.kind} ${obstacleDetail(reason.obstacle)}`;
    default:
      return '';
  }
}

function obstacleDetail(obstacle: PlacementObstacle): string {
  switch (obstacle.kind) {
    case 'taint':
      return obstacle.taint.key;
    case 'requirements':
    case 'volume':
      return obstacle.why.key;
    case 'contradiction':
      return obstacle.key;
    case 'topology':
      return `${obstacle.rule} ${obstacle.key}`;
    case 'instanceTypes':
      return lastOf(obstacle.elimination);
    case 'minValues':
      return obstacle.short.map(({ key }) => key).join();
    case 'limits':
      return obstacle.exceeded.map(({ resource }) => resource).join();
    case 'nothing':
      return '';
  }
}

const lastOf = ({ steps }: TypeElimination): string => steps.at(-1)?.constraint ?? '';

/** When the first of the reasons passes by itself; `undefined` where no end is known. */
export const endOfReasons = (reasons: readonly UnschedulableReason[]): Instant | undefined =>
  earliest(...reasons.flatMap(endOfReason));

function endOfReason(reason: UnschedulableReason): readonly Instant[] {
  if (reason.kind === 'futileLaunch') return reason.launch.until === undefined ? [] : [reason.launch.until];
  if (reason.kind === 'noInstanceTypes') return endOfObstacle(reason.elimination.steps.at(-1)?.fix);
  return reason.kind === 'refused' ? endOfObstacle(fixOf(reason.obstacle)) : [];
}

const endOfObstacle = (fix: ReturnType<typeof fixOf>): readonly Instant[] => (fix?.kind === 'wait' ? [fix.until] : []);
