import {
  byTextOf,
  karpenterLabels,
  kubernetesLabels,
  type Node,
  oncePerObject,
  type Pod,
  readOwn,
} from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { PodVerdict } from '../explain/explain-pod.ts';
import { readRequestedShares } from '../explain/node-amounts.ts';
import { kubeletTroubles } from '../explain/node-trouble.ts';
import type { NodeRow, NodeStage, WaitingRow } from '../rows/dashboard-rows.ts';
import { readCapacityType, readNodeGroupName } from '../views/node-group.ts';
import { groupWaitingPods } from '../views/waiting-pods.ts';

/** What is shown of it to who may read Nodes or Pods alone. */
export type BareReading = Pick<ClusterReading, 'disruption' | 'pods'>;

/** Nodes as their own objects say they are, without what the controllers make of them. By id. */
export const viewBareNodes = oncePerObject(({ disruption }: BareReading): readonly NodeRow[] =>
  disruption.nodes
    .flatMap((state) => (state.node === undefined ? [] : [viewBareNode({ node: state.node, pods: state.pods })]))
    .toSorted(byTextOf(({ id }) => id)),
);

type BareState = Pick<NodeState, 'pods'> & { readonly node: Node };

/** The NodeClaim is left out: its reader may not read it. */
function viewBareNode(state: BareState): NodeRow {
  const { name, labels, creationTimestamp } = state.node.metadata;
  const { osImage, kubeletVersion } = state.node.status?.nodeInfo ?? {};
  const zone = readOwn(labels, kubernetesLabels.zone);
  const instanceType = readOwn(labels, kubernetesLabels.instanceType);
  const capacityType = readCapacityType(state);
  const pool = readOwn(labels, karpenterLabels.nodePool);
  return {
    id: name,
    group: pool === undefined ? readNodeGroupName(state) : `NodePool/${pool}`,
    ...(zone === undefined ? {} : { zone }),
    ...(instanceType === undefined ? {} : { instanceType }),
    ...(capacityType === undefined ? {} : { capacityType }),
    ...(osImage === undefined ? {} : { image: osImage }),
    ...(kubeletVersion === undefined ? {} : { kubeletVersion }),
    ...(creationTimestamp === undefined ? {} : { createdAt: creationTimestamp }),
    ...describeBareNode(state.node),
    ...readRequestedShares(state),
    explain: `node/${name}`,
  };
}

function describeBareNode(node: Node): { readonly stage: NodeStage; readonly answer: string } {
  const { deletionTimestamp } = node.metadata;
  if (deletionTimestamp !== undefined)
    return { stage: 'leaving', answer: `is being deleted since ${deletionTimestamp}` };
  const hasReported = node.status?.conditions?.some(({ type }) => type === 'Ready') ?? false;
  if (!hasReported) return { stage: 'starting', answer: 'has not reported yet' };
  const troubles = kubeletTroubles(node);
  if (troubles.length > 0) return { stage: 'troubled', answer: `is not as it has to be: ${troubles.join('; ')}` };
  const isCordoned = node.spec?.unschedulable === true;
  return { stage: 'ready', answer: isCordoned ? 'is ready, and cordoned: no new pods come' : 'is ready' };
}

/** Waiting pods as their own objects say why. By id. */
export const viewBarePods = oncePerObject(({ pods }: BareReading): readonly WaitingRow[] =>
  groupWaitingPods(pods, explainByScheduler),
);

/** The scheduler writes into a Pod why it has found no node for it. */
function explainByScheduler({ status }: Pod): PodVerdict {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const { message = '' } = scheduled ?? {};
  return {
    stage: 'unexplained',
    answer: 'waits for a node',
    reasons: message === '' ? [] : [`the scheduler says: ${message}`],
  };
}
