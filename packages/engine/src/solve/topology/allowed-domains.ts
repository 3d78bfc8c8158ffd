import { byNumber, kubernetesLabels } from '@nodewright/apis';
import { allowsValue, requireOneOf, type Requirement } from '@nodewright/requirements';
import type { SpreadBounds } from '../reasons/obstacles.ts';
import type { TopologyStake } from './topology.ts';
import type { TopologyGroup } from './topology-group.ts';

export type DomainQuestion = {
  /** What each required alternative of the pod says about the key. */
  readonly podDomains: readonly Requirement[];
  /** Where the candidate may be: its requirement on the key, the pod's included. */
  readonly nodeDomains: Requirement;
  /** Whether the group counts the pod itself. */
  readonly selfSelecting: boolean;
  /** As in the stake. */
  readonly beside: readonly TopologyStake[] | undefined;
  /** How many pods on the candidate the group will count wherever that comes to be. */
  readonly here: number;
};

/** The question of a pod to a group for a node with these labels. The code is written out because it runs very often. */
export const questionOf = (
  { podDomains, selfSelecting, beside }: TopologyStake,
  nodeDomains: Requirement,
  here = 0,
): DomainQuestion => ({ podDomains, nodeDomains, selfSelecting, beside, here });

/** `any`: the group excludes nothing; `none`: no domain is allowed; otherwise a requirement on the group's key. */
export type AllowedDomains = Requirement | 'any' | 'none';

/** Where a group lets a pod go on a candidate. */
export function allowedDomains(group: TopologyGroup, question: DomainQuestion): AllowedDomains {
  const sole = soleValue(question.nodeDomains);
  if (sole !== undefined && group.spec.key === kubernetesLabels.hostname) {
    return onHost(group, question, sole) ? 'any' : 'none';
  }
  const domains = amongDomains(group, question);
  if (domains.length === 0) return 'none';
  return sole === domains[0] ? 'any' : requireOneOf(group.spec.key, domains);
}

const isAmongDomains = (podDomains: readonly Requirement[], domain: string): boolean =>
  podDomains.some((r) => allowsValue(r, domain));

function soleValue(r: Requirement): string | undefined {
  if (r.complement || r.values.size !== 1) return undefined;
  for (const value of r.values) return value;
  return undefined;
}

type AskingPod = Pick<DomainQuestion, 'podDomains' | 'selfSelecting'> & { readonly here?: number };

/** Where a group would let a pod go now, whichever node it is; `any` when that is not known. Never fewer domains than `allowedDomains` finds. */
export function openDomains(group: TopologyGroup, asking: AskingPod): readonly string[] | 'any' {
  switch (group.spec.rule) {
    case 'spread':
      return domainsWith(group, mostBefore(group, asking));
    case 'affinity':
      return canJoin(group, asking) ? [...group.populated] : asking.selfSelecting ? 'any' : [];
    case 'antiAffinity':
      return group.counts.size === 0 ? 'any' : domainsWith(group, 0);
  }
}

/** Whether pods that the group counts are where the pod may be. */
export function canJoin(group: TopologyGroup, { podDomains }: Pick<AskingPod, 'podDomains'>): boolean {
  for (const domain of group.populated) if (isAmongDomains(podDomains, domain)) return true;
  return false;
}

function domainsWith({ counts }: TopologyGroup, most: number): readonly string[] {
  const found: string[] = [];
  for (const [domain, count] of counts) if (count <= most) found.push(domain);
  return found;
}

/** A host is compared with its own count. Another host could be a new one, so no minimum applies. */
function onHost(group: TopologyGroup, question: DomainQuestion, host: string): boolean {
  const count = group.countIn(host);
  switch (group.spec.rule) {
    case 'spread':
      return count + (question.selfSelecting ? 1 : 0) <= group.spec.maxSkew;
    case 'affinity':
      return isAmongDomains(question.podDomains, host) && (count > 0 || mayBeFirst(group, question));
    case 'antiAffinity':
      return count === 0;
  }
}

function amongDomains(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  switch (group.spec.rule) {
    case 'spread':
      return leastCounted(group, question);
    case 'affinity':
      return besideOthers(group, question);
    case 'antiAffinity':
      return withoutOthers(group, question);
  }
}

function withoutOthers(group: TopologyGroup, { podDomains, nodeDomains }: DomainQuestion): readonly string[] {
  const open: string[] = [];
  for (const [domain, count] of group.counts) {
    if (count === 0 && allowsValue(nodeDomains, domain) && isAmongDomains(podDomains, domain)) open.push(domain);
  }
  return open;
}

