import { type Pod, byNumberOf } from '@nodewright/apis';
import { podRequests, type InstanceType, type SchedulingProblem } from '@nodewright/engine';
import { requirementsIntersect, requirementsOfLabels } from '@nodewright/requirements';

/** A type at one of its prices. */
type PricedType = {
  readonly price: number;
  /** How much of the price is for which resource, by its number; they sum up to one. */
  readonly weights: number[];
};

/** Pods that ask for the same, and which share of each resource of a type one of them takes. */
type PodGroup = {
  readonly count: number;
  readonly resources: readonly number[];
  readonly offers: readonly { readonly type: PricedType; readonly shares: readonly number[] }[];
};

const rounds = 200;

/**
 * A price in US dollars per hour that no answer for these pods can be below, when there are no nodes yet.
 *
 * It is the linear relaxation of the problem, seen from its dual: the price of each type is divided among its resources,
 * and a pod pays for its share of each. Whatever the division is, a node costs at least what its pods pay, so the sum over
 * all pods, each on the type that is cheapest for it, is a bound. The division is improved step by step, and the best
 * bound counts. Node selectors, required anti-affinity between hosts and the number of pods of a node are part of it;
 * spreads, affinities, daemons and whole nodes are not.
 */
export function lowestPrice(problem: SchedulingProblem, pods: readonly Pod[]): number {
  const groups = groupPods(problem, pods);
  let best = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const { price, paid } = payments(groups);
    best = Math.max(best, price);
    for (const [type, shares] of paid) moveWeights(type, shares, 1 / Math.sqrt(round));
  }
  return best;
}

/** What all pods pay, each on its cheapest type, and for which resources of a type. */
function payments(groups: readonly PodGroup[]) {
  const paid = new Map<PricedType, number[]>();
  let price = 0;
  for (const group of groups) {
    const { offer, least } = cheapestOffer(group);
    if (offer === undefined) continue;
    price += group.count * least;
    const sums = paid.get(offer.type) ?? offer.type.weights.map(() => 0);
    for (const [at, resource] of group.resources.entries())
      sums[resource] = (sums[resource] ?? 0) + group.count * (offer.shares[at] ?? 0);
    paid.set(offer.type, sums);
  }
  return { price, paid };
}

function cheapestOffer({ resources, offers }: PodGroup) {
  let offer: PodGroup['offers'][number] | undefined;
  let least = Infinity;
  for (const each of offers) {
    let cost = 0;
    for (let at = 0; at < resources.length; at += 1)
      cost += (each.type.weights[resources[at] ?? 0] ?? 0) * (each.shares[at] ?? 0);
    cost *= each.type.price;
    if (cost < least) [offer, least] = [each, cost];
  }
  return { offer, least };
}

/** What is asked for more than the rest becomes dearer. */
function moveWeights({ weights }: PricedType, sums: readonly number[], step: number): void {
  const most = Math.max(...sums);
  const moved = weights.map((weight, resource) => weight * Math.exp((step * (sums[resource] ?? 0)) / most));
  const all = moved.reduce((sum, weight) => sum + weight, 0);
  for (const [resource, weight] of moved.entries()) weights[resource] = weight / all;
}

function groupPods(problem: SchedulingProblem, pods: readonly Pod[]): readonly PodGroup[] {
  const alike = new Map<string, { readonly pod: Pod; readonly wanted: Wanted; count: number }>();
  for (const pod of pods) {
    const wanted = wantedBy(pod);
    const text = JSON.stringify([[...wanted], pod.spec.nodeSelector]);
    const known = alike.get(text);
    if (known === undefined) alike.set(text, { pod, wanted, count: 1 });
    else known.count += 1;
  }
  const names = [...new Set([...alike.values()].flatMap(({ wanted }) => [...wanted.keys()]))];
  const types = pricedTypes(problem, names);
  return [...alike.values()].map(({ pod, wanted, count }) => ({
    count,
    resources: [...wanted.keys()].map((name) => names.indexOf(name)),
    offers: types.flatMap((type) => offerFor(pod, wanted, type) ?? []),
  }));
}

type Wanted = ReadonlyMap<string, number>;

/** Requests above zero, one pod, and a host of its own where it keeps away from its like. */
function wantedBy(pod: Pod): Wanted {
  const wanted = new Map(Object.entries(podRequests(pod)).filter(([, amount]) => amount > 0));
  wanted.set('pods', 1);
  const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  for (const { topologyKey, labelSelector, namespaces, namespaceSelector } of terms) {
    const labels = Object.entries(labelSelector?.matchLabels ?? {});
    const others = [labelSelector?.matchExpressions, namespaces, namespaceSelector];
    const isPlain = labels.length > 0 && others.every((each) => each === undefined);
    const isOwn = labels.every(([key, value]) => pod.metadata.labels?.[key] === value);
    if (topologyKey === 'kubernetes.io/hostname' && isPlain && isOwn)
      wanted.set(`${pod.metadata.namespace ?? 'default'} ${JSON.stringify(labels)}`, 1);
  }
  return wanted;
}

type OfferedType = {
  readonly instanceType: InstanceType;
  /** Cheapest first. */
  readonly prices: readonly { readonly type: PricedType; readonly offering: InstanceType['offerings'][number] }[];
};

function pricedTypes({ nodePools }: SchedulingProblem, names: readonly string[]): readonly OfferedType[] {
  const instanceTypes = new Set(nodePools.flatMap((supply) => supply.instanceTypes));
  return [...instanceTypes].map((instanceType) => {
    const able = names.filter((name) => amountOf(instanceType, name) > 0).length;
    const weights = names.map((name) => (amountOf(instanceType, name) > 0 ? 1 / able : 0));
    const prices = instanceType.offerings
      .filter(({ available }) => available)
      .toSorted(byNumberOf(({ priceMicroUsdPerHour }) => priceMicroUsdPerHour))
      .map((offering) => ({ offering, type: { price: offering.priceMicroUsdPerHour / 1e6, weights: [...weights] } }));
    return { instanceType, prices };
  });
}

/** A node is one host for each kind of pods that keep away from each other. */
const amountOf = ({ allocatable }: InstanceType, name: string): number =>
  name.includes(' ') ? 1 : (allocatable[name] ?? 0);

/** The type at the least price that the pod can have it for. */
function offerFor(pod: Pod, wanted: Wanted, { instanceType, prices }: OfferedType) {
  const selector = requirementsOfLabels(pod.spec.nodeSelector);
  const amounts = [...wanted].map(([name, amount]) => [amount, amountOf(instanceType, name)] as const);
  if (!requirementsIntersect(selector, instanceType.requirements)) return undefined;
  if (amounts.some(([amount, all]) => amount > all)) return undefined;
  const found = prices.find(({ offering }) => requirementsIntersect(selector, offering.requirements));
  return found && { type: found.type, shares: amounts.map(([amount, all]) => amount / all) };
}
