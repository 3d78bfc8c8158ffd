import { kubernetesLabels } from '@nodewright/apis';
import { requirementFor, allowsValue, type Requirement } from '@nodewright/requirements';
import { printedSelection } from '../topology/pod-selection.ts';
import { spreadBounds } from '../topology/allowed-domains.ts';
import type { TopologyRefusal } from '../topology/topology-placement.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import type { TopologyObstacle } from '../reasons/obstacles.ts';
import { isPlaceholder, type PlannedNode } from '../nodes/planned-node.ts';
import type { Fix } from '../reasons/fix.ts';

type TopologyRound = {
  /** Labels that a node may get from its instance type. */
  readonly mayBeUndefined: ReadonlySet<string>;
  readonly planned: readonly Pick<PlannedNode, 'pods' | 'requirements'>[];
};

/** Describes why a topology group refuses a pod. */
export function topologyObstacle(
  { stake, requirements }: TopologyRefusal,
  { mayBeUndefined, planned }: TopologyRound,
): TopologyObstacle {
  const { group, podDomains } = stake;
  const { rule, key, inverse, selection } = group.spec;
  const node = requirementFor(requirements, key);
  const mayBe = (domain: string): boolean => allowsValue(node, domain) && isAmongPodDomains(podDomains, domain);
  const domains = [...group.counts.keys()].toSorted();
  return {
    kind: 'topology',
    rule,
    key,
    inverse,
    selection: printedSelection(selection),
    unlabelled: !requirements.has(key) && !mayBeUndefined.has(key),
    undecided: rule === 'antiAffinity' && planned.some((node) => isDomainUndecided(node, group)),
    open: domains.filter(mayBe).map((name) => ({ name, pods: group.countIn(name) })),
    elsewhere: domainNamesOf([...group.populated].filter((domain) => !mayBe(domain))),
    ...(rule === 'spread' ? { bounds: spreadBounds(group, stake) } : {}),
  };
}

const isDomainUndecided = (
  { pods, requirements }: TopologyRound['planned'][number],
  { spec }: TopologyGroup,
): boolean => {
  const domains = requirementFor(requirements, spec.key);
  return (
    (domains.complement || domains.values.size > 1) && (spec.inverse || pods.some((pod) => spec.selection.selects(pod)))
  );
};

/** Prints domains by name, and new nodes, which have no name yet, by number. */
function domainNamesOf(domains: readonly string[]): readonly string[] {
  const known = domains.filter((domain) => !isPlaceholder(domain)).toSorted();
  const planned = domains.length - known.length;
  return planned === 0 ? known : [...known, planned === 1 ? 'a new node' : `${planned} new nodes`];
}

const isAmongPodDomains = (podDomains: readonly Requirement[], domain: string): boolean =>
  podDomains.some((r) => allowsValue(r, domain));

/** The change that would let the pod use one of the domains it may be in. */
export function fixOfTopology(obstacle: TopologyObstacle): Fix | undefined {
  const { rule, key, inverse, unlabelled, undecided, open, bounds } = obstacle;
  if (unlabelled) return { kind: 'labelNodes', key };
  if (undecided) return { kind: 'nextRound' };
  if (rule !== 'spread') return inverse ? undefined : { kind: 'prefer', rule, key };
  if (bounds === undefined || open.length === 0) return undefined;
  const { minDomains, domains, least, adds } = bounds;
  const fewest = Math.min(...open.map(({ pods }) => pods));
  const withinSkew = fewest + adds - bounds.leastOfDomains <= bounds.maxSkew;
  if (minDomains > domains && withinSkew) return { kind: 'minDomains', key, most: domains };
  return { kind: 'maxSkew', key, least: fewest + adds - least };
}

/** The obstacle as one clause. */
export function printedTopology(obstacle: TopologyObstacle): string {
  const { key, selection, open, elsewhere } = obstacle;
  const pods = `pods with ${selection}`;
  if (obstacle.unlabelled) return `${printedRule(obstacle)}: nodes of the NodePool do not have that label`;
  switch (obstacle.rule) {
    case 'spread':
      return `${printedRule(obstacle)}: ${printedSpread(obstacle)}`;
    case 'affinity':
      return elsewhere.length === 0
        ? `${printedRule(obstacle)}: there are no ${pods} on any node`
        : `${printedRule(obstacle)}: ${pods} are ${key === kubernetesLabels.hostname ? 'on' : 'in'} ${printedSome(elsewhere)}, and another node of the NodePool is not`;
    case 'antiAffinity':
      return open.length === 0
        ? `${printedRule(obstacle)}: no domain is open to it`
        : `${printedRule(obstacle)}: they ${obstacle.undecided ? 'may come to be' : 'are'} in ${printedSome(open.map(({ name }) => name))}, and there is no other`;
  }
}

function printedRule({ rule, key, inverse, selection }: TopologyObstacle): string {
  if (rule === 'spread') return `topology spread over ${key} of pods with ${selection}`;
  if (rule === 'affinity') return `pod affinity over ${key}`;
  return inverse
    ? `pod anti-affinity over ${key} of pods that keep away from ${selection}`
    : `pod anti-affinity over ${key} to pods with ${selection}`;
}

function printedSpread({ open, bounds }: TopologyObstacle): string {
  const { maxSkew = 0, least = 0, minDomains = 0, domains = 0 } = bounds ?? {};
  const counts =
    open.length === 0 ? 'no domain is open to it' : printedSome(open.map(({ name, pods }) => `${name} has ${pods}`));
  const floor =
    domains < minDomains
      ? `of minDomains ${minDomains} there ${domains === 1 ? 'is' : 'are'} ${domains} that it may use, so the minimum counts as 0`
      : `the minimum anywhere is ${least}`;
  return `${counts}, ${floor}, and maxSkew is ${maxSkew}`;
}

const mostDomainNames = 4;

const printedSome = (names: readonly string[]): string =>
  names.length <= mostDomainNames
    ? names.join(', ')
    : `${names.slice(0, mostDomainNames).join(', ')} and ${names.length - mostDomainNames} others`;
