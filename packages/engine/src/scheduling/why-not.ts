import { karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import { incompatibility, intersects } from '../requirements/compatibility.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { withoutKeys } from '../requirements/requirement-set.ts';
import { countMinValues } from '../requirements/min-values.ts';
import { nodeClassLabel } from './node-template.ts';
import type { NodeTemplate } from './node-template.ts';
import type { Placement } from './placement.ts';
import type { PlannedNode } from './planned-node.ts';
import type { PodClass, PodForm } from './pod-class.ts';
import type { Obstacle, UnschedulableReason } from './reasons.ts';
import { takenPort } from './host-ports.ts';
import { addRows } from './resource-rows.ts';
import { untoleratedTaint } from './tolerations.ts';
import { placeInTopology } from './topology/topology-placement.ts';
import { hasRoomFor, countsByDriver, narrowedTypes } from './type-filter.ts';
import { fits } from './resource-rows.ts';
import { isShort, printedShortage } from './shortage.ts';
import { typeFunnel, unmetCriteria } from './type-funnel.ts';

/** What every pool says against a pod for which no place was found, in the form with the least preferences. */
export function whyNot(podClass: PodClass, placement: Placement): readonly UnschedulableReason[] {
  const form = podClass.forms.at(-1);
  const { templates } = placement.ground;
  if (templates.length === 0) return [{ kind: 'noNodePool' }];
  if (form === undefined) {
    const obstacle = { kind: 'contradiction' as const, key: podClass.contradictedLabel ?? '' };
    return templates.map(({ nodePool }) => ({ kind: 'refused', nodePool: nodePool.metadata.name, obstacle }));
  }
  return templates.map((template) => whyNotFrom(template, { podClass, form, placement }));
}

/** Labels of our own making that tell a reader nothing: the pool is named beside its reasons. */
const ours = ({ nodePool }: NodeTemplate): ReadonlySet<string> =>
  new Set([
    kubernetesLabels.hostname,
    karpenterLabels.registered,
    karpenterLabels.initialized,
    karpenterLabels.nodePool,
    nodeClassLabel(nodePool.spec.template.spec.nodeClassRef),
  ]);

type Question = { readonly podClass: PodClass; readonly form: PodForm; readonly placement: Placement };

function whyNotFrom(template: NodeTemplate, { podClass, form, placement }: Question): UnschedulableReason {
  const nodePool = template.nodePool.metadata.name;
  if (template.table.options.length === 0) return noInstanceTypes(template);
  const admitted = placement.ground.limits.admitted(template);
  if ('exceeded' in admitted) {
    return { kind: 'refused', nodePool, obstacle: { kind: 'limits', resource: admitted.exceeded } };
  }
  const node = placement.openNode(template);
  if (node === undefined) return noInstanceTypes(template);
  return { kind: 'refused', nodePool, obstacle: obstacleOn(node, { podClass, form, placement }) };
}

function noInstanceTypes(template: NodeTemplate): UnschedulableReason {
  const nodePool = template.nodePool.metadata.name;
  const types = template.short().map(({ type }) => type);
  const why = printedShortage(types, template.requirements);
  if (why !== undefined) return { kind: 'noneForSale', nodePool, types: types.length, why };
  return { kind: 'noInstanceTypes', nodePool, requirements: withoutKeys(template.requirements, ours(template)) };
}

/** The first check on a new node that the pod does not pass. */
function obstacleOn(node: PlannedNode, { podClass, form, placement }: Question): Obstacle {
  const taint = untoleratedTaint(node.template.taints, form.constraints.tolerations);
  if (taint !== undefined) return { kind: 'taint', taint };
  const mayBeUndefined = placement.ground.wellKnownLabels;
  const why = incompatibility(node.requirements, form.requirements, mayBeUndefined);
  if (why !== undefined) return { kind: 'requirements', why };
  let last: Obstacle = { kind: 'resources', requests: podClass.requests };
  for (const volumes of podClass.volumeAlternatives) {
    const wanted = intersectSets(node.requirements, form.requirements);
    const elsewhere = incompatibility(wanted, volumes, mayBeUndefined);
    if (elsewhere !== undefined) {
      last = { kind: 'volume', why: elsewhere };
      continue;
    }
    const { taints } = node.template;
    const candidate = { requirements: intersectSets(wanted, volumes), taints, mayBeUndefined };
    const answer = placeInTopology(form, candidate);
    last = answer.kind === 'refused' ? answer.obstacle : typesObstacle(node, podClass, answer.requirements, placement);
  }
  return last;
}

function typesObstacle(
  node: PlannedNode,
  podClass: PodClass,
  requirements: PlannedNode['requirements'],
  placement: Placement,
): Obstacle {
  const { table } = node.template;
  const total = addRows(placement.ground.emptyRow, podClass.row);
  const demand = {
    before: node.requirements,
    requirements,
    total,
    hostPorts: podClass.hostPorts,
    attached: podClass.attached,
  };
  const left = table.members(narrowedTypes(table, node.types, demand));
  if (left.length > 0) {
    const { short } = countMinValues(
      requirements,
      left.map(({ type }) => type),
    );
    return { kind: 'minValues', short };
  }
  const wouldDo = node.template
    .short()
    .filter(
      ({ type, available }) =>
        intersects(requirements, type.requirements) &&
        isShort(type, requirements) &&
        fits(total, available) &&
        hasRoomFor(type, countsByDriver(podClass.attached)),
    );
  const options = [...table.members(node.types), ...wouldDo];
  const portTaken = options
    .map(({ daemons }) => takenPort(podClass.hostPorts, daemons.hostPorts))
    .find((port) => port !== undefined);
  const { names } = placement.ground;
  const funnel = typeFunnel(options, { ...demand, names });
  if (portTaken !== undefined && funnel.steps.at(-1)?.left !== 0) return { kind: 'hostPort', port: portTaken };
  const unmet = unmetCriteria(options, { requirements, total });
  return {
    kind: 'instanceTypes',
    unmet,
    funnel,
    requirements: withoutKeys(requirements, ours(node.template)),
    requests: podClass.requests,
  };
}
