import {
  awsAnnotations,
  conditionOf,
  finalizers,
  fromTimestamp,
  instant,
  nodeClaims,
  type Condition,
  type ConditionUpdate,
  type EC2NodeClass,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import {
  ec2NodeClassHash,
  hashVersion,
  printBlockedEvent,
  type DisruptionBlocker,
  type DisruptionCandidate,
  type NewNode,
} from '@nodewright/engine';
import { parseRequirements } from '@nodewright/requirements';
import { aNode, aNodeClass, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { aClaim } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { planConsistency } from '../controllers/consistency/plan.ts';
import { reportConsistency } from '../controllers/consistency/report.ts';
import { reportMoves, reportRejection } from '../controllers/disruption/consolidation-report.ts';
import { reportBlocked, reportDisruption } from '../controllers/disruption/report.ts';
import { reportEviction } from '../controllers/eviction/report.ts';
import { reportInterruption, reportUnhealthy, reportClaimEnd } from '../controllers/interruption/report.ts';
import { initializationBlocker } from '../controllers/node-claim/initialization.ts';
import { nodeNotFound } from '../controllers/node-claim/node-not-found.ts';
import { reportDeadline, reportGivingUp, reportMissingTaint } from '../controllers/node-claim/report.ts';
import { reportWaitingOnClaims } from '../controllers/node-class/report.ts';
import type { NodeClassSnapshot } from '../controllers/node-class/observe.ts';
import { planNodeClass } from '../controllers/node-class/plan.ts';
import { planNodePool } from '../controllers/node-pool/plan.ts';
import { reportUnresolvedClass } from '../controllers/node-pool/report.ts';
import { reportRepairHold } from '../controllers/node-repair/report.ts';
import { reportProtection } from '../controllers/pod-protection/report.ts';
import { reportStatusChange } from '../controllers/status-changes/report.ts';
import { reportAttachedVolumes, reportDraining, reportTainted } from '../controllers/termination/report.ts';
import type { ReportEntry } from './report-entry.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const claim = aClaim('one');
const node: Node = { metadata: { name: 'n', uid: 'uid-n' }, spec: {}, status: {} };
const pod = aPod('web', { nodeName: 'n' });
const budgets = ['default/web'];

const candidate: DisruptionCandidate = {
  state: aNode('a'),
  nodePool: aNodePool(),
  reschedulable: [],
  priceMicroUsdPerHour: 300_000,
  rescheduleCost: 1,
};
const replacement: NewNode = {
  nodePool: aNodePool(),
  requirements: parseRequirements([]),
  instanceTypes: [anInstanceType('c2', { cpu: 2 })],
  requests: {},
  pods: [],
  minValuesRelaxed: false,
};
const move = { candidates: [candidate], replacements: [replacement], destinations: [] };
const score = {
  nodePool: 'default',
  savingsShare: 0.5,
  disruptionShare: 1,
  score: 0.5,
  threshold: 0.5,
  isApproved: true,
};

/** Every event of the entries, as `kind reason: message`. */
const printEvents = (entries: readonly ReportEntry[]): readonly string[] =>
  entries.flatMap((entry) =>
    entry.kind === 'event' ? [`${entry.event.kind.kind} ${entry.event.reason}: ${entry.event.message}`] : [],
  );

const withoutClass = {
  ...aNodePool(),
  status: {
    conditions: [{ type: 'NodeClassReady', status: 'False', lastTransitionTime: '2024-01-28T15:00:00Z' } as const],
  },
};

const evictionFrom = { pod, node, claim, deadline: now, isGranted: false };
const transition = (status: 'True' | 'False', reason: string, message: string): NodeClaim => ({
  ...claim,
  status: { conditions: [{ type: 'Launched', status, reason, message }] },
});

/** Karpenter's beginnings. Other people's checks and dashboards match on them: what else is known stands behind. */
describe('an event begins with the words of Karpenter', () => {
  const victim = { claim, node };
  test.each<readonly [string, readonly ReportEntry[]]>([
    [
      'NodeClaim InsufficientCapacityError: NodeClaim one event: ',
      reportGivingUp(claim, { reason: 'insufficient_capacity', because: 'none' }),
    ],
    [
      'NodeClaim : Failed resolving NodeClass',
      reportGivingUp(claim, {
        reason: 'insufficient_capacity',
        because: 'none',
        warning: { reason: '', message: 'Failed resolving NodeClass' },
      }),
    ],
    [
      'NodePool : Failed resolving NodeClass',
      reportUnresolvedClass({ nodePool: withoutClass, nodeClass: undefined, claims: [], used: {} }, now),
    ],
    [
      'NodeClaim UnregisteredTaintMissing: Missing karpenter.sh/unregistered taint which prevents registration related race conditions on Karpenter-managed nodes',
      reportMissingTaint(claim, node),
    ],
    [
      'NodeClaim TerminationGracePeriodExpiring: All pods will be deleted by 2024-01-28T16:00:00Z',
      reportDeadline(claim, now),
    ],
    [
      'Node TerminationGracePeriodExpiring: All pods will be deleted by 2024-01-28T16:00:00Z',
      reportTainted({ node, claim, deadline: now }),
    ],
    ['Node FailedDraining: Failed to drain node, 3 pods are waiting to be evicted', reportDraining(node, 3)],
    [
      'Node AwaitingVolumeDetachment: Awaiting deletion of bound volumeattachments (a, b)',
      reportAttachedVolumes(node, ['a', 'b']),
    ],
    [
      'Node FailedDraining: Failed to drain node, evicting pod default/web violates a PDB',
      reportEviction(evictionFrom, { kind: 'refused', code: 429, blocker: { kind: 'unobservedBudget', budgets } }),
    ],
    ['Pod Evicted: Evicted pod: Forceful Termination', reportEviction(evictionFrom, { kind: 'evicted' })],
    [
      'Pod Disrupted: Deleting the pod to accommodate the terminationTime 2024-01-28T16:00:00Z of the node. The pod was granted 7 seconds of grace-period of its 30 terminationGracePeriodSeconds. This bypasses the PDB of the pod and the do-not-disrupt annotation.',
      reportEviction(evictionFrom, { kind: 'forced', graceSeconds: 7 }),
    ],
    [
      'Node DisruptionTerminating: Disrupting Node: Drifted',
      reportDisruption({ claim, node }, { reason: 'Drifted', policy: undefined, pods: 0 }),
    ],
    [
      'NodeClaim DisruptionTerminating: Disrupting NodeClaim: Drifted',
      reportDisruption({ claim, node }, { reason: 'Drifted', policy: undefined, pods: 0 }),
    ],
    ['Node DisruptionBlocked: Node is nominated for a pending pod', reportBlocked(aNode('a'), { kind: 'nominated' })],
    [
      'Node ConsolidationRejected: Consolidation rejected: replace node a/',
      reportRejection({ reason: 'Underutilized', ...move }, [{ claim: 'a-claim', because: 'budget' }]),
    ],
    [
      'EC2NodeClass WaitingOnNodeClaimTermination: Waiting on NodeClaim termination for one',
      reportWaitingOnClaims(aNodeClass(), [claim]),
    ],
    [
      'Node NodeRepairBlocked: more than 20% nodes are unhealthy in the nodepool',
      reportRepairHold(node, { kind: 'hold', unhealthy: 3, tolerated: 2, among: 'NodePool default' }),
    ],
    [
      'Node NodeRepairBlocked: more than 20% nodes are unhealthy in the cluster',
      reportRepairHold(node, { kind: 'hold', unhealthy: 3, tolerated: 2, among: 'the cluster' }),
    ],
    [
      'NodeClaim FailedConsistencyCheck: expected 4 of resource cpu, but found 2 (50.0% of expected)',
      reportConsistency(claim, {
        after: claim,
        problems: ['expected 4 of resource cpu, but found 2 (50.0% of expected)'],
      }),
    ],
    [
      'Pod InvalidDoNotDisruptAnnotation: Invalid karpenter.sh/do-not-disrupt annotation: ',
      reportProtection(pod, { kind: 'invalid', value: 'maybe' }),
    ],
    [
      'Pod DoNotDisruptUntil: The karpenter.sh/do-not-disrupt grace period will elapse at 2024-01-28T16:00:00Z',
      reportProtection(pod, { kind: 'holds', until: now }),
    ],
    [
      'Pod DoNotDisruptGracePeriodElapsed: The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable',
      reportProtection(pod, { kind: 'elapsed' }),
    ],
    [
      'NodeClaim Launched: Status condition transitioned, Type: Launched, Status: False -> True, Reason: Launched',
      reportStatusChange(
        nodeClaims,
        { before: transition('False', 'x', ''), after: transition('True', 'Launched', '') },
        now,
      ),
    ],
    [
      'NodeClaim Launched: Status condition transitioned, Type: Launched, Status: True -> False, Reason: x, Message: y',
      reportStatusChange(
        nodeClaims,
        { before: transition('True', 'Launched', ''), after: transition('False', 'x', 'y') },
        now,
      ),
    ],
    [
      'NodeClaim SpotInterrupted: Spot interruption warning was triggered',
      reportInterruption('spot_interrupted', victim),
    ],
    [
      'Node SpotRebalanceRecommendation: Spot rebalance recommendation was triggered',
      reportInterruption('rebalance_recommendation', victim),
    ],
    ['NodeClaim InstanceStopping: Instance is stopping', reportInterruption('instance_stopped', victim)],
    ['NodeClaim InstanceTerminating: Instance is terminating', reportInterruption('instance_terminated', victim)],
    [
      'NodeClaim InstanceUnhealthy: An unhealthy warning was triggered for the instance',
      reportInterruption('scheduled_change', victim),
    ],
    ['Node InstanceUnhealthy: An unhealthy warning was triggered for the instance', reportUnhealthy(victim)],
    [
      'NodeClaim CapacityReservationInstanceInterrupted: Capacity Reservation interruption warning was triggered',
      reportInterruption('capacity_reservation_interrupted', victim),
    ],
    [
      'NodeClaim TerminatingOnInterruption: Interruption triggered termination for the NodeClaim',
      reportClaimEnd(victim, { reason: 'spot_interrupted', message: 'x' }),
    ],
    [
      'Node TerminatingOnInterruption: Interruption triggered termination for the Node',
      reportClaimEnd(victim, { reason: 'spot_interrupted', message: 'x' }),
    ],
  ])('%s', (beginning, entries) => {
    expect(printEvents(entries)).toContainEqual(expect.stringContaining(beginning));
  });
});

describe('the event DisruptionBlocked begins with the words of Karpenter', () => {
  const eviction = { kind: 'unobservedBudget', budgets: ['default/a', 'default/b'] } as const;
  test.each<readonly [string, DisruptionBlocker]>([
    ['Nodeclaim does not have an associated node', { kind: 'noNode' }],
    ["Node isn't initialized", { kind: 'uninitialized' }],
    ['Node is deleting or marked for deletion', { kind: 'leaving' }],
    ['Node is nominated for a pending pod', { kind: 'nominated' }],
    ['Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation', { kind: 'doNotDisruptNode' }],
    ["Node doesn't have required label (label=karpenter.sh/nodepool)", { kind: 'noNodePoolLabel' }],
    ['NodePool not found (NodePool=default)', { kind: 'nodePoolNotFound', nodePool: 'default' }],
    ['NodePool not found (NodePool=default)', { kind: 'noInstanceTypes', nodePool: 'default' }],
    ['Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)', { kind: 'protectedPod', pod }],
    ['Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)', { kind: 'protectedPod', pod, until: now }],
    ['Pdb prevents pod evictions (PodDisruptionBudget=[default/a default/b])', { kind: 'eviction', pod, eviction }],
    ['Not all pods would schedule, default/web => ', { kind: 'unschedulablePods', pods: [{ pod, reasons: [] }] }],
  ])('%s', (beginning, blocker) => expect(printBlockedEvent(blocker).startsWith(beginning)).toBe(true));
});

const created = '2024-01-28T15:00:00Z';
const notAsked = { kind: 'notAsked' } as const;
const found = <T>(value: T) => ({ kind: 'found', value }) as const;

function aStoredClass(spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass {
  const nodeClass = aNodeClass(spec);
  const hashes = {
    [awsAnnotations.ec2NodeClassHash]: ec2NodeClassHash(nodeClass),
    [awsAnnotations.ec2NodeClassHashVersion]: hashVersion,
  };
  const held = {
    generation: 1,
    creationTimestamp: created,
    finalizers: [finalizers.ec2NodeClass],
    annotations: hashes,
  };
  return { ...nodeClass, metadata: { ...nodeClass.metadata, ...held } };
}

/** Nothing that the terms ask for exists. */
const nothingFound: NodeClassSnapshot = {
  pace: 'close',
  nodeClass: aStoredClass(),
  claims: [],
  kubernetesVersion: found('1.28'),
  images: found({ images: [], foundAt: now }),
  subnets: found([]),
  securityGroups: found([]),
  capacityReservations: found([]),
  placementGroup: found(undefined),
  instanceProfile: notAsked,
  validation: notAsked,
};

function classCondition(type: string, traits: Partial<NodeClassSnapshot> = {}): Condition | undefined {
  const [write] = planNodeClass({ ...nothingFound, ...traits }, now).actions;
  return write?.kind === 'write' ? conditionOf(write.after, type) : undefined;
}

function poolCondition(nodeClass: EC2NodeClass | undefined): Condition | undefined {
  const nodePool = { ...aNodePool(), metadata: { ...aNodePool().metadata, generation: 1, creationTimestamp: created } };
  const write = planNodePool({ nodePool, nodeClass, claims: [], used: {} }, now).find(({ kind }) => kind === 'write');
  return write?.kind === 'write' ? conditionOf(write.after, 'NodeClassReady') : undefined;
}

const inGroup = aStoredClass({ placementGroupSelector: { name: 'close' } });

const aReadyNode: Node = { ...node, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const tainted = (key: string): Node => ({
  ...aReadyNode,
  spec: { taints: [{ key, value: 'x', effect: 'NoSchedule' }] },
});
const startup: NodeClaim = {
  ...claim,
  spec: { ...claim.spec, startupTaints: [{ key: 'cilium', value: 'x', effect: 'NoSchedule' }] },
};
const wantsGpu: NodeClaim = { ...claim, spec: { ...claim.spec, resources: { requests: { 'nvidia.com/gpu': '1' } } } };
const small: NodeClaim = {
  ...claim,
  spec: { ...claim.spec, resources: { requests: { cpu: '1' } } },
  status: { capacity: { cpu: '4' } },
};

describe('a condition begins with the words of Karpenter', () => {
  test.each<readonly [string, string, Pick<ConditionUpdate, 'reason' | 'message'> | undefined]>([
    ['AMINotFound', 'AMISelector did not match any AMIs', classCondition('AMIsReady')],
    ['SubnetsNotFound', 'SubnetSelector did not match any Subnets', classCondition('SubnetsReady')],
    [
      'SecurityGroupsNotFound',
      'SecurityGroupSelector did not match any SecurityGroups',
      classCondition('SecurityGroupsReady'),
    ],
    [
      'PlacementGroupNotFound',
      'Placement group "close" not found',
      classCondition('PlacementGroupReady', { nodeClass: inGroup }),
    ],
    ['AwaitingReconciliation', 'object is awaiting reconciliation', classCondition('InstanceProfileReady')],
    [
      'DependenciesNotReady',
      'Awaiting AMI, Instance Profile, Security Group, and Subnet resolution',
      classCondition('ValidationSucceeded'),
    ],
    [
      'UnhealthyDependents',
      'ValidationSucceeded=False, SecurityGroupsReady=False, SubnetsReady=False, AMIsReady=False, InstanceProfileReady=Unknown',
      classCondition('Ready'),
    ],
    ['NodeClassNotFound', 'NodeClass not found on cluster', poolCondition(undefined)],
    [
      'NodeClassTerminating',
      'NodeClass is Terminating',
      poolCondition({ ...aNodeClass(), metadata: { name: 'default', deletionTimestamp: created } }),
    ],
    ['NodeClassReadinessUnknown', 'Node Class Readiness Unknown', poolCondition(aNodeClass())],
    ['NodeNotFound', 'Node not registered with cluster', nodeNotFound('Registered')],
    ['NodeNotFound', 'Node not registered with cluster', nodeNotFound('Initialized')],
    ['NodeNotReady', 'Node status is NotReady', initializationBlocker(claim, node)],
    [
      'StartupTaintsExist',
      'StartupTaint "cilium=x:NoSchedule" still exists',
      initializationBlocker(startup, tainted('cilium')),
    ],
    [
      'KnownEphemeralTaintsExist',
      'KnownEphemeralTaint "node.cloudprovider.kubernetes.io/uninitialized=x:NoSchedule" still exists',
      initializationBlocker(claim, tainted('node.cloudprovider.kubernetes.io/uninitialized')),
    ],
    [
      'ResourceNotRegistered',
      'Resource "nvidia.com/gpu" was requested but not registered',
      initializationBlocker(wantsGpu, aReadyNode),
    ],
    [
      'ConsistencyCheckFailed',
      'Consistency Check Failed',
      conditionOf(planConsistency({ claim: small, node: aReadyNode }, instant(0)).after, 'ConsistentStateFound'),
    ],
  ])('%s: %s', (reason, beginning, condition) => {
    expect(condition?.reason).toBe(reason);
    expect(condition?.message?.slice(0, beginning.length)).toBe(beginning);
  });
});

describe('a move is told with the words of Karpenter', () => {
  const method = {
    name: 'any',
    reason: 'Underutilized',
    consolidationType: 'single',
    plan: () => ({ commands: [], eligible: [], blocked: [] }),
  } as const;
  const search = { outweighed: [], refused: [], looked: [], isHeldByBudgets: false, isCutShort: false };
  const plan = { commands: [], eligible: [], blocked: [], search: { ...search, found: { move, scores: [score] } } };
  const told = printEvents(reportMoves({ method, plan }));
  test.each([
    'Node ConsolidationCandidate: Consolidation candidate: replace node a/',
    'score 0.50 >= threshold 0.50 (k: 2)',
  ])('%s', (words) => expect(told).toContainEqual(expect.stringContaining(words)));
});