/** Every domain that a spread would put up with, the one with the fewest pods first, then the one that the group prefers. */
export function spreadChoices(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  const most = mostBefore(group, question);
  const compare = preferredFirst(group);
  return [...group.counts]
    .filter(([domain, count]) => count <= most && allowsValue(question.nodeDomains, domain))
    .toSorted(([a, x], [b, y]) => byNumber(x, y) || compare(a, b))
    .map(([domain]) => domain);
}

/** The most pods a domain may have before one more would break the skew. */
const mostBefore = (group: TopologyGroup, { podDomains, selfSelecting, here = 0 }: AskingPod): number =>
  group.spec.maxSkew + globalMinimum(group, podDomains) - here - (selfSelecting ? 1 : 0);

export function spreadBounds(group: TopologyGroup, { podDomains, selfSelecting }: AskingPod): SpreadBounds {
  const { maxSkew, minDomains = 1, key } = group.spec;
  const counts = [...group.counts].filter(([domain]) => isAmongDomains(podDomains, domain)).map(([, count]) => count);
  return {
    maxSkew,
    adds: selfSelecting ? 1 : 0,
    least: globalMinimum(group, podDomains),
    leastOfDomains: key === kubernetesLabels.hostname ? 0 : Math.min(...counts),
    domains: counts.length,
    minDomains,
  };
}

/** The domain within the skew that has the fewest pods; of equals the domain that the group prefers. */
function leastCounted(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  const most = mostBefore(group, question);
  let least: string | undefined;
  let leastCount = Infinity;
  for (const [domain, count] of group.counts) {
    if (count > most || count > leastCount || !allowsValue(question.nodeDomains, domain)) continue;
    if (count === leastCount && least !== undefined && group.prefers(least, domain)) continue;
    least = domain;
    leastCount = count;
  }
  return least === undefined ? [] : [least];
}

/** The fewest pods in any domain the pod may use; 0 while there are fewer domains than wanted, or one more host can be had. */
export function globalMinimum(group: TopologyGroup, podDomains: readonly Requirement[]): number {
  if (group.spec.key === kubernetesLabels.hostname) return 0;
  let domains = 0;
  let minimum = Infinity;
  for (const [domain, count] of group.counts) {
    if (!isAmongDomains(podDomains, domain)) continue;
    domains += 1;
    if (count < minimum) minimum = count;
  }
  return domains < (group.spec.minDomains ?? 1) ? 0 : minimum;
}

function besideOthers(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  const { podDomains, nodeDomains } = question;
  const populated: string[] = [];
  for (const domain of group.populated) {
    if (allowsValue(nodeDomains, domain) && isAmongDomains(podDomains, domain)) populated.push(domain);
  }
  if (populated.length > 0 || !mayBeFirst(group, question)) return populated;
  return firstOpen(group, question);
}

/** The group begins in the one domain that it prefers: two would leave it undecided where the others have to follow. */
function firstOpen(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  let first: string | undefined;
  for (const domain of group.counts.keys()) {
    if ((first === undefined || group.prefers(domain, first)) && isDomainOpen(domain, question)) first = domain;
  }
  return first === undefined ? [] : [first];
}

const isDomainOpen = (domain: string, { podDomains, nodeDomains }: DomainQuestion): boolean =>
  allowsValue(nodeDomains, domain) && isAmongDomains(podDomains, domain);

/** Every domain in which an affinity could begin, the best first; `undefined` when the pod has to join others. */
export function startingDomains(group: TopologyGroup, question: DomainQuestion): readonly string[] | undefined {
  if (!mayBeFirst(group, question)) return undefined;
  return [...group.counts.keys()].filter((domain) => isDomainOpen(domain, question)).toSorted(preferredFirst(group));
}

/** Compares domains by what the group prefers. */
const preferredFirst =
  (group: TopologyGroup) =>
  (a: string, b: string): number =>
    group.prefers(a, b) ? -1 : Number(group.prefers(b, a));

/** Whether a pod with affinity to its own kind may be the first in a domain: no domain that it could join has such a pod. */
const mayBeFirst = (group: TopologyGroup, question: DomainQuestion): boolean =>
  question.selfSelecting &&
  !canJoin(group, question) &&
  !(question.beside ?? []).some((other) => canJoin(other.group, other));
