import {
  type ControllerRevision,
  type DaemonSet,
  daemonSets,
  type Instant,
  type Pod,
  type PodTemplateSpec,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { planRevision, type RevisionAction, revisionLabel } from '../revisions/revisions.ts';
import { type DaemonNodes, revisionOfDaemonSet } from './daemon-tally.ts';
import { planDaemons } from './daemons.ts';
import { pinnedTo } from './placement.ts';

export type DaemonSetSnapshot = {
  readonly set: DaemonSet;
  /** The nodes of the cluster with the pods of the set; pods are created in the order of the nodes. */
  readonly nodes: DaemonNodes;
  readonly history: readonly ControllerRevision[];
  /** Until then the watch may not show all pods that the controller created or deleted. */
  readonly heldUntil: Instant | undefined;
};

export type DaemonSetAction =
  | RevisionAction
  | { readonly kind: 'createPod'; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'writeStatus'; readonly status: object };

/** Keeps the revision of the template, one pod on each node that should run one, and the counts of the status. */
export function plan({ set, nodes, history, heldUntil }: DaemonSetSnapshot): ControllerPlan<DaemonSetAction> {
  const { create, remove, status: counts } = planDaemons(set, nodes);
  const template = withRevision(set);
  const podOn = (nodeName: string): Pod =>
    podFromTemplate(pinnedTo(nodeName, template), { type: daemonSets, object: set });
  const moves: readonly DaemonSetAction[] = [
    ...create.map((nodeName) => ({ kind: 'createPod', pod: podOn(nodeName) }) as const),
    ...remove.map((pod) => ({ kind: 'deletePod', pod }) as const),
  ];
  const status = { ...counts, observedGeneration: set.metadata.generation ?? 0 };
  return {
    actions: [
      ...planRevision(daemonSets, set, history).actions,
      ...(heldUntil === undefined ? moves : []),
      ...(differsFromPatch(set.status, status) ? [{ kind: 'writeStatus', status } as const] : []),
    ],
    recheckAt: heldUntil,
  };
}

function withRevision(set: DaemonSet): PodTemplateSpec {
  const { template } = set.spec;
  const labels = { ...template.metadata?.labels, [revisionLabel]: revisionOfDaemonSet(set) };
  return { ...template, metadata: { ...template.metadata, labels } };
}
