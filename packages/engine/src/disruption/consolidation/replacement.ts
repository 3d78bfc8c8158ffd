import { karpenterLabels, byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import { boughtLabelsOf } from '../../cluster/node-state.ts';
import {
  requirementFor,
  countMinValues,
  allowsValue,
  requireOneOf,
  requirementsOfLabels,
  type Requirements,
} from '@nodewright/requirements';
import type { CapacityType } from '../../instance-types/instance-type.ts';
import type { NewNode } from '../../solve/problem.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { listPrice, worstLaunchPrice } from './launch-price.ts';
import { moveNodePrice } from '../moves/move.ts';
import { fewestSpotTypes, type ConsolidationRefusal, type PricedTypeName } from '../moves/refusal.ts';

export type CheaperReplacement =
  | { readonly kind: 'cheaper'; readonly newNode: NewNode }
  | { readonly kind: 'refused'; readonly refusal: ConsolidationRefusal };

const refusedReplacement = (refusal: ConsolidationRefusal): CheaperReplacement => ({ kind: 'refused', refusal });

/**
 * A planned node as it may take over from the candidates: only as types that cost less than they do, wherever the
 * launch will buy them.
 * @param spotToSpot whether spot nodes may be replaced by spot nodes: the gate `SpotToSpotConsolidation`
 */
export function cheaperReplacement(
  newNode: NewNode,
  candidates: readonly DisruptionCandidate[],
  { spotToSpot }: { readonly spotToSpot: boolean },
): CheaperReplacement {
  const isSpotOnly = candidates.every(({ capacityType }) => capacityType === 'spot');
  if (isSpotOnly && mayBe('spot', newNode.requirements)) return spotReplacement(newNode, candidates, spotToSpot);
  const cheaper = cheaperThan(moveNodePrice(candidates), newNode);
  return cheaper.kind === 'refused' ? cheaper : keepMinValues(boughtOneWay(cheaper.newNode));
}

const mayBe = (capacityType: CapacityType, requirements: Requirements): boolean =>
  allowsValue(requirementFor(requirements, karpenterLabels.capacityType), capacityType);

/** Spot capacity is taken away more often the more alike it is, so one node alone moves only with much to choose from. */
function spotReplacement(
  newNode: NewNode,
  candidates: readonly DisruptionCandidate[],
  spotToSpot: boolean,
): CheaperReplacement {
  const price = moveNodePrice(candidates);
  const spot = boughtAsCapacityType('spot', newNode);
  const cheaper = cheaperThan(price, spot);
  if (cheaper.kind === 'refused') return cheaper;
  if (!spotToSpot) return refusedReplacement({ kind: 'spotToSpotOff', price, ...cheapestPriceOf(cheaper.newNode) });
  if (candidates.length > 1) return cheaper;
  const { instanceTypes, requirements } = cheaper.newNode;
  if (instanceTypes.length < fewestSpotTypes)
    return refusedReplacement({ kind: 'fewSpotTypes', price, found: instanceTypes.length });
  // More would let the launch come back with a type that is not among the cheapest, and so with the next replacement.
  const most = Math.max(fewestSpotTypes, countMinValues(requirements, instanceTypes).needed);
  return { kind: 'cheaper', newNode: { ...cheaper.newNode, instanceTypes: instanceTypes.slice(0, most) } };
}

/** The node with the types that certainly cost less. */
function cheaperThan(price: number, newNode: NewNode): CheaperReplacement {
  const instanceTypes = newNode.instanceTypes.filter((type) => worstLaunchPrice(type, newNode.requirements) < price);
  if (instanceTypes.length === 0) return refusedReplacement({ kind: 'notCheaper', price, ...cheapestPriceOf(newNode) });
  return keepMinValues({ ...newNode, instanceTypes });
}

function keepMinValues(newNode: NewNode): CheaperReplacement {
  const { short } = countMinValues(newNode.requirements, newNode.instanceTypes);
  return short.length > 0 ? refusedReplacement({ kind: 'minValues', short }) : { kind: 'cheaper', newNode };
}

/** Restricts a launch to one capacity type. A launch without spot capacity must fail instead of costing more than the old node. */
function boughtOneWay(newNode: NewNode): NewNode {
  if (!mayBe('spot', newNode.requirements) || !mayBe('on-demand', newNode.requirements)) return newNode;
  const spot = boughtAsCapacityType('spot', newNode);
  return spot.instanceTypes.length > 0 ? spot : boughtAsCapacityType('on-demand', newNode);
}

function boughtAsCapacityType(capacityType: CapacityType, newNode: NewNode): NewNode {
  const { minValues } = requirementFor(newNode.requirements, karpenterLabels.capacityType);
  const only = requireOneOf(karpenterLabels.capacityType, [capacityType]);
  const requirements = new Map(newNode.requirements);
  requirements.set(only.key, minValues === undefined ? only : { ...only, minValues });
  return {
    ...newNode,
    requirements,
    instanceTypes: newNode.instanceTypes.filter((type) => worstLaunchPrice(type, requirements) < Infinity),
  };
}

/** The type with the lowest worst price. */
function cheapestPriceOf({ instanceTypes, requirements }: NewNode): { readonly cheapest?: PricedTypeName } {
  const priced = instanceTypes.map((type) => ({ name: type.name, price: worstLaunchPrice(type, requirements) }));
  const [cheapest] = priced.toSorted(
    inOrder(
      byNumberOf(({ price }) => price),
      byTextOf(({ name }) => name),
    ),
  );
  return cheapest === undefined || cheapest.price === Infinity ? {} : { cheapest };
}

/**
 * The replacement of several nodes, without types that would do no better than to keep one of the candidates: where
 * it could be of a candidate's type, it has to cost less than such a node does.
 */
export function unlikeCandidates(newNode: NewNode, candidates: readonly DisruptionCandidate[]): CheaperReplacement {
  const offered = new Set(newNode.instanceTypes.map(({ name }) => name));
  const prices = candidates
    .filter(({ instanceType }) => instanceType !== undefined && offered.has(instanceType.name))
    .map(({ instanceType, state }) =>
      instanceType === undefined ? Infinity : listPrice(instanceType, requirementsOfLabels(boughtLabelsOf(state))),
    );
  const most = Math.min(...prices);
  const instanceTypes = newNode.instanceTypes.filter((type) => worstLaunchPrice(type, newNode.requirements) < most);
  return instanceTypes.length === 0
    ? refusedReplacement({ kind: 'sameType', price: most })
    : keepMinValues({ ...newNode, instanceTypes });
}
