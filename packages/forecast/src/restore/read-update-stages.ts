import { type Node, nodes, pods } from '@nodewright/apis';
import type { NodeUpdateStage } from '@nodewright/aws-endpoints';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

const taintOfEksUpdates = 'eks.amazonaws.com/nodegroup';

/** How far updates of managed groups have come with the nodes that they set apart, by the ids of instances. */
export function readUpdateStages(kubernetes: Snapshot['kubernetes']): ReadonlyMap<string, NodeUpdateStage> {
  const leaving = snapshotObjects(kubernetes, pods).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const draining = new Set(leaving.map(({ spec }) => spec.nodeName));
  return new Map(
    snapshotObjects(kubernetes, nodes)
      .filter(({ spec }) => spec?.taints?.some(({ key }) => key === taintOfEksUpdates) === true)
      .map((node) => [node.spec?.providerID?.split('/').at(-1) ?? '', updateStageOf(node, draining)] as const),
  );
}

function updateStageOf({ metadata, spec }: Node, draining: ReadonlySet<string | undefined>): NodeUpdateStage {
  if (spec?.unschedulable === true) return 'cordoned';
  return draining.has(metadata.name) ? 'draining' : 'setApart';
}
