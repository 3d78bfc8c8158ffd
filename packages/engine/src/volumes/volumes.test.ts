import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printRequirements } from '@nodewright/requirements';
import { volumeComplaint } from './volume-complaint.ts';
import type { VolumeFacts } from './volume-facts.ts';
import { volumeAlternatives } from './volume-requirements.ts';

const zone = 'topology.kubernetes.io/zone';
const bound = { 'pv.kubernetes.io/bind-completed': 'yes' };

const using = (...claims: readonly string[]): Pod => {
  const pod = aPod('db-0');
  const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  return { ...pod, spec: { ...pod.spec, volumes } };
};

type ClaimTraits = PersistentVolumeClaim['spec'] & {
  readonly annotations?: Record<string, string>;
  readonly leaving?: boolean;
  readonly lost?: boolean;
};

function claim(
  name: string,
  { annotations = bound, leaving = false, lost = false, ...spec }: ClaimTraits = {},
): PersistentVolumeClaim {
  return {
    metadata: { name, annotations, ...(leaving ? { deletionTimestamp: '2024-01-28T16:00:00Z' } : {}) },
    spec,
    status: { phase: lost ? 'Lost' : 'Bound' },
  };
}

const volumeIn = (name: string, traits: PersistentVolume['spec'], ...zones: readonly string[]): PersistentVolume => ({
  metadata: { name },
  spec: {
    ...traits,
    nodeAffinity: {
      required: {
        nodeSelectorTerms: zones.map((value) => ({
          matchExpressions: [{ key: zone, operator: 'In', values: [value] }],
        })),
      },
    },
  },
});

const local: PersistentVolume = {
  metadata: { name: 'pv-local' },
  spec: {
    local: { path: '/data' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] }] },
        ],
      },
    },
  },
};

const classes: readonly StorageClass[] = [
  { metadata: { name: 'now' }, provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'Immediate' },
  { metadata: { name: 'later' }, provisioner: 'ebs.csi.aws.com', volumeBindingMode: 'WaitForFirstConsumer' },
  {
    metadata: { name: 'zonal' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [
      { matchLabelExpressions: [{ key: 'topology.ebs.csi.aws.com/zone', values: ['zone-b', 'zone-c'] }] },
    ],
  },
  {
    metadata: { name: 'auto' },
    provisioner: 'ebs.csi.eks.amazonaws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  {
    metadata: { name: 'auto-topology' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'eks.amazonaws.com/compute-type', values: ['auto'] }] }],
  },
];
const labelled = (name: string, labels: Record<string, string>, ...zones: readonly string[]): PersistentVolume => {
  const { spec } = volumeIn(name, {}, ...zones);
  return { metadata: { name, labels }, ...(spec === undefined ? {} : { spec }) };
};
const volumes = [
  labelled('pv-old', { 'failure-domain.beta.kubernetes.io/zone': 'zone-a', tier: 'fast' }),
  labelled('pv-regional', { [zone]: 'zone-b__zone-c' }, 'zone-a', 'zone-b'),
  { metadata: { name: 'pv-auto' }, spec: { csi: { driver: 'ebs.csi.eks.amazonaws.com' } } },
  { metadata: { name: 'pv-leaving', deletionTimestamp: '2024-01-28T16:00:00Z' } },
  volumeIn('pv-a', {}, 'zone-a'),
  volumeIn('pv-ab', {}, 'zone-a', 'zone-b'),
  volumeIn('pv-b', {}, 'zone-b'),
  local,
];
const claims = [
  claim('in-a', { volumeName: 'pv-a' }),
  claim('in-b', { volumeName: 'pv-b' }),
  claim('in-ab', { volumeName: 'pv-ab' }),
  claim('on-disk', { volumeName: 'pv-local' }),
  claim('unclassed-but-bound', { volumeName: 'pv-a', storageClassName: 'gone' }),
  claim('half-bound', { volumeName: 'pv-a', annotations: {} }),
  claim('to-nothing', { volumeName: 'pv-gone' }),
  claim('later', { storageClassName: 'later' }),
  claim('zonal', { storageClassName: 'zonal' }),
  claim('now', { storageClassName: 'now' }),
  claim('unclassed', { storageClassName: '' }),
  claim('wrongly-classed', { storageClassName: 'gone' }),
  claim('old', { volumeName: 'pv-old' }),
  claim('regional', { volumeName: 'pv-regional' }),
  claim('auto', { storageClassName: 'auto' }),
  claim('auto-topology', { storageClassName: 'auto-topology' }),
  claim('auto-bound', { volumeName: 'pv-auto' }),
  claim('to-leaving', { volumeName: 'pv-leaving' }),
  claim('leaving', { volumeName: 'pv-a', leaving: true }),
  claim('lost', { volumeName: 'pv-a', lost: true }),
  claim('db-0-scratch', { storageClassName: 'zonal' }),
];
const named = <T extends { readonly metadata: { readonly name: string } }>(
  all: readonly T[],
  name: string,
): T | undefined => all.find(({ metadata }) => metadata.name === name);
const facts: VolumeFacts = {
  claim: (_, name) => named(claims, name),
  volume: (name) => named(volumes, name),
  storageClass: (name) => named(classes, name),
};

