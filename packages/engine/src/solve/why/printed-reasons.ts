import { type Taint, toTimestamp, byNumberOf, inReverse } from '@nodewright/apis';
import { printRequirement, type Incompatibility } from '@nodewright/requirements';
import { printedPodFix, type Fix } from '../reasons/fix.ts';
import { limitsToRaise, printedLimits } from './limits-obstacle.ts';
import type { FutileLaunch } from '../futile-launch.ts';
import type { PlacementObstacle } from '../reasons/obstacles.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import { fixOfTopology, printedTopology } from './topology-obstacle.ts';
import {
  fixOfElimination,
  offersCriterion,
  printedElimination,
  type TypeCriterion,
  type TypeElimination,
} from '../reasons/type-elimination.ts';

/** The reason as one sentence without a full stop. */
export const printedReason = (reason: UnschedulableReason): string => printedReasons([reason]).join('; ');

/** All reasons in one paragraph, for events, logs and files. */
export const printedTogether = (reasons: readonly UnschedulableReason[]): string => printedReasons(reasons).join('. ');

/** The most lines before the rest is summed up. */
const mostLines = 20;

/**
 * Why a pod has no place: one line for each different obstacle, with the NodePools that have it,
 * and at most one screen. Pools that the pod came nearest to are first.
 */
export function printedReasons(reasons: readonly UnschedulableReason[]): readonly string[] {
  const poolsOf = new Map<string, string[]>();
  for (const reason of reasons.toSorted(inReverse(byNumberOf(nearness)))) {
    const text = withoutPool(reason);
    poolsOf.set(text, [...(poolsOf.get(text) ?? []), ...('nodePool' in reason ? [reason.nodePool] : [])]);
  }
  const lines = [...poolsOf].map(([text, pools]) => ({
    text: pools.length === 0 ? text : `${printedPools(pools)}: ${text}`,
    pools: pools.length,
  }));
  if (lines.length <= mostLines) return lines.map(({ text }) => text);
  const others = lines.slice(mostLines).reduce((sum, { pools }) => sum + pools, 0);
  return [...lines.slice(0, mostLines).map(({ text }) => text), `and ${others} more NodePools with other reasons`];
}

const mostPools = 3;

const printedPools = (pools: readonly string[]): string =>
  pools.length === 1
    ? `NodePool ${pools[0]}`
    : `NodePools ${pools.slice(0, mostPools).join(', ')}${pools.length > mostPools ? ` and ${pools.length - mostPools} more` : ''}`;

/** How many checks of a new node the pod passed. */
function nearness(reason: UnschedulableReason): number {
  switch (reason.kind) {
    case 'noNodePool':
    case 'resourceClaims':
    case 'noAlternative':
      return 0;
    case 'passedOver':
      return 1;
    case 'noInstanceTypes':
      if (reason.suits === true) return 4 + stages.indexOf('instanceTypes');
      return fixOfElimination(reason.elimination)?.kind === 'wait' ? 3 : 2;
    case 'futileLaunch':
      return 4 + stages.length + 1;
    case 'refused':
      return 4 + obstacleStage(reason.obstacle);
  }
}

/** How far a pod came with a NodePool that refused it: a greater number is further. */
export const obstacleStage = (obstacle: PlacementObstacle): number =>
  obstacle.kind === 'taint' && obstacle.alone ? stages.length : stages.indexOf(obstacle.kind);

const stages: readonly PlacementObstacle['kind'][] = [
  'contradiction',
  'taint',
  'requirements',
  'volume',
  'topology',
  'instanceTypes',
  'minValues',
  'limits',
  'nothing',
];

function withoutPool(reason: UnschedulableReason): string {
  switch (reason.kind) {
    case 'noNodePool':
      return 'there is no NodePool to launch from';
    case 'resourceClaims':
      return 'the pod asks for devices by resourceClaims, which are not provisioned for; fix: ask for extended resources such as nvidia.com/gpu instead';
    case 'noAlternative':
      return 'no term of its required node affinity can be met: an empty one matches no node, and matchFields are not provisioned for; fix: use matchExpressions';
    case 'passedOver':
      return `launches nothing now: ${reason.why}`;
    case 'futileLaunch':
      return printedFutileLaunch(reason.launch);
    case 'noInstanceTypes':
      return reason.elimination.types === 0
        ? 'its NodeClass has no instance types'
        : `no instance type ${ownLack(reason.elimination)}: ${printedElimination(reason.elimination)}`;
    case 'refused':
      return `${printedObstacle(reason.obstacle)}${reason.terms === undefined ? '' : ` (the nearest of the ${reason.terms} terms of its node affinity)`}`;
  }
}

