import type { ExistingChange, ExistingNode } from './existing-node.ts';
import type { NodeTemplate } from './node-template.ts';
import { PlannedNode } from './planned-node.ts';
import type { NodeChange } from './planned-node.ts';
import type { ClassifiedPod, PodForm } from './pod-class.ts';
import type { PoolLimits } from './pool-limits.ts';
import type { SchedulingOptions } from './problem.ts';
import type { UnschedulableReason } from './reasons.ts';
import type { ResourceRow } from './resource-rows.ts';
import type { Topology } from './topology/topology.ts';

/** All that pods can be put on, and what is decided about it so far. */
export type Placement = {
  readonly existing: readonly ExistingNode[];
  readonly planned: PlannedNode[];
  readonly templates: readonly NodeTemplate[];
  readonly limits: PoolLimits;
  readonly topology: Topology;
  readonly emptyRow: ResourceRow;
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly options: SchedulingOptions;
};

/**
 * Puts one pod on the first node that takes it: existing ones, then planned ones with the fewest
 * pods first, then a new one of the first pool that can. Gives up one preference at a time until
 * something fits.
 * @returns the reasons of the last try, or `undefined` when the pod has a place
 */
export function place(candidate: ClassifiedPod, placement: Placement): readonly UnschedulableReason[] | undefined {
  let reasons: readonly UnschedulableReason[] = [];
  for (const form of candidate.podClass.forms) {
    if (placeOnExisting(candidate, form, placement) || placeOnPlanned(candidate, form, placement)) return undefined;
    const refusals = placeOnNew(candidate, form, placement);
    if (refusals === undefined) return undefined;
    reasons = refusals;
  }
  return reasons;
}

function placeOnExisting({ pod, podClass }: ClassifiedPod, form: PodForm, { existing }: Placement): boolean {
  for (const node of existing) {
    const answer = node.consider(podClass, form);
    if (answer.kind === 'refused') continue;
    node.add(pod, podClass, answer.change satisfies ExistingChange);
    return true;
  }
  return false;
}

function placeOnPlanned({ pod, podClass }: ClassifiedPod, form: PodForm, { planned }: Placement): boolean {
  for (const [index, node] of planned.entries()) {
    const answer = node.consider(podClass, form, 'Strict');
    if (answer.kind === 'refused') continue;
    node.add(pod, podClass, answer.change satisfies NodeChange);
    keepFewestFirst(planned, index);
    return true;
  }
  return false;
}

/** Moves a node behind those that now have fewer pods; equals keep their order. */
function keepFewestFirst(planned: PlannedNode[], index: number): void {
  const [node] = planned.splice(index, 1);
  if (node === undefined) return;
  let to = index;
  while (to < planned.length && (planned[to]?.pods.length ?? 0) < node.pods.length) to += 1;
  planned.splice(to, 0, node);
}

/** Opens a node of the first pool that can take the pod; otherwise what every pool says against it. */
function placeOnNew(
  { pod, podClass }: ClassifiedPod,
  form: PodForm,
  placement: Placement,
): readonly UnschedulableReason[] | undefined {
  const refusals: UnschedulableReason[] = [];
  for (const template of placement.templates) {
    const nodePool = template.nodePool.metadata.name;
    const opened = openNode(template, placement);
    if ('reason' in opened) {
      refusals.push(opened.reason);
      continue;
    }
    const answer = opened.node.consider(podClass, form, placement.options.minValuesPolicy);
    if (answer.kind === 'fits') {
      opened.node.add(pod, podClass, answer.change);
      placement.limits.spend(template, opened.node.options);
      settle(opened.node, placement.planned);
      return undefined;
    }
    refusals.push({ kind: 'refused', nodePool, obstacle: answer.obstacle });
  }
  return refusals.length > 0 ? refusals : [{ kind: 'noNodePool' }];
}

function openNode(
  template: NodeTemplate,
  placement: Placement,
): { readonly node: PlannedNode } | { readonly reason: UnschedulableReason } {
  const nodePool = template.nodePool.metadata.name;
  if (template.options.length === 0) return { reason: { kind: 'noInstanceTypes', nodePool } };
  const options = placement.limits.admitted(template);
  if ('exceeded' in options) {
    return { reason: { kind: 'refused', nodePool, obstacle: { kind: 'limits', resource: options.exceeded } } };
  }
  const hostname = `hostname-placeholder-${String(placement.planned.length + 1).padStart(8, '0')}`;
  placement.topology.addHostname(hostname);
  const { emptyRow, wellKnownLabels } = placement;
  return { node: new PlannedNode({ template, hostname, options, emptyRow, wellKnownLabels }) };
}

/** A new node goes behind those that have no more pods than it. */
function settle(node: PlannedNode, planned: PlannedNode[]): void {
  let to = planned.length;
  while (to > 0 && (planned[to - 1]?.pods.length ?? 0) > node.pods.length) to -= 1;
  planned.splice(to, 0, node);
}
