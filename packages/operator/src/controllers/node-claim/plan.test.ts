import {
  conditionTrue,
  conditionUnknown,
  finalizers,
  fromTimestamp,
  instant,
  nodeClaimConditions,
  withCondition,
  withInitialConditions,
  type EC2NodeClass,
  type NodeClaim,
  type Node,
} from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { launchAttemptAnnotation } from '../../names.ts';
import type { ClaimPlan } from './action.ts';
import type { ClaimSnapshot } from './observe.ts';
import { planNodeClaim } from './plan.ts';

const created = fromTimestamp('2024-01-28T16:00:00Z');
const minutes = (count: number) => instant(created + count * 60_000);

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

/** As it was created. */
const aNewClaim: NodeClaim = {
  metadata: {
    name: 'default-abcde',
    uid: 'uid-1',
    generation: 1,
    creationTimestamp: '2024-01-28T16:00:00Z',
    finalizers: [finalizers.termination],
    annotations: { [launchAttemptAnnotation]: '1' },
  },
  spec: { nodeClassRef, requirements: [], resources: { requests: { cpu: '1' } } },
};

/** Adopted, nothing more. */
const aClaim = withInitialConditions(nodeClaimConditions, aNewClaim, created);

const having = (claim: NodeClaim, ...types: readonly string[]): NodeClaim =>
  types.reduce((current, type) => withCondition(nodeClaimConditions, current, conditionTrue(type), created), claim);

const launched: NodeClaim = {
  ...having(aClaim, 'Launched'),
  status: { ...having(aClaim, 'Launched').status, providerID: 'aws:///us-east-1a/i-1' },
};
const registered: NodeClaim = {
  ...having(launched, 'Registered'),
  status: { ...having(launched, 'Registered').status, nodeName: 'node-1' },
};
/** Its `status.nodeName` leads elsewhere. */
const misnamed: NodeClaim = { ...registered, status: { ...registered.status, nodeName: 'node-9' } };

const deleted = (claim: NodeClaim, spec: Partial<NodeClaim['spec']> = {}): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, deletionTimestamp: '2024-01-28T17:00:00Z' },
  spec: { ...claim.spec, ...spec },
});

const aNode = (traits: Partial<Node['spec']> & { ready?: boolean; deleting?: boolean } = {}): Node => ({
  metadata: {
    name: 'node-1',
    uid: 'uid-node-1',
    ...(traits.deleting ? { deletionTimestamp: '2024-01-28T17:00:00Z' } : {}),
  },
  spec: { providerID: 'aws:///us-east-1a/i-1', taints: traits.taints ?? [] },
  status: {
    allocatable: { cpu: '2' },
    conditions: [{ type: 'Ready', status: traits.ready === false ? 'False' : 'True' }],
  },
});

/** Its claim may not tell of it yet: whoever registered it may have ended in between. */
const aRegisteredNode: Node = {
  ...aNode(),
  metadata: { ...aNode().metadata, labels: { 'karpenter.sh/registered': 'true' } },
};

const ami = { id: 'ami-1', requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] } as const;

const aNodeClass = (ready: 'True' | 'False' | 'Unknown' = 'True', validUntil?: string): EC2NodeClass => ({
  metadata: {
    name: 'default',
    generation: 1,
    ...(validUntil === undefined ? {} : { annotations: { 'nodewright.dev/decision-valid-until': validUntil } }),
  },
  spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  status: { amis: [ami], conditions: [{ type: 'Ready', status: ready, observedGeneration: 1, message: 'because' }] },
});

const seen = (claim: NodeClaim, traits: Partial<ClaimSnapshot> = {}): ClaimSnapshot => ({
  claim,
  nodeClass: aNodeClass(),
  node: undefined,
  strangers: [],
  isShared: false,
  closedImages: [],
  isLookedAt: true,
  images: { kind: 'selected', images: [ami] },
  instanceTypes: [anInstanceType('m5.large', { cpu: 2 }), anInstanceType('tiny', { cpu: 1 })],
  ...traits,
});

const told = ({ action, recheckAt }: ClaimPlan): string => {
  if (action === undefined) return recheckAt === undefined ? 'nothing' : 'wait';
  if (action.kind === 'mark') return `mark ${action.condition.type} ${action.condition.reason}`;
  if (action.kind === 'delete') return `delete ${action.reason}`;
  return action.kind;
};

