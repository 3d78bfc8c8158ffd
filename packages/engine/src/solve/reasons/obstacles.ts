import type { Taint } from '@nodewright/apis';
import type { Incompatibility, MinValuesShortfall } from '@nodewright/requirements';
import type { TypeCriterion, TypeFunnel } from './type-elimination.ts';

/** One thing that keeps a pod off a new node. */
export type Obstacle =
  /** `alone`: nothing else keeps the pod away. */
  | { readonly kind: 'taint'; readonly taint: Taint; readonly alone: boolean }
  | { readonly kind: 'requirements'; readonly why: Incompatibility }
  /** What the pod asks of the label cannot be met by any node. */
  | { readonly kind: 'contradiction'; readonly key: string }
  | { readonly kind: 'volume'; readonly why: Incompatibility }
  | TopologyObstacle
  /** No instance type is left. `unmet`: criteria no type meets together, one of them where that alone suffices. */
  | { readonly kind: 'instanceTypes'; readonly unmet: readonly TypeCriterion[]; readonly funnel: TypeFunnel }
  | { readonly kind: 'minValues'; readonly short: readonly MinValuesShortfall[] }
  | LimitsObstacle
  /** Nothing does any more: what stood against the pod went while others got their places. */
  | { readonly kind: 'nothing' };

/** The pool's `spec.limits` admit no type on which the pod fits. */
export type LimitsObstacle = {
  readonly kind: 'limits';
  /** The cheapest type on which it fits. */
  readonly instanceType: string;
  /** The limits that this type would go beyond, and what it adds to each. */
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
  /** New nodes with such pods may come to be in one domain or another: the next round knows. */
  readonly undecided: boolean;
  /** Domains that a node for the pod could be in, with the pods that count there, by name. */
  readonly open: readonly Domain[];
  /** Domains with such pods that it could not be in. */
  readonly elsewhere: readonly string[];
  /** Of a spread. */
  readonly bounds?: SpreadBounds;
};

/** What a spread holds a domain against. */
export type SpreadBounds = {
  readonly maxSkew: number;
  /** 1 where the group counts the pod itself. */
  readonly adds: 0 | 1;
  /** The fewest pods in any domain, as the skew is reckoned. */
  readonly least: number;
  /** The fewest there really are. */
  readonly leastOfDomains: number;
  /** How many domains the pod may use, and how many there should be. */
  readonly domains: number;
  readonly minDomains: number;
};
