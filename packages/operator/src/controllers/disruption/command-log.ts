import { karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import { nodeLabelsOf, nodeNameOf, nodePoolNameOf, type NewNode, type NodeState } from '@nodewright/engine';
import type { LogFields } from '@nodewright/runtime';
import { printSomeNames } from '../../reporting/some-of.ts';
import type { PlannedCommand } from './plan.ts';

/** A command as the log tells it. `command` begins with the reason, which is what people search for. */
export function commandFields(id: string, planned: PlannedCommand): LogFields {
  const { reason, decision, candidates, replacements } = planned;
  return {
    command: `${reason.toLowerCase()}/${id}: ${decision}: ${describeCandidates(candidates)}${describeReplacements(replacements)}`,
    decision,
    'disrupted-node-count': candidates.length,
    'replacement-node-count': replacements.length,
    'pod-count': candidates.reduce((count, { pods }) => count + pods.length, 0),
    'disrupted-nodes': candidates.map(disruptedNode),
    'replacement-nodes': replacements.map(({ newNode }) => replacementNode(newNode)),
  };
}

function describeCandidates(candidates: readonly NodeState[]): string {
  const pools = [...new Set(candidates.map((candidate) => nodePoolNameOf(candidate) ?? ''))].toSorted();
  return `nodepools=[${pools.join(', ')}], nodes=[${candidates.map(describeCandidate).join(', ')}]`;
}

/** `ip-192-168-40-30.ec2.internal/m6g.xlarge/spot`. */
function describeCandidate(candidate: NodeState): string {
  const labels = nodeLabelsOf(candidate);
  return [nodeNameOf(candidate), labels[kubernetesLabels.instanceType], labels[karpenterLabels.capacityType]].join('/');
}

const describeReplacements = (replacements: PlannedCommand['replacements']): string =>
  replacements.map(({ newNode }) => ` -> ${printSomeNames(newNode.instanceTypes.map(({ name }) => name))}`).join('');

function disruptedNode(candidate: NodeState): LogFields {
  const labels = nodeLabelsOf(candidate);
  return {
    Node: { name: nodeNameOf(candidate) },
    NodeClaim: { name: candidate.nodeClaim?.metadata.name },
    'instance-type': labels[kubernetesLabels.instanceType],
    'capacity-type': labels[karpenterLabels.capacityType],
  };
}

function replacementNode({ requirements, instanceTypes }: NewNode): LogFields {
  const [capacityType] = [...(requirements.get(karpenterLabels.capacityType)?.values ?? [])].toSorted();
  return {
    ...(capacityType === undefined ? {} : { 'capacity-type': capacityType }),
    'instance-types': printSomeNames(instanceTypes.map(({ name }) => name)),
  };
}
