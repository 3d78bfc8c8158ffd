import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { answerOf, recorded } from '@nodewright/testkit/worlds';
import type { ApiObject } from '../storage/api-object.ts';
import { printDuration } from './columns.ts';
import { parseJsonPath, valuesAt } from './json-path.ts';
import { nodeColumns } from './nodes.ts';
import { otherColumns } from './other-kinds.ts';
import { autoscalerColumns } from './autoscalers.ts';
import { podColumns } from './pods.ts';
import { signingRequestColumns } from './signing-requests.ts';

for (const [seconds, text] of [
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [125, '2m5s'],
  [599, '9m59s'],
  [600, '10m'],
  [10_799, '179m'],
  [10_800, '3h'],
  [12_060, '3h21m'],
  [172_799, '47h'],
  [172_800, '2d'],
  [176_400, '2d1h'],
  [691_200, '8d'],
  [63_072_000, '2y'],
  [-5, '<invalid>'],
] as const) {
  test(`an age of ${seconds} seconds is ${text}`, () => {
    expect(printDuration(seconds)).toBe(text);
  });
}

type Row = { readonly cells: readonly unknown[]; readonly object: ApiObject };

test('a pod is printed as a real API server printed it', () => {
  const exchange = recorded('tables').find(({ slug }) => slug === 'pods-includeobject-object');
  const [row] = (exchange && (answerOf(exchange)?.['rows'] as unknown as readonly Row[])) ?? [];
  const date = exchange?.response.headers.find(([name]) => name === 'Date')?.[1] ?? '';
  expect(row).toBeDefined();
  if (row !== undefined) expect(podColumns.cells(row.object, Date.parse(date) as never).cells).toEqual(row.cells);
});

const now = fromTimestamp('2024-01-28T16:00:00Z');

const aNode = (status: object, spec: object = {}): ApiObject => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name: 'n', creationTimestamp: '2024-01-28T15:59:35Z' },
  spec,
  status,
});

for (const { fact, node, cells } of [
  {
    fact: 'shows what its kubelet reports',
    node: aNode({
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '192.168.40.30' }],
      nodeInfo: {
        kubeletVersion: 'v1.28.5-eks-5e0fdde',
        osImage: 'Amazon Linux 2',
        kernelVersion: '5.10.205',
        architecture: 'amd64',
        containerRuntimeVersion: 'containerd://1.7.2',
      },
    }),
    cells: [
      'n',
      'Ready',
      '<none>',
      '25s',
      'v1.28.5-eks-5e0fdde',
      '192.168.40.30',
      '<none>',
      'Amazon Linux 2',
      '5.10.205 (amd64)',
      'containerd://1.7.2',
    ],
  },
  {
    fact: 'is not ready, and cordoned',
    node: aNode({ conditions: [{ type: 'Ready', status: 'Unknown' }] }, { unschedulable: true }),
    cells: [
      'n',
      'NotReady,SchedulingDisabled',
      '<none>',
      '25s',
      '',
      '<none>',
      '<none>',
      '<unknown>',
      '<unknown>',
      '<unknown>',
    ],
  },
]) {
  test(`a node ${fact}`, () => {
    expect(nodeColumns.cells(node, now).cells).toEqual(cells);
  });
}

const object = {
  metadata: { labels: { 'karpenter.sh/capacity-type': 'spot' } },
  spec: { items: [{ key: 'a' }, { key: 'b' }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

for (const [path, values] of [
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ['.spec.items[*].key', ['a', 'b']],
  ['.spec.items[1].key', ['b']],
  [String.raw`.metadata.labels.karpenter\.sh/capacity-type`, ['spot']],
  ['.spec.absent.deep', []],
] as const) {
  test(`the path ${path} leads to ${JSON.stringify(values)}`, () => {
    expect(valuesAt(object, parseJsonPath(path))).toEqual(values);
  });
}

const inStatus = (pod: object, spec: object = {}): ApiObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', creationTimestamp: '2024-01-28T15:59:35Z' },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: pod,
});

const running = { ready: true, restartCount: 0, state: { running: {} } };
const sidecar = { initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'init' }] };
const restarted = { restartCount: 2, lastState: { terminated: { finishedAt: '2024-01-28T15:59:50Z' } } };

