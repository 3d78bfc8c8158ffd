import type { Instant, Taint } from '@nodewright/apis';
import { type PodHostPort, printedPort } from '../../pods/host-ports.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import { printedAmount, printedResources } from '../../instance-types/resources.ts';

/** The least that would have to give way for a pod to come further. */
export type Fix =
  | { readonly kind: 'tolerate'; readonly taint: Taint }
  /** One of the two does without what it asks of a label. */
  | { readonly kind: 'label'; readonly of: 'pod' | 'NodePool'; readonly key: string }
  /** Some NodePool launches where the volumes of the pod are. */
  | { readonly kind: 'elsewhere'; readonly key: string }
  /** The pod asks only one of the things that exclude each other. */
  | { readonly kind: 'oneWish'; readonly key: string }
  /** Nodes of the NodePool get a label of their own. */
  | { readonly kind: 'labelNodes'; readonly key: string }
  /** The pod asks for so much of a resource at most. */
  | { readonly kind: 'request'; readonly resource: string; readonly most: number }
  | { readonly kind: 'volumes'; readonly driver: string; readonly most: number }
  | { readonly kind: 'hostPort'; readonly port: PodHostPort }
  /** The limits of the NodePool are at least these. */
  | { readonly kind: 'limits'; readonly atLeast: Resources }
  | { readonly kind: 'minValues'; readonly key: string; readonly most: number }
  /** A larger `maxSkew`, or a smaller `minDomains`, of a spread. */
  | { readonly kind: 'maxSkew'; readonly key: string; readonly least: number }
  | { readonly kind: 'minDomains'; readonly key: string; readonly most: number }
  /** The rule about other pods becomes a preference. */
  | { readonly kind: 'prefer'; readonly rule: 'affinity' | 'antiAffinity'; readonly key: string }
  /** The next round tries again with more information. */
  | { readonly kind: 'nextRound' }
  /** The obstacle passes by itself. */
  | { readonly kind: 'wait'; readonly until: Instant };

/** What to do, as one clause; `undefined` where the reason already says it. */
export function printedPodFix(fix: Fix): string | undefined {
  switch (fix.kind) {
    case 'tolerate':
      return 'tolerate it';
    case 'label':
      return fix.of === 'pod'
        ? 'ask for what there is, or have a NodePool with what is asked'
        : `widen ${fix.key} in spec.template.spec.requirements of the NodePool`;
    case 'elsewhere':
      return `have a NodePool, and a subnet of its NodeClass, with that ${fix.key}`;
    case 'oneWish':
      return 'ask for one thing only';
    case 'labelNodes':
      return 'give it to spec.template.metadata.labels of the NodePool, or do without it';
    case 'request':
      return fix.most > 0
        ? `ask for ${fix.resource} ${printedAmount(fix.resource, fix.most)} at most`
        : `have a NodePool with types that have ${fix.resource}`;
    case 'volumes':
      return `use ${fix.most} ${fix.most === 1 ? 'volume' : 'volumes'} of ${fix.driver} at most`;
    case 'hostPort':
      return `do without host port ${printedPort(fix.port)}`;
    case 'limits':
      return `raise spec.limits to ${printedResources(fix.atLeast)} or more`;
    case 'minValues':
      return `ask for minValues of ${fix.most} at most`;
    case 'maxSkew':
      return `allow a maxSkew of ${fix.least}`;
    case 'minDomains':
      return `ask for minDomains of ${fix.most} at most`;
    case 'prefer':
      return fix.rule === 'affinity'
        ? 'start such a pod, or prefer the affinity instead of requiring it'
        : 'prefer the anti-affinity instead of requiring it';
    case 'nextRound':
      return 'wait until the new nodes are there, which decides it';
    case 'wait':
      return undefined;
  }
}
