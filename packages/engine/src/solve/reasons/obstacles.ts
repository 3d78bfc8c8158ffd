import type { Taint } from '@nodewright/apis';
import type { Incompatibility, MinValuesShortfall } from '@nodewright/requirements';
import type { TypeCriterion, TypeElimination } from './type-elimination.ts';

/** One thing that keeps a pod off a new node. */
export type PlacementObstacle =
  /** `alone`: nothing else keeps the pod away. */
  | { readonly kind: 'taint'; readonly taint: Taint; readonly alone: boolean }
  | { readonly kind: 'requirements'; readonly why: Incompatibility }
  /** No node can meet what the pod requires of the label. */
  | { readonly kind: 'contradiction'; readonly key: string }
  | { readonly kind: 'volume'; readonly why: Incompatibility }
  | TopologyObstacle
  /** No instance type is left. `unmet`: criteria no type meets together, one of them where that alone suffices. */
  | { readonly kind: 'instanceTypes'; readonly unmet: readonly TypeCriterion[]; readonly elimination: TypeElimination }
  | { readonly kind: 'minValues'; readonly short: readonly MinValuesShortfall[] }
  | LimitsObstacle
  /** No obstacle is left: it passed while other pods were placed. */
  | { readonly kind: 'nothing' };

/** The pool's `spec.limits` admit no type on which the pod fits. */
export type LimitsObstacle = {
  readonly kind: 'limits';
  /** The cheapest type on which it fits. */
  readonly instanceType: string;
  /** The limits that this type would exceed, and the amount that it adds to each. */
  readonly exceeded: readonly (LimitUsage & { readonly adds: number })[];
};

/** In whole units of the resource, as in `Resources`. */
export type LimitUsage = { readonly resource: string; readonly limit: number; readonly used: number };

type Domain = { readonly name: string; readonly pods: number };

/** A rule about other pods leaves no domain for the pod. */
export type TopologyObstacle = {
  readonly kind: 'topology';
  readonly rule: 'spread' | 'affinity' | 'antiAffinity';
  /** The label whose values are the domains. */
  readonly key: string;
  /** The rule is that of other pods, which keep this one away. */
  readonly inverse: boolean;
  /** Which pods are counted, as `app=web`. */
  readonly selection: string;
  /** Nodes of the pool never carry the label. */
  readonly unlabelled: boolean;
  /** The domain of new nodes with such pods is still open. The next round knows it. */
  readonly undecided: boolean;
  /** Domains that a node for the pod could be in, with their counted pods, by name. */
  readonly open: readonly Domain[];
  /** Domains with such pods that it could not be in. */
  readonly elsewhere: readonly string[];
  /** Only for a spread. */
  readonly bounds?: SpreadBounds;
};

/** The bounds of a spread. */
export type SpreadBounds = {
  readonly maxSkew: number;
  /** 1 where the group counts the pod itself. */
  readonly adds: 0 | 1;
  /** The smallest count of any domain, as the skew uses it. */
  readonly least: number;
  /** The smallest real count of any domain. */
  readonly leastOfDomains: number;
  /** How many domains the pod may use, and how many `minDomains` requires. */
  readonly domains: number;
  readonly minDomains: number;
};
