import { kubernetesLabels } from '@nodewright/apis';
import {
  isCompatible,
  intersectSets,
  requirementFor,
  allowsValue,
  requireOneOf,
  requirementSet,
  type Requirements,
} from '@nodewright/requirements';
import { allowedDomains, startingDomains, questionOf, spreadChoices } from './allowed-domains.ts';
import type { TopologyCandidate } from './node-filter.ts';
import type { TopologyStake } from './topology.ts';
import type { TopologyGroup } from './topology-group.ts';
import type { UncountedPods } from './uncounted-pods.ts';

/** Where all groups together let a pod go, or the first that leaves nothing. */
export type TopologyAnswer = { readonly kind: 'allowed'; readonly requirements: Requirements } | TopologyRefusal;

/** The first group that leaves nothing, and what those before it have left. */
export type TopologyRefusal = {
  readonly kind: 'refused';
  readonly stake: TopologyStake;
  readonly requirements: Requirements;
  readonly forGood: boolean;
};

/**
 * Narrows a candidate to where all groups let a pod go. Groups that exclude come first, those that
 * pick one of several domains last, so that they pick among what the others leave.
 * @param candidate its requirements already hold the pod's own
 * @returns `forGood`: no later placement can change the refusal for this candidate
 */
export function placeInTopology(
  pod: { readonly stakes: readonly TopologyStake[] },
  candidate: TopologyCandidate,
): TopologyAnswer {
  let narrowed = candidate.requirements;
  for (const stake of pod.stakes) {
    const { group } = stake;
    if (keepsNobodyAwayFrom(candidate, narrowed, group)) continue;
    const nodeDomains = narrowed.get(group.spec.key) ?? group.anywhere;
    const allowed = allowedDomains(group, questionOf(stake, nodeDomains, candidate.uncounted?.of(group) ?? 0));
    if (allowed === 'none') return { kind: 'refused', stake, requirements: narrowed, forGood: isLastingRefusal(group) };
    if (allowed === 'any') continue;
    const asked = requirementSet([allowed]);
    // A group that narrowed first may choose otherwise later.
    if (!isCompatible(narrowed, asked, candidate.mayBeUndefined))
      return { kind: 'refused', stake, requirements: narrowed, forGood: false };
    narrowed = intersectSets(narrowed, asked);
  }
  return { kind: 'allowed', requirements: narrowed };
}

/** A node without the label is in no domain, so no pod is beside a pod on it. */
const keepsNobodyAwayFrom = (
  { mayBeUndefined }: TopologyCandidate,
  is: Requirements,
  { spec, counts }: TopologyGroup,
) => spec.rule === 'antiAffinity' && !is.has(spec.key) && (!mayBeUndefined.has(spec.key) || counts.size === 0);

/** More joint choices than this are not looked at for one node. */
const mostChoices = 64;

/**
 * Every way to satisfy all groups at once on a candidate whose domains are still open, the best of
 * the first group first. Two spreads that choose on their own may miss a choice that suits both, and
 * an affinity may want to begin where no instance type is left.
 */
export function* placesInTopology(
  pod: { readonly stakes: readonly TopologyStake[] },
  candidate: TopologyCandidate,
): Generator<Requirements> {
  if (!hasChoice(pod.stakes, candidate.requirements)) return;
  let choices = 0;
  for (const requirements of narrowedBy(pod.stakes, candidate, candidate.requirements)) {
    yield requirements;
    choices += 1;
    if (choices === mostChoices) return;
  }
}

/** Whether some group could put the candidate into one domain or another. */
const hasChoice = (stakes: readonly TopologyStake[], requirements: Requirements): boolean =>
  stakes.some(({ group }) => {
    if (group.spec.rule === 'antiAffinity') return false;
    const domains = requirements.get(group.spec.key);
    return domains === undefined || domains.complement || domains.values.size > 1;
  });

