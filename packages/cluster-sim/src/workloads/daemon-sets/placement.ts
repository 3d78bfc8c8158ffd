import {
  type DaemonSet,
  type Node,
  oncePerPair,
  type Pod,
  type PodTemplateSpec,
  type Toleration,
} from '@nodewright/apis';
import { isSelected } from '../../placement/node-selection.ts';
import { firstUntolerated } from '../../placement/tolerations.ts';

/** Tolerations that every pod of a DaemonSet gets. */
const alwaysTolerated: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

const networkUnavailable: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

export type DaemonPlacement = {
  /** A pod is created for this node. */
  readonly shouldRun: boolean;
  /** A pod that runs here may stay. */
  readonly mayStay: boolean;
};

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled */
export const placementOn = (node: Node, { spec }: DaemonSet): DaemonPlacement => judgePlacement(node, spec.template);

const judgePlacement = oncePerPair((node: Node, template: PodTemplateSpec): DaemonPlacement => {
  const pod: Pod = { metadata: { name: '' }, spec: template.spec };
  if (!isSelected(node, pod)) return { shouldRun: false, mayStay: false };
  const tolerations = tolerationsOfDaemon(template);
  const taints = node.spec?.taints ?? [];
  return {
    shouldRun: firstUntolerated(taints, tolerations) === undefined,
    mayStay:
      firstUntolerated(
        taints.filter(({ effect }) => effect === 'NoExecute'),
        tolerations,
      ) === undefined,
  };
});

function tolerationsOfDaemon({ spec }: PodTemplateSpec): readonly Toleration[] {
  const added = spec.hostNetwork === true ? [...alwaysTolerated, networkUnavailable] : alwaysTolerated;
  return [...(spec.tolerations ?? []), ...added];
}

/** The template of the daemon on one node: pinned to it by name, in every term of the affinity it has already. */
export function pinnedTo(nodeName: string, template: PodTemplateSpec): PodTemplateSpec {
  const { spec } = template;
  const pin = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] } as const;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const nodeSelectorTerms = terms === undefined ? [pin] : terms.map((term) => ({ ...term, ...pin }));
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  return {
    ...template,
    spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity }, tolerations: tolerationsOfDaemon(template) },
  };
}

/** The node that a daemon's pod is on, or waits for. */
export function nodeOfDaemon({ spec }: Pod): string | undefined {
  if (spec.nodeName !== undefined) return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name')?.values?.[0];
}