for (const { fact, pod, cells } of [
  {
    fact: 'counts its sidecars among its containers',
    pod: inStatus(
      {
        phase: 'Running',
        initContainerStatuses: [
          { name: 'side', ...running, started: true, ...restarted },
          { name: 'init', restartCount: 1, state: { terminated: { exitCode: 0 } } },
        ],
        containerStatuses: [{ name: 'c', ...running }],
      },
      sidecar,
    ),
    cells: ['2/2', 'Running', '2 (10s ago)'],
  },
  {
    fact: 'shows the restarts of the containers that initialize it',
    pod: inStatus(
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'side', ...running, started: true },
          { name: 'init', ...restarted, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
        containerStatuses: [{ name: 'c', restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
      },
      sidecar,
    ),
    cells: ['1/2', 'Init:CrashLoopBackOff', '2 (10s ago)'],
  },
]) {
  test(`a pod ${fact}`, () => {
    expect(podColumns.cells(pod, now).cells.slice(1, 4)).toEqual(cells);
  });
}

test('a pod that has ended and is deleted shows how it ended', () => {
  const pod = inStatus({ phase: 'Failed', reason: 'Evicted' });
  const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2024-01-28T15:59:55Z' } };
  expect(podColumns.cells(deleted, now).cells[2]).toBe('Evicted');
});

const target = (name: string, percent: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization: percent } },
});

test('an autoscaler shows what its metrics are and should be', () => {
  const scaler = {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'a' },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      maxReplicas: 3,
      metrics: [
        target('cpu', 80),
        { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } },
        target('memory', 50),
      ],
    },
    status: {
      currentReplicas: 2,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 41 } } }],
    },
  };
  expect(autoscalerColumns.cells(scaler, now).cells[2]).toBe('cpu: 41%/80%, <unknown>/5 + 1 more...');
});

test('a slice shows its first three endpoints', () => {
  const endpoints = ['a', 'b', 'c', 'd', 'e'].map((address) => ({ addresses: [address] }));
  const slice = { kind: 'E', apiVersion: 'v1', metadata: { name: 's' }, addressType: 'IPv4', ports: [], endpoints };
  const columns = otherColumns['endpointslices.discovery.k8s.io'];
  expect(columns?.cells(slice, now).cells.slice(2, 4)).toEqual(['<unset>', 'a,b,c + 2 more...']);
});

test('a signing request shows its duration and what has become of it', () => {
  const request = {
    kind: 'CertificateSigningRequest',
    apiVersion: 'certificates.k8s.io/v1',
    metadata: { name: 'r' },
    spec: { signerName: 'example.com/s', username: 'u', expirationSeconds: 86_400 },
    status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'Yw==' },
  };
  expect(signingRequestColumns.cells(request, now).cells.slice(2)).toEqual([
    'example.com/s',
    'u',
    '24h',
    'Approved,Issued',
  ]);
});

// As kube-apiserver 1.31 prints them.
for (const { collection, object, cells } of [
  {
    collection: 'resourcequotas',
    object: { spec: { hard: { pods: '2', 'limits.cpu': '4' } }, status: { used: { pods: '2' } } },
    cells: ['x', '25s', 'pods: 2/2', 'limits.cpu: 0/4'],
  },
]) {
  test(`a row of ${collection} has the columns that people know`, () => {
    const whole = { kind: 'K', apiVersion: 'v1', metadata: { name: 'x', creationTimestamp: '2024-01-28T15:59:35Z' } };
    expect(otherColumns[collection]?.cells({ ...whole, ...object }, now).cells).toEqual(cells);
  });
}