function* narrowedBy(
  [stake, ...others]: readonly TopologyStake[],
  candidate: TopologyCandidate,
  narrowed: Requirements,
): Generator<Requirements> {
  if (stake === undefined) {
    yield narrowed;
    return;
  }
  for (const choice of keepsNobodyAwayFrom(candidate, narrowed, stake.group)
    ? free
    : domainChoicesOf(stake, candidate, narrowed)) {
    if (choice === 'any') {
      yield* narrowedBy(others, candidate, narrowed);
      continue;
    }
    const asked = requirementSet([choice]);
    if (isCompatible(narrowed, asked, candidate.mayBeUndefined))
      yield* narrowedBy(others, candidate, intersectSets(narrowed, asked));
  }
}

const free = ['any'] as const;

function domainChoicesOf(stake: TopologyStake, { uncounted }: TopologyCandidate, narrowed: Requirements) {
  const { group } = stake;
  const { rule, key } = group.spec;
  const question = questionOf(stake, narrowed.get(key) ?? group.anywhere, uncounted?.of(group) ?? 0);
  if (rule !== 'antiAffinity' && key !== kubernetesLabels.hostname) {
    const choices = rule === 'spread' ? spreadChoices(group, question) : startingDomains(group, question);
    if (choices !== undefined) return choices.map((domain) => requireOneOf(key, [domain]));
  }
  const allowed = allowedDomains(group, question);
  return allowed === 'none' ? [] : [allowed];
}

/** Counts only grow, and no minimum that could rise applies to hosts. */
const isLastingRefusal = ({ spec }: TopologyGroup): boolean =>
  spec.rule === 'antiAffinity' || (spec.rule === 'spread' && spec.key === kubernetesLabels.hostname);

const choiceOrder: Readonly<Record<TopologyGroup['spec']['rule'], number>> = {
  antiAffinity: 0,
  affinity: 1,
  spread: 2,
};

/** The order in which the groups of a pod are asked. */
export const byExclusion = (a: TopologyStake, b: TopologyStake): number =>
  choiceOrder[a.group.spec.rule] - choiceOrder[b.group.spec.rule];

/**
 * Counts a placed pod. A group that keeps pods apart counts every domain the node could still
 * come to be in; the others only a domain that is certain.
 * @param own groups that count pods having the term, which this pod has
 * @param uncounted of the node, unless it is there already
 */
export function recordInTopology(
  counting: readonly TopologyGroup[],
  own: readonly TopologyGroup[],
  candidate: TopologyCandidate,
  uncounted?: UncountedPods,
): void {
  if (uncounted !== undefined && !uncounted.isEmpty) uncounted.settle((group) => soleDomain(group, candidate));
  for (const group of counting) {
    if (group.spec.inverse || !(group.spec.filter?.accepts(candidate) ?? true)) continue;
    const possible = possibleDomains(group, candidate);
    if (group.spec.rule === 'antiAffinity' || possible.length === 1) recordIn(group, possible, candidate);
    else uncounted?.add(group);
  }
  for (const group of own) recordIn(group, possibleDomains(group, candidate), candidate);
}

function soleDomain(group: TopologyGroup, candidate: TopologyCandidate): string | undefined {
  if (!(group.spec.filter?.accepts(candidate) ?? true)) return undefined;
  const [domain, ...others] = possibleDomains(group, candidate);
  return others.length === 0 ? domain : undefined;
}

function recordIn(group: TopologyGroup, domains: readonly string[], { planned }: TopologyCandidate): void {
  for (const domain of domains) group.place(domain);
  if (planned !== undefined && group.spec.key === kubernetesLabels.hostname) group.hosts.record(planned);
}

function possibleDomains(group: TopologyGroup, candidate: TopologyCandidate): readonly string[] {
  const here = requirementFor(candidate.requirements, group.spec.key);
  if (!here.complement) return [...here.values];
  return [...group.counts.keys()].filter(
    (domain) => candidate.requirements.has(group.spec.key) && allowsValue(here, domain),
  );
}
