import { byTextOf, type Node, type NodeGroup } from '@nodewright/apis';
import type { ScalingGroup, ScalingInstance } from '@nodewright/ports';
import type { Objects } from '../../state/objects.ts';
import { eksLabels } from './names.ts';

/**
 * The nodes of the instances of a group. The label that EKS gives to nodes of a managed group counts only where its
 * Auto Scaling group is not described: every kubelet may put it on its own node.
 * @throws when several nodes carry the id of one instance and EC2's name for it tells none of them from the others
 */
export function findGroupNodes(
  { nodes }: Pick<Objects, 'nodes'>,
  { spec }: NodeGroup,
  scaling: ScalingGroup | undefined,
): readonly Node[] {
  const { eks } = spec;
  if (scaling !== undefined)
    return scaling.instances
      .flatMap((each) => findNode(nodes, each))
      .toSorted(byTextOf(({ metadata }) => metadata.name));
  return eks === undefined
    ? []
    : nodes.list().filter((node) => node.metadata.labels?.[eksLabels.nodeGroup] === eks.name);
}

function findNode(nodes: Objects['nodes'], { id, privateDnsName }: ScalingInstance): readonly Node[] {
  const candidates = nodes.by('instanceId', id);
  if (candidates.length < 2) return candidates;
  const named = candidates.filter(({ metadata }) => metadata.name === privateDnsName || metadata.name === id);
  if (named.length === 1) return named;
  const names = candidates.map(({ metadata }) => metadata.name).join(', ');
  throw new Error(`several nodes carry the id of instance ${id}: ${names}; delete those that are not its node`);
}

/** Before an instance may go: its node and pods as the API server has them. A watch that lags shows neither. */
export async function readLeavingNodes(
  { nodes, pods }: Pick<Objects, 'nodes' | 'pods'>,
  scaling: ScalingGroup | undefined,
): Promise<void> {
  const leaving = (scaling?.instances ?? []).filter(({ lifecycle }) => lifecycle === 'Terminating:Wait');
  for (const { id, privateDnsName } of leaving) {
    const known = nodes.by('instanceId', id).map(({ metadata }) => metadata.name);
    for (const name of known.length > 0 || privateDnsName === undefined ? known : [privateDnsName]) {
      await nodes.read({ name });
      await pods.readAll({ fieldSelector: `spec.nodeName=${name}` });
    }
  }
}
