import { earliest, type Instant } from '@nodewright/apis';
import type { Obstacle } from '../reasons/obstacles.ts';
import { fixOf } from './printed-reasons.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import type { TypeFunnel } from '../reasons/type-elimination.ts';

/** Equal for reasons that differ only in numbers and times. */
export const signatureOf = (reasons: readonly UnschedulableReason[]): string =>
  JSON.stringify(reasons.map((reason) => [reason.kind, 'nodePool' in reason ? reason.nodePool : '', detailOf(reason)]));

function detailOf(reason: UnschedulableReason): string {
  switch (reason.kind) {
    case 'noInstanceTypes':
      return lastOf(reason.funnel);
    case 'futileLaunch':
      return `${reason.launch.node} ${reason.launch.attempts}`;
    case 'refused':
      return `${reason.obstacle.kind} ${partOf(reason.obstacle)}`;
    default:
      return '';
  }
}

function partOf(obstacle: Obstacle): string {
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
      return lastOf(obstacle.funnel);
    case 'minValues':
      return obstacle.short.map(({ key }) => key).join();
    case 'limits':
      return obstacle.exceeded.map(({ resource }) => resource).join();
    case 'nothing':
      return '';
  }
}

const lastOf = ({ steps }: TypeFunnel): string => steps.at(-1)?.constraint ?? '';

/** When the first of the reasons passes by itself; `undefined` where no end is known. */
export const endOfReasons = (reasons: readonly UnschedulableReason[]): Instant | undefined =>
  earliest(...reasons.flatMap(endOf));

function endOf(reason: UnschedulableReason): readonly Instant[] {
  if (reason.kind === 'futileLaunch') return reason.launch.until === undefined ? [] : [reason.launch.until];
  if (reason.kind === 'noInstanceTypes') return untilOf(reason.funnel.steps.at(-1)?.fix);
  return reason.kind === 'refused' ? untilOf(fixOf(reason.obstacle)) : [];
}

const untilOf = (fix: ReturnType<typeof fixOf>): readonly Instant[] => (fix?.kind === 'wait' ? [fix.until] : []);
