import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { answerOf, recorded } from '@nodewright/testkit/worlds';
import type { ApiObject } from '../storage/api-object.ts';
import { printDuration } from './columns.ts';
import { parseJsonPath, valuesAt } from './json-path.ts';
import { nodeColumns } from './nodes.ts';
import { otherColumns } from './other-kinds.ts';
import { podColumns } from './pods.ts';

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
      '5.10.205',
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

// As kube-apiserver 1.31 prints them.
for (const { collection, object, cells } of [
  { collection: 'serviceaccounts', object: {}, cells: ['x', 0, '25s'] },
  {
    collection: 'horizontalpodautoscalers.autoscaling',
    object: {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'inflate' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [{ resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    },
    cells: ['x', 'Deployment/inflate', 'cpu: <unknown>/80%', '1', 3, 0, '25s'],
  },
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
