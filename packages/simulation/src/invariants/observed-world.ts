import type {
  ConfigMap,
  DisruptionPause,
  EC2NodeClass,
  ImageRule,
  Instant,
  KubernetesObject,
  Lease,
  Node,
  NodeClaim,
  NodePool,
  NodeRollout,
  NodeRolloutPolicy,
  Pod,
  PodDisruptionBudget,
} from '@nodewright/apis';

/** The kinds that invariants read, by the collection that a write names. */
export type ObservedKinds = {
  readonly nodes: Node;
  readonly pods: Pod;
  readonly 'nodeclaims.karpenter.sh': NodeClaim;
  readonly 'nodepools.karpenter.sh': NodePool;
  readonly 'ec2nodeclasses.karpenter.k8s.aws': EC2NodeClass;
  readonly 'poddisruptionbudgets.policy': PodDisruptionBudget;
  readonly 'imagerules.nodewright.dev': ImageRule;
  readonly 'leases.coordination.k8s.io': Lease;
  readonly 'noderollouts.nodewright.dev': NodeRollout;
  readonly 'noderolloutpolicies.nodewright.dev': NodeRolloutPolicy;
  readonly 'disruptionpauses.nodewright.dev': DisruptionPause;
  readonly configmaps: ConfigMap;
};

export type ObservedInstance = {
  readonly id: string;
  /** In EC2's words: `running`. */
  readonly state: string;
  /** The NodeClaim of its tags. */
  readonly claim: string | undefined;
};

/** An image as the cloud published it. */
export type ObservedImage = {
  readonly family: string;
  readonly version: string;
  /** Withdrawn, or not there any more. */
  readonly isGone: boolean;
};

/** The state of a world, and what it was shortly before: whoever decides reads a little earlier than he acts. */
export interface ObservedWorld {
  readonly now: Instant;
  /** The objects that are there. */
  list<Name extends keyof ObservedKinds>(collection: Name): readonly ObservedKinds[Name][];
  find<Name extends keyof ObservedKinds>(collection: Name, key: string): ObservedKinds[Name] | undefined;
  /** Every version of an object that was there at some time of the last `ms`, oldest first; `undefined` for a time without. */
  lately<Name extends keyof ObservedKinds>(
    collection: Name,
    key: string,
    ms: number,
  ): readonly (ObservedKinds[Name] | undefined)[];
  /** The objects that were removed in the last `ms`. */
  removedLately<Name extends keyof ObservedKinds>(collection: Name, ms: number): readonly ObservedKinds[Name][];
  /** The control plane's minor. */
  readonly kubernetesVersion: string;
  instances(): readonly ObservedInstance[];
  instance(id: string): ObservedInstance | undefined;
  image(id: string): ObservedImage | undefined;
  /** The instances that were launched for a claim. */
  launchesFor(claim: string): readonly string[];
  /** Whether the cloud has announced the end of an instance, or calls it broken. */
  isReclaimed(instanceId: string): boolean;
  /** Whether the cloud has taken the instance back, or does so in this moment. */
  isTakenBack(instanceId: string): boolean;
}

/** `namespace/name`, or the name alone. */
export const observedKeyOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
