import { type Instant, byTextOf } from '@nodewright/apis';

/** An instance of the Auto Scaling group. Equal configurations are the same image, or the same version of a template. */
export type SeenInstance = {
  readonly id: string;
  readonly zone: string;
  /** As the Auto Scaling group words it: `Pending:Wait`, `InService`, `Terminating`. */
  readonly lifecycle: string;
  readonly configuration: string;
  readonly launchedAt: Instant;
};

export type SeenNode = {
  readonly name: string;
  readonly instanceId: string;
  readonly ready: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly unschedulable: boolean;
  /** Whether it carries the taint and the label of a node that an update is about to replace. */
  readonly marked: boolean;
  /** Whether a startup taint is still on it. */
  readonly starting: boolean;
};

/** A pod that has to leave before its node can go: none of a DaemonSet, no mirror, none that has finished. */
export type SeenPod = {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly leaving: boolean;
  /** The budgets that the Eviction API asks about it; none when it may go whatever they allow. */
  readonly budgets: readonly { readonly name: string; readonly disruptionsAllowed: number }[];
};

export type SeenGroup = {
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly zones: readonly string[];
  /** What the group launches from now. */
  readonly configuration: string;
  /** The newest template version of each configuration that has one. */
  readonly versions: Readonly<Record<string, string>>;
  readonly suspended: readonly string[];
  readonly instances: readonly SeenInstance[];
  /** Those of its warm pool: prepared, but neither nodes nor counted. */
  readonly warm?: readonly SeenInstance[];
};

/** The world at one moment, as far as one node group reaches. */
export type Observation = {
  readonly group: SeenGroup;
  readonly nodes: readonly SeenNode[];
  readonly pods: readonly SeenPod[];
};

export const isInstanceLeaving = ({ lifecycle }: SeenInstance): boolean =>
  lifecycle.startsWith('Terminat') || lifecycle.startsWith('Detach');

const byId = byTextOf<SeenInstance>(({ id }) => id);

/** Instances that are not leaving, by id. */
export const liveInstances = ({ group }: Observation): readonly SeenInstance[] =>
  group.instances.filter((instance) => !isInstanceLeaving(instance)).toSorted(byId);

export const findSeenNode = ({ nodes }: Observation, instance: SeenInstance): SeenNode | undefined =>
  nodes.find(({ instanceId }) => instanceId === instance.id);

export const listPodsOnNode = ({ pods }: Observation, node: SeenNode): readonly SeenPod[] =>
  pods.filter((pod) => pod.node === node.name).toSorted(byTextOf(keyOfPod));

export const keyOfPod = ({ namespace, name }: SeenPod): string => `${namespace}/${name}`;
