import type { DaemonSet, Node, Pod, PodTemplateSpec, Toleration } from '@nodewright/apis';
import { isSelected } from '../../placement/node-selection.ts';
import { firstUntolerated } from '../../placement/tolerations.ts';

/** What every daemon puts up with. */
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
  /** A pod is to be started here. */
  readonly shouldRun: boolean;
  /** One that runs here may stay. */
  readonly mayStay: boolean;
};

/** Of hundreds of nodes one changes at a time. */
const knownPlacements = new WeakMap<Node, WeakMap<PodTemplateSpec, DaemonPlacement>>();

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled */
export function placementOn(node: Node, set: DaemonSet): DaemonPlacement {
  const onNode = knownPlacements.get(node) ?? new WeakMap<PodTemplateSpec, DaemonPlacement>();
  const placement = onNode.get(set.spec.template) ?? judgedPlacement(node, set);
  knownPlacements.set(node, onNode.set(set.spec.template, placement));
  return placement;
}

function judgedPlacement(node: Node, { spec }: DaemonSet): DaemonPlacement {
  const pod: Pod = { metadata: { name: '' }, spec: spec.template.spec };
  if (!isSelected(node, pod)) return { shouldRun: false, mayStay: false };
  const tolerations = tolerationsOfDaemon(spec.template);
  const taints = node.spec?.taints ?? [];
  return {
    shouldRun: firstUntolerated(taints, tolerations) === undefined,
    mayStay:
      firstUntolerated(
        taints.filter(({ effect }) => effect === 'NoExecute'),
        tolerations,
      ) === undefined,
  };
}

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
