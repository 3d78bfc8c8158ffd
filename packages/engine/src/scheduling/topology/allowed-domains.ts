import { kubernetesLabels } from '@nodewright/apis';
import { allows, oneOf } from '../../requirements/requirement.ts';
import type { Requirement } from '../../requirements/requirements.ts';
import type { TopologyGroup } from './topology-group.ts';

export type DomainQuestion = {
  /** Where the pod may be at all: its own strict requirement on the key. */
  readonly podDomains: Requirement;
  /** Where the candidate may be: its requirement on the key, the pod's included. */
  readonly nodeDomains: Requirement;
  /** Whether the group counts the pod itself. */
  readonly selfSelecting: boolean;
};

/** `any`: the group does not care; `none`: nowhere; otherwise a requirement on the group's key. */
export type AllowedDomains = Requirement | 'any' | 'none';

/** Where a group lets a pod go on a candidate. */
export function allowedDomains(group: TopologyGroup, question: DomainQuestion): AllowedDomains {
  const host = group.spec.key === kubernetesLabels.hostname ? soleValue(question.nodeDomains) : undefined;
  const domains = host === undefined ? amongDomains(group, question) : onHost(group, question, host) ? [host] : [];
  if (domains === 'any') return 'any';
  return domains.length === 0 ? 'none' : oneOf(group.spec.key, domains);
}

const soleValue = (r: Requirement): string | undefined =>
  r.complement || r.values.size !== 1 ? undefined : r.values.values().next().value;

/** A single host is told apart by its own count: any other host could be a new one, so no minimum applies. */
function onHost(group: TopologyGroup, question: DomainQuestion, host: string): boolean {
  const count = group.countIn(host);
  switch (group.spec.rule) {
    case 'spread':
      return count + (question.selfSelecting ? 1 : 0) <= group.spec.maxSkew;
    case 'affinity':
      return allows(question.podDomains, host) && (count > 0 || mayBeFirst(group, question));
    case 'antiAffinity':
      return count === 0;
  }
}

function amongDomains(group: TopologyGroup, question: DomainQuestion): readonly string[] | 'any' {
  switch (group.spec.rule) {
    case 'spread':
      return leastCounted(group, question);
    case 'affinity':
      return besideOthers(group, question);
    case 'antiAffinity':
      // A label that no node has cannot bring two pods together.
      return group.counts.size === 0
        ? 'any'
        : openDomains(group, question).filter((domain) => group.countIn(domain) === 0);
  }
}

const openDomains = (group: TopologyGroup, { podDomains, nodeDomains }: DomainQuestion): readonly string[] =>
  [...group.counts.keys()].filter((domain) => allows(nodeDomains, domain) && allows(podDomains, domain));

/** The one domain with the fewest pods of those that stay within the skew; by name among equals. */
function leastCounted(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  const self = question.selfSelecting ? 1 : 0;
  const minimum = globalMinimum(group, question.podDomains);
  const valid = [...group.counts]
    .filter(([domain, count]) => allows(question.nodeDomains, domain) && count + self - minimum <= group.spec.maxSkew)
    .toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  return valid.slice(0, 1).map(([domain]) => domain);
}

/** The fewest pods in any domain the pod may use; 0 while there are fewer domains than wanted, or one more host can be had. */
function globalMinimum(group: TopologyGroup, podDomains: Requirement): number {
  if (group.spec.key === kubernetesLabels.hostname) return 0;
  const counts = [...group.counts].filter(([domain]) => allows(podDomains, domain)).map(([, count]) => count);
  return counts.length < (group.spec.minDomains ?? 1) ? 0 : Math.min(...counts);
}

function besideOthers(group: TopologyGroup, question: DomainQuestion): readonly string[] {
  const open = (domain: string) => allows(question.nodeDomains, domain) && allows(question.podDomains, domain);
  const populated = [...group.populated].filter(open);
  if (populated.length > 0 || !mayBeFirst(group, question)) return populated;
  return openDomains(group, question).toSorted().slice(0, 1);
}

/** A pod with an affinity to its own kind may open a domain while none that it could join has a pod. */
function mayBeFirst(group: TopologyGroup, { podDomains, selfSelecting }: DomainQuestion): boolean {
  if (!selfSelecting) return false;
  for (const domain of group.populated) if (allows(podDomains, domain)) return false;
  return true;
}
