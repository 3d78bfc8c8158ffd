import {
  kubernetesLabels,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { selectedNodeKey } from './claim-step.ts';
import { type VolumeClaimAction, type VolumeClaimSnapshot, plan, type VolumePhase } from './plan.ts';

const aClaim = (changes: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  metadata: { name: 'data', namespace: 'default', uid: 'uid-data' },
  spec: { storageClassName: 'gp3', resources: { requests: { storage: '4Gi' } } },
  ...changes,
});

const aVolume = (name: string, spec: PersistentVolume['spec'] = {}, phase?: VolumePhase): PersistentVolume => ({
  metadata: { name },
  spec: { storageClassName: 'gp3', capacity: { storage: '8Gi' }, ...spec },
  ...(phase === undefined ? {} : { status: { phase } }),
});

const aClass = (changes: Partial<StorageClass> = {}): StorageClass => ({
  metadata: { name: 'gp3' },
  provisioner: 'ebs.csi.aws.com',
  ...changes,
});
const waiting: StorageClass = aClass({ volumeBindingMode: 'WaitForFirstConsumer' });
const marked = (name: string, creationTimestamp: string): StorageClass =>
  aClass({
    metadata: { name, creationTimestamp, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  });

const nodeIn = (zone: string): Node => ({ metadata: { name: 'node-1', labels: { [kubernetesLabels.zone]: zone } } });
const ownReference = { name: 'data', namespace: 'default', uid: 'uid-data' };
const formerReference = { ...ownReference, uid: 'uid-of-the-former' };

const showAction = (action: VolumeClaimAction): string => {
  switch (action.kind) {
    case 'writePhase':
      return `${action.volume.metadata.name} is ${action.phase}`;
    case 'changeClaim':
      return `change ${JSON.stringify(action.patch)}`;
    case 'report':
      return action.reason;
    case 'writeClaimStatus':
      return 'claim is Bound';
    default:
      return `${action.kind} ${action.volume.metadata.name}`;
  }
};

type Changes = Partial<Omit<VolumeClaimSnapshot, 'storage'>> & {
  readonly storage?: Partial<VolumeClaimSnapshot['storage']>;
};

const actionsFor = ({ storage = {}, ...changes }: Changes): readonly string[] => {
  const facts = { storageClasses: [aClass()], volumes: [], selectedNode: undefined, ...storage };
  const snapshot = { claim: aClaim(), claimed: [], volume: undefined, firstZone: undefined, ...changes };
  return plan({ ...snapshot, storage: facts }).actions.map(showAction);
};

const selecting = { ...aClaim().metadata, annotations: { [selectedNodeKey]: 'node-1' } };
const boundTo = (name: string): string =>
  `change ${JSON.stringify({
    metadata: {
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' },
    },
    spec: { volumeName: name },
  })}`;

type ClaimCase = { readonly fact: string; readonly changes: Changes; readonly actions: readonly string[] };

const cases: readonly ClaimCase[] = [
  {
    fact: 'without a class gets the youngest default class',
    changes: {
      claim: aClaim({ spec: {} }),
      storage: { storageClasses: [marked('old', '2024-01-01T00:00:00Z'), marked('new', '2024-01-02T00:00:00Z')] },
    },
    actions: ['change {"spec":{"storageClassName":"new"}}'],
  },
  {
    fact: 'without a class waits when no class is the default',
    changes: { claim: aClaim({ spec: {} }) },
    actions: ['FailedBinding'],
  },
  {
    fact: 'waits for its class',
    changes: { storage: { storageClasses: [] } },
    actions: ['ProvisioningFailed'],
  },
  {
    fact: 'waits for its first pod when the class says so',
    changes: { storage: { storageClasses: [waiting] } },
    actions: ['WaitForFirstConsumer'],
  },
  {
    fact: 'forgets a selected node that is gone',
    changes: { claim: aClaim({ metadata: selecting }), storage: { storageClasses: [waiting] } },
    actions: [`change {"metadata":{"annotations":{"${selectedNodeKey}":null}}}`],
  },
  {
    fact: 'gets a volume in the zone of its selected node',
    changes: {
      claim: aClaim({ metadata: selecting }),
      storage: { storageClasses: [waiting], selectedNode: nodeIn('us-east-1b') },
      firstZone: 'us-east-1a',
    },
    actions: [
      'createVolume pvc-uid-data',
      'ProvisioningSucceeded',
      'claimVolume pvc-uid-data',
      boundTo('pvc-uid-data'),
    ],
  },
  {
    fact: 'of a class that does not wait fails while there is no node',
    changes: {},
    actions: ['ProvisioningFailed'],
  },
  {
    fact: 'takes a volume that suits before it gets a new one',
    changes: {
      storage: { volumes: [aVolume('small', { capacity: { storage: '1Gi' } }), aVolume('large')] },
      firstZone: 'us-east-1a',
    },
    actions: ['claimVolume large', boundTo('large')],
  },
  {
    fact: 'waits for another provisioner',
    changes: { storage: { storageClasses: [aClass({ provisioner: 'example.com/disks' })] } },
    actions: ['ExternalProvisioning'],
  },
  {
    fact: 'reports the volume that it is bound to',
    changes: { volume: aVolume('large', { claimRef: ownReference }) },
    actions: ['large is Bound', 'claim is Bound'],
  },
  {
    fact: 'has nothing to report twice',
    changes: {
      claim: aClaim({ status: { phase: 'Bound' } }),
      volume: aVolume('large', { claimRef: ownReference }, 'Bound'),
    },
    actions: [],
  },
  {
    fact: 'that lost its volume stays as it is',
    changes: { claim: aClaim({ status: { phase: 'Bound' } }) },
    actions: [],
  },
  {
    fact: 'that is gone releases a volume that is retained',
    changes: {
      claim: undefined,
      claimed: [aVolume('large', { claimRef: ownReference, persistentVolumeReclaimPolicy: 'Retain' }, 'Bound')],
    },
    actions: ['large is Released'],
  },
  {
    fact: 'that is gone takes a volume of its own with it',
    changes: {
      claim: undefined,
      claimed: [aVolume('large', { claimRef: ownReference, persistentVolumeReclaimPolicy: 'Delete' }, 'Bound')],
    },
    actions: ['large is Released', 'deleteVolume large'],
  },
  {
    fact: 'does not get the volume of a former claim of its name',
    changes: { claimed: [aVolume('large', { claimRef: formerReference }, 'Bound')], firstZone: 'us-east-1a' },
    actions: [
      'large is Released',
      'createVolume pvc-uid-data',
      'ProvisioningSucceeded',
      'claimVolume pvc-uid-data',
      boundTo('pvc-uid-data'),
    ],
  },
  {
    fact: 'that is being deleted gets no volume',
    changes: {
      claim: aClaim({ metadata: { ...aClaim().metadata, deletionTimestamp: '2024-01-28T16:00:00Z' } }),
      firstZone: 'us-east-1a',
    },
    actions: [],
  },
];

for (const { fact, changes, actions } of cases) {
  test(`a claim ${fact}`, () => {
    expect(actionsFor(changes)).toEqual(actions);
  });
}

test('a volume of EBS is created in the zone of the selected node, not in the first zone', () => {
  const { actions } = plan({
    claim: aClaim({ metadata: selecting }),
    claimed: [],
    volume: undefined,
    storage: { storageClasses: [waiting], volumes: [], selectedNode: nodeIn('us-east-1b') },
    firstZone: 'us-east-1a',
  });
  const [created] = actions;
  expect(JSON.stringify(created)).toContain('us-east-1b');
  expect(JSON.stringify(created)).not.toContain('us-east-1a');
});