const unregistered = conditionUnknown('Registered', 'NodeNotFound', '');
const waitingForNode = withCondition(nodeClaimConditions, launched, unregistered, created);
const tainted = { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } as const;
const cilium = { key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' } as const;
const withStartup: NodeClaim = { ...registered, spec: { ...registered.spec, startupTaints: [cilium] } };
const wantsGpu: NodeClaim = {
  ...registered,
  spec: { ...registered.spec, resources: { requests: { 'nvidia.com/gpu': '1' } } },
};
const withoutFinalizer: NodeClaim = { ...aClaim, metadata: { ...aClaim.metadata, finalizers: [] } };
const withoutAttempt: NodeClaim = { ...aClaim, metadata: { ...aClaim.metadata, annotations: {} } };

describe('the next step of a claim', () => {
  for (const { fact, snapshot, at = 1, step } of [
    { fact: 'is the finalizer before anything else', snapshot: seen(withoutFinalizer), step: 'adopt' },
    { fact: 'is a number for the launch before the launch', snapshot: seen(withoutAttempt), step: 'adopt' },
    { fact: 'is to say that it is not launched yet', snapshot: seen(aNewClaim), step: 'adopt' },
    { fact: 'is its launch', snapshot: seen(aClaim), step: 'launch' },
    {
      fact: 'is its end when the class is gone',
      snapshot: seen(aClaim, { nodeClass: undefined }),
      step: 'delete insufficient_capacity',
    },
    {
      fact: 'is its end when the class is not ready',
      snapshot: seen(aClaim, { nodeClass: aNodeClass('False') }),
      step: 'delete nodeclass_not_ready',
    },
    {
      fact: 'is to wait for the class to be judged',
      snapshot: seen(aClaim, { nodeClass: aNodeClass('Unknown') }),
      step: 'mark Launched NodeClassReadinessUnknown',
    },
    {
      fact: 'is to wait when the image decision has ended',
      snapshot: seen(aClaim, { nodeClass: aNodeClass('True', '2024-01-28T16:00:30Z') }),
      step: 'wait',
    },
    {
      fact: 'is its launch while the image decision holds',
      snapshot: seen(aClaim, { nodeClass: aNodeClass('True', '2024-01-28T16:01:30Z') }),
      step: 'launch',
    },
    {
      fact: 'is its end when nothing is big enough',
      snapshot: seen(aClaim, { instanceTypes: [anInstanceType('tiny', { cpu: 1 })] }),
      step: 'delete insufficient_capacity',
    },
    {
      fact: 'is its end after five minutes without a launch',
      snapshot: seen(aClaim),
      at: 5,
      step: 'delete launch_timeout',
    },
    { fact: 'is to tell that no node has come', snapshot: seen(launched), step: 'mark Registered NodeNotFound' },
    { fact: 'is to wait for the node once told', snapshot: seen(waitingForNode), step: 'wait' },
    {
      fact: 'is its end after fifteen minutes without a node',
      snapshot: seen(waitingForNode),
      at: 15,
      step: 'delete registration_timeout',
    },
    {
      fact: 'is to wait while a rollout has still to say that it failed',
      snapshot: seen(waitingForNode, { keptUntil: minutes(20) }),
      at: 19,
      step: 'wait',
    },
    {
      fact: 'is its end when the rollout has not said so for too long',
      snapshot: seen(waitingForNode, { keptUntil: minutes(20) }),
      at: 20,
      step: 'delete registration_timeout',
    },
    {
      fact: 'is registration even then, once its node is open to pods',
      snapshot: seen(waitingForNode, { node: aRegisteredNode }),
      at: 15,
      step: 'register',
    },
    {
      fact: 'is registration when its node has come',
      snapshot: seen(launched, { node: aNode() }),
      step: 'register',
    },
    {
      fact: 'is to tell of two nodes',
      snapshot: seen(launched, { strangers: [aNode(), aNode()] }),
      step: 'mark Registered MultipleNodesFound',
    },
    {
      fact: 'is to tell of one node of which that is not known',
      snapshot: seen(launched, { strangers: [aNode()] }),
      step: 'mark Registered NodeNotConfirmed',
    },
    {
      fact: 'is registration of its own node among several',
      snapshot: seen(launched, { node: aNode(), strangers: [aNode()] }),
      step: 'register',
    },
    {
      fact: 'is its end in time, whatever strangers there are',
      snapshot: seen(waitingForNode, { strangers: [aRegisteredNode] }),
      at: 15,
      step: 'delete registration_timeout',
    },
    {
      fact: 'is registration anew when its node has another name than it tells',
      snapshot: seen(having(misnamed, 'Initialized'), { node: aNode() }),
      at: 999,
      step: 'register',
    },
    {
      fact: 'is to tell that the node is not ready',
      snapshot: seen(registered, { node: aNode({ ready: false }) }),
      step: 'mark Initialized NodeNotReady',
    },
    {
      fact: 'is to wait for startup taints',
      snapshot: seen(withStartup, { node: aNode({ taints: [cilium] }) }),
      step: 'mark Initialized StartupTaintsExist',
    },
    {
      fact: 'is to wait for taints that go by themselves',
      snapshot: seen(registered, { node: aNode(tainted) }),
      step: 'mark Initialized KnownEphemeralTaintsExist',
    },
    {
      fact: 'is to wait for what was asked for',
      snapshot: seen(wantsGpu, { node: aNode() }),
      step: 'mark Initialized ResourceNotRegistered',
    },
    {
      fact: 'is initialization when the node is ready',
      snapshot: seen(registered, { node: aNode() }),
      step: 'initialize',
    },
    {
      fact: 'is nothing once initialized',
      snapshot: seen(having(registered, 'Initialized'), { node: aNode({ ready: false }) }),
      at: 999,
      step: 'nothing',
    },
    {
      fact: 'is a deadline when it is deleted and has a grace period',
      snapshot: seen(deleted(registered, { terminationGracePeriod: '1h' })),
      step: 'annotateDeadline',
    },
    {
      fact: 'is the end of its node when it is deleted',
      snapshot: seen(deleted(registered), { node: aNode() }),
      step: 'deleteNode',
    },
    {
      fact: 'is to let its node drain',
      snapshot: seen(deleted(registered), { node: aNode({ deleting: true }) }),
      step: 'nothing',
    },
    {
      fact: 'is the end of its instance when the node is gone',
      snapshot: seen(deleted(registered)),
      step: 'terminateInstance',
    },
    {
      fact: 'leaves a node alone that never registered',
      snapshot: seen(deleted(launched), { node: aNode() }),
      step: 'terminateInstance',
    },
    {
      fact: 'is to tell of a node that registered half-way',
      snapshot: seen(deleted(launched), { node: aRegisteredNode }),
      step: 'bind',
    },
    {
      fact: 'is to tell of the node of its instance when it tells of another',
      snapshot: seen(deleted(misnamed), { node: aNode() }),
      step: 'bind',
    },
    {
      fact: 'leaves strangers alone',
      snapshot: seen(deleted(registered), { strangers: [aRegisteredNode] }),
      step: 'terminateInstance',
    },
    {
      fact: 'is to let go when another claim has its instance',
      snapshot: seen(deleted(registered), { node: aNode(), isShared: true }),
      step: 'release',
    },
    { fact: 'is to let go when nothing was launched', snapshot: seen(deleted(aClaim)), step: 'release' },
  ] satisfies readonly { fact: string; snapshot: ClaimSnapshot; at?: number; step: string }[]) {
    test(fact, () => {
      expect(told(planNodeClaim(snapshot, minutes(at)))).toBe(step);
    });
  }

  test('a claim that no image suits is looked at again when its time is up, though nothing changes', () => {
    const nodeClass = { ...aNodeClass(), status: { ...aNodeClass().status, amis: [] } };
    const plan = planNodeClaim(seen(aClaim, { nodeClass, images: { kind: 'selected', images: [] } }), minutes(1));
    expect(plan).toMatchObject({ action: { kind: 'mark' }, recheckAt: minutes(5) });
  });

  test('a launch asks for types that fit, with the images that suit them and the stored attempt', () => {
    const { action } = planNodeClaim(seen(aClaim), minutes(1));
    if (action?.kind !== 'launch') throw new Error('expected a launch');
    const { attempt, images, instanceTypes } = action.request;
    expect({ attempt, images, types: instanceTypes.map(({ name }) => name) }).toEqual({
      attempt: 1,
      images: [ami],
      types: ['m5.large'],
    });
  });
});