for (const { fact, pod, complaint } of [
  { fact: 'without claims is fine', pod: aPod('web'), complaint: undefined },
  {
    fact: 'with a bound claim is fine, whatever its storage class',
    pod: using('unclassed-but-bound'),
    complaint: undefined,
  },
  { fact: 'whose claim waits for it is fine', pod: using('later'), complaint: undefined },
  { fact: 'whose claim is missing is not', pod: using('in-a', 'gone'), complaint: /gone is not there/ },
  { fact: 'whose claim is going is not', pod: using('leaving'), complaint: /being deleted/ },
  { fact: 'whose claim is lost is not', pod: using('lost'), complaint: /lost its volume/ },
  { fact: 'whose claim names a volume without being bound is not', pod: using('half-bound'), complaint: /not bound/ },
  {
    fact: 'whose volume is missing is not',
    pod: using('to-nothing'),
    complaint: /pv-gone of claim to-nothing is not there/,
  },
  {
    fact: 'whose unbound claim has no storage class is not',
    pod: using('unclassed'),
    complaint: /names no storage class/,
  },
  { fact: 'whose storage class is missing is not', pod: using('wrongly-classed'), complaint: /storage class gone/ },
  {
    fact: 'whose claim should be bound long since is not',
    pod: using('now'),
    complaint: /binds before there are pods/,
  },
  { fact: 'whose volume is going is not', pod: using('to-leaving'), complaint: /pv-leaving .* being deleted/ },
  { fact: 'whose storage class is for EKS Auto Mode is not', pod: using('auto'), complaint: /Auto Mode alone/ },
  {
    fact: 'whose storage class asks for nodes of EKS Auto Mode is not',
    pod: using('auto-topology'),
    complaint: /storage class auto-topology .* Auto Mode alone/,
  },
  {
    fact: 'whose volume is attached by EKS Auto Mode is not',
    pod: using('auto-bound'),
    complaint: /persistentvolume pv-auto .* Auto Mode alone/,
  },
  { fact: 'whose volumes are in two zones is not', pod: using('in-a', 'in-b'), complaint: /no one node reaches/ },
] as const) {
  test(`a pod ${fact}`, () => {
    const told = volumeComplaint(pod, facts);
    if (complaint === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(complaint);
  });
}

const ephemeral = (): Pod => {
  const pod = aPod('db-0');
  return { ...pod, spec: { ...pod.spec, volumes: [{ name: 'scratch', ephemeral: {} }] } };
};

for (const { fact, pod, asked } of [
  { fact: 'without claims asks nothing', pod: aPod('web'), asked: undefined },
  { fact: 'goes where its volume is', pod: using('in-a'), asked: [`${zone} In [zone-a]`] },
  {
    fact: 'may choose among the places of its volume',
    pod: using('in-ab'),
    asked: [`${zone} In [zone-a]`, `${zone} In [zone-b]`],
  },
  { fact: 'with two volumes goes where both can be', pod: using('in-ab', 'zonal'), asked: [`${zone} In [zone-b]`] },
  { fact: 'goes where its storage class can be', pod: using('zonal'), asked: [`${zone} In [zone-b zone-c]`] },
  {
    fact: 'with an ephemeral volume goes where its storage class can be',
    pod: ephemeral(),
    asked: [`${zone} In [zone-b zone-c]`],
  },
  { fact: 'goes where the labels of an old volume say it is', pod: using('old'), asked: [`${zone} In [zone-a]`] },
  {
    fact: 'goes where both labels and affinity of its volume let it',
    pod: using('regional'),
    asked: [`${zone} In [zone-b]`],
  },
  { fact: 'with a volume on a disk is not tied to its node', pod: using('on-disk'), asked: [''] },
] as const) {
  test(`a pod ${fact}`, () => {
    expect(volumeAlternatives(pod, facts)?.map((alternative) => printRequirements(alternative))).toEqual(asked);
  });
}
