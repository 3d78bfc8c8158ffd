import type { TypeCriterion } from './type-funnel.ts';
import type { Taint } from '@nodewright/apis';
import type { Incompatibility } from '../requirements/compatibility.ts';
import type { MinValuesShortfall } from '../requirements/min-values.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { printedIncompatibility, printedSet } from '../requirements/written-form.ts';
import type { HostPort } from './host-ports.ts';
import type { Resources } from './instance-type.ts';
import { toResourceList } from './resources.ts';
import { printedFunnel } from './type-funnel.ts';
import type { TypeFunnel } from './type-funnel.ts';

/** One thing that keeps a pod off a node. */
export type Obstacle =
  | { readonly kind: 'taint'; readonly taint: Taint }
  | { readonly kind: 'requirements'; readonly why: Incompatibility }
  /** What the pod asks of the label cannot be met by any node. */
  | { readonly kind: 'contradiction'; readonly key: string }
  | { readonly kind: 'volume'; readonly why: Incompatibility }
  | { readonly kind: 'hostPort'; readonly port: HostPort }
  | { readonly kind: 'resources'; readonly requests: Resources }
  | { readonly kind: 'topology'; readonly rule: 'spread' | 'affinity' | 'antiAffinity'; readonly key: string }
  /** No instance type is left. `unmet`: criteria no type meets together, one of them where that alone suffices. */
  | {
      readonly kind: 'instanceTypes';
      readonly unmet: readonly TypeCriterion[];
      readonly funnel: TypeFunnel;
      readonly requirements: Requirements;
      readonly requests: Resources;
    }
  | { readonly kind: 'minValues'; readonly short: readonly MinValuesShortfall[] }
  /** The pool's `spec.limits` leave no room for another node; `resource` is the first that is used up. */
  | { readonly kind: 'limits'; readonly resource: string };

/** Why a pod has no place: per NodePool, or without one when there is nothing to launch from. */
export type UnschedulableReason =
  | { readonly kind: 'noNodePool' }
  /** It asks for devices by ResourceClaims, which no round can promise. */
  | { readonly kind: 'resourceClaims' }
  /** None of the alternatives of its required node affinity says by labels which nodes would do. */
  | { readonly kind: 'noAlternative' }
  /** No instance type of the pool meets the pool's own requirements. */
  | { readonly kind: 'noInstanceTypes'; readonly nodePool: string; readonly requirements: Requirements }
  /** Instance types of the pool meet its requirements, so many, but none can be bought now. */
  | { readonly kind: 'noneForSale'; readonly nodePool: string; readonly types: number; readonly why: string }
  | { readonly kind: 'refused'; readonly nodePool: string; readonly obstacle: Obstacle };

/** The reason as one sentence without a full stop. */
export const printedReason = (reason: UnschedulableReason): string => printedReasons([reason]).join('; ');

/** More lines than this are summed up. */
const mostLines = 20;

/**
 * All that stands against a pod, a line for each different obstacle with the NodePools that have it:
 * never more than a screen, however many pools there are.
 */
export function printedReasons(reasons: readonly UnschedulableReason[]): readonly string[] {
  const poolsOf = new Map<string, string[]>();
  for (const reason of reasons) {
    const text = withoutPool(reason);
    poolsOf.set(text, [...(poolsOf.get(text) ?? []), ...('nodePool' in reason ? [reason.nodePool] : [])]);
  }
  const lines = [...poolsOf].map(([text, pools]) => (pools.length === 0 ? text : `${printedPools(pools)}: ${text}`));
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), `and ${lines.length - mostLines} more NodePools with other reasons`];
}

const mostPools = 3;

const printedPools = (pools: readonly string[]): string =>
  pools.length === 1
    ? `NodePool ${pools[0]}`
    : `NodePools ${pools.slice(0, mostPools).join(', ')}${pools.length > mostPools ? ` and ${pools.length - mostPools} more` : ''}`;

function withoutPool(reason: UnschedulableReason): string {
  switch (reason.kind) {
    case 'noNodePool':
      return 'there is no NodePool to launch from';
    case 'resourceClaims':
      return 'the pod asks for devices by resourceClaims, which are not provisioned for; ask for extended resources such as nvidia.com/gpu instead';
    case 'noAlternative':
      return 'no term of its required node affinity can be met: an empty one matches no node, and matchFields are not provisioned for; use matchExpressions';
    case 'noInstanceTypes':
      return `no instance type in the zones of its NodeClass meets spec.template.spec.requirements of the pool, with its labels: ${printedSet(reason.requirements)}; widen them`;
    case 'noneForSale':
      return `${reason.types} ${reason.types === 1 ? 'type meets' : 'types meet'} the requirements of the pool, 0 with an offering that can be bought now: ${reason.why}`;
    case 'refused':
      return printedObstacle(reason.obstacle);
  }
}

/** The obstacle as one clause. */
export function printedObstacle(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'taint':
      return `the pod does not tolerate taint ${obstacle.taint.key}=${obstacle.taint.value ?? ''}:${obstacle.taint.effect}`;
    case 'requirements':
      return printedIncompatibility(obstacle.why);
    case 'contradiction':
      return `what the pod asks of label ${obstacle.key} excludes itself`;
    case 'volume':
      return `a volume of the pod is elsewhere: ${printedIncompatibility(obstacle.why)}`;
    case 'hostPort':
      return `host port ${obstacle.port.ip}:${obstacle.port.port}/${obstacle.port.protocol} is taken`;
    case 'resources':
      return `not enough room for ${printedResources(obstacle.requests)}`;
    case 'topology':
      return `no value of ${obstacle.key} satisfies the pod's ${ruleNames[obstacle.rule]}`;
    case 'instanceTypes':
      return `no instance type meets ${obstacle.unmet.map((criterion) => criterionNames[criterion]).join(' together with ')}; requirements: ${printedSet(obstacle.requirements)}; requests: ${printedResources(obstacle.requests)}; ${printedFunnel(obstacle.funnel)}`;
    case 'minValues':
      return `minValues not met: ${obstacle.short.map(({ key, wanted, found }) => `${key} has ${found} of ${wanted}`).join(', ')}`;
    case 'limits':
      return `its limit on ${obstacle.resource} leaves no room for another node`;
  }
}

const ruleNames = { spread: 'topology spread', affinity: 'pod affinity', antiAffinity: 'pod anti-affinity' } as const;

const criterionNames = {
  requirements: 'the requirements',
  resources: 'the resource requests',
  offering: 'the need for an available offering',
} as const;

const printedResources = (resources: Resources): string =>
  Object.entries(toResourceList(resources))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(' ');