function printedFutileLaunch({ node, why, attempts, until }: FutileLaunch): string {
  const pause = until === undefined ? 'while one more is tried' : `before ${toTimestamp(until)}`;
  const count = attempts === 1 ? '' : ` (attempt ${attempts})`;
  return `launches no more nodes for such pods ${pause}: ${node} was launched for them and is ready, and they do not bind to it${count}: ${why}`;
}

const ownLack = ({ steps }: TypeElimination): string =>
  steps.at(-1)?.constraint === offersCriterion
    ? 'of the NodePool can be bought now'
    : 'of its NodeClass meets the requirements of the NodePool';

/** The obstacle as one clause, and what would help. */
export function printedObstacle(obstacle: PlacementObstacle): string {
  if (obstacle.kind === 'instanceTypes') return clauseOf(obstacle);
  const fix = fixOf(obstacle);
  const advice = fix === undefined ? undefined : printedPodFix(fix);
  return advice === undefined ? clauseOf(obstacle) : `${clauseOf(obstacle)}; fix: ${advice}`;
}

function clauseOf(obstacle: PlacementObstacle): string {
  switch (obstacle.kind) {
    case 'taint':
      return `the pod does not tolerate taint ${printedTaint(obstacle.taint)}${obstacle.alone ? ', which alone keeps it away' : ''}`;
    case 'requirements':
      return `the pod asks ${printedLabelConflict(obstacle.why)}`;
    case 'contradiction':
      return `what the pod asks of label ${obstacle.key} excludes itself`;
    case 'volume':
      return `a volume of the pod asks ${printedLabelConflict(obstacle.why)}`;
    case 'topology':
      return printedTopology(obstacle);
    case 'instanceTypes':
      return `no instance type ${lackOf(obstacle.unmet)}: ${printedElimination(obstacle.elimination)}`;
    case 'minValues':
      return `minValues not met: ${obstacle.short.map(({ key, wanted, found }) => `${key} has ${found} of ${wanted}`).join(', ')}`;
    case 'limits':
      return printedLimits(obstacle);
    case 'nothing':
      return 'nothing any more; the next round tries again';
  }
}

const printedTaint = ({ key, value = '', effect }: Taint): string =>
  `${key}${value === '' ? '' : `=${value}`}:${effect}`;

function printedLabelConflict(why: Incompatibility): string {
  if (why.kind === 'conflict')
    return `${printRequirement(why.incoming)}, the NodePool has ${printRequirement(why.base)}`;
  const hint = why.didYouMean === undefined ? '' : ` (did you mean "${why.didYouMean}"?)`;
  return `for the label "${why.key}", which no node of the NodePool carries${hint}`;
}

const lackOf = (unmet: readonly TypeCriterion[]): string =>
  unmet.length > 2 ? 'is left' : `meets ${unmet.map((criterion) => criterionNames[criterion]).join(' together with ')}`;

const criterionNames = {
  requirements: 'the requirements',
  resources: 'the resource requests',
  offering: 'the need for an available offering',
} as const;

/** The smallest change that would let the pod pass one more check; `undefined` where none is known. */
export function fixOf(obstacle: PlacementObstacle): Fix | undefined {
  switch (obstacle.kind) {
    case 'taint':
      return { kind: 'tolerate', taint: obstacle.taint };
    case 'requirements':
      return obstacle.why.kind === 'conflict'
        ? { kind: 'label', of: 'pod', key: obstacle.why.key }
        : { kind: 'labelNodes', key: obstacle.why.key };
    case 'contradiction':
      return { kind: 'oneWish', key: obstacle.key };
    case 'volume':
      return { kind: 'label', of: 'NodePool', key: obstacle.why.key };
    case 'topology':
      return fixOfTopology(obstacle);
    case 'instanceTypes':
      return fixOfElimination(obstacle.elimination);
    case 'minValues':
      return minValuesFix(obstacle.short);
    case 'limits':
      return { kind: 'limits', atLeast: limitsToRaise(obstacle) };
    case 'nothing':
      return undefined;
  }
}

const minValuesFix = ([first]: Extract<PlacementObstacle, { kind: 'minValues' }>['short']): Fix | undefined =>
  first === undefined ? undefined : { kind: 'minValues', key: first.key, most: first.found };
