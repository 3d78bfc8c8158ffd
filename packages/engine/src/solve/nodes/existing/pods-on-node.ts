import { oncePerObject, type Pod } from '@nodewright/apis';
import type { NodeState } from '../../../cluster/node-state.ts';
import { isActivePod } from '../../../pods/pod-state.ts';

/** Pods of one node that no rule tells apart: one of them, and their number. */
export type EqualPodsOnNode = { readonly text: string; readonly pod: Pod; readonly count: number };

/** The active pods of one node, grouped for counting. */
export type PodsOnNode = {
  readonly identities: ReadonlySet<string>;
  /** Whether `spec.nodeName` of every pod names this node. */
  readonly sayWhere: boolean;
  /** Grouped by namespace and labels: no selector tells the pods of a group apart. */
  readonly byLabels: readonly EqualPodsOnNode[];
  /** Pods with required anti-affinity, grouped by their terms. */
  readonly keepingAway: readonly EqualPodsOnNode[];
};

/** The active pods of a node; none for a machine whose Node has not joined. */
export const podsOnNodeOf = oncePerObject((state: NodeState): PodsOnNode => {
  const pods = state.node === undefined ? [] : state.pods.filter(isActivePod);
  return {
    identities: new Set(pods.map(podIdentity)),
    sayWhere: pods.every(({ spec }) => spec.nodeName === state.node?.metadata.name),
    byLabels: kindsOf(pods, labelText),
    keepingAway: kindsOf(pods.filter(keepsOthersAway), termText),
  };
});

export const podIdentity = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;

function kindsOf(pods: readonly Pod[], textOf: (pod: Pod) => string): readonly EqualPodsOnNode[] {
  const kinds = new Map<string, EqualPodsOnNode>();
  for (const pod of pods) {
    const text = textOf(pod);
    const kind = kinds.get(text);
    kinds.set(text, kind === undefined ? { text, pod, count: 1 } : { ...kind, count: kind.count + 1 });
  }
  return [...kinds.values()];
}

const labelText = ({ metadata }: Pod): string =>
  `${metadata.namespace ?? 'default'} ${JSON.stringify(metadata.labels)}`;

const termsOf = ({ spec }: Pod) => spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

const keepsOthersAway = (pod: Pod): boolean => termsOf(pod).length > 0;

const termText = (pod: Pod): string => JSON.stringify([pod.metadata.namespace, termsOf(pod), pod.spec.tolerations]);
