import { expect, test } from 'vitest';
import { instant, type Node, type Pod } from '@nodewright/apis';
import { readKubeletPage } from './kubelet-pages.ts';

const begun = '2024-01-28T16:00:00Z';
const now = instant(Date.parse(begun) + 100_000);

const node: Node = {
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name: 'n1', creationTimestamp: begun },
  spec: {},
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

const pod: Pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'nginx', image: 'nginx:1', resources: { requests: { cpu: '2', memory: '1Gi' } } }],
  },
  status: {
    phase: 'Running',
    startTime: begun,
    containerStatuses: [
      {
        name: 'nginx',
        image: 'nginx:1',
        imageID: 'nginx:1',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: begun } },
      },
    ],
  },
};

const read = (path: string, pods: readonly Pod[] = [pod]): string | undefined =>
  readKubeletPage({ node, pods, now }, path)?.text;

test('the counters of a container are its use over the time since its pod has started', () => {
  const labels = 'container="nginx",namespace="shop",pod="web"';
  expect(read('metrics/resource')).toContain(`container_cpu_usage_seconds_total{${labels}} 100\n`);
  expect(read('metrics/resource')).toContain(`container_memory_working_set_bytes{${labels}} 536870912\n`);
  expect(read('metrics/cadvisor')).toContain(`{${labels},image="nginx:1",cpu="total"} 100\n`);
});

test('the counters of a node have what its system uses, and nothing while it is not ready', () => {
  expect(read('metrics/resource')).toContain('node_cpu_usage_seconds_total 106\n');
  const silent = { ...node, status: { conditions: [] } };
  const page = readKubeletPage({ node: silent, pods: [], now }, 'metrics/resource');
  expect(page?.text).toContain('node_cpu_usage_seconds_total 0\n');
});

test('the summary has the node and its running pods', () => {
  const waiting: Pod = { ...pod, metadata: { name: 'waiting' }, status: { phase: 'Pending' } };
  expect(JSON.parse(read('stats/summary', [pod, waiting]) ?? '')).toEqual({
    node: expect.objectContaining({ nodeName: 'n1', cpu: expect.objectContaining({ usageNanoCores: 1_060_000_000 }) }),
    pods: [
      {
        podRef: { name: 'web', namespace: 'shop', uid: 'u1' },
        startTime: begun,
        containers: [
          {
            name: 'nginx',
            cpu: { time: '2024-01-28T16:01:40Z', usageNanoCores: 1e9, usageCoreNanoSeconds: 100e9 },
            memory: { time: '2024-01-28T16:01:40Z', workingSetBytes: 536_870_912, usageBytes: 536_870_912 },
          },
        ],
      },
    ],
  });
});

test('a kubelet counts its pods, is healthy, and has no other page', () => {
  expect(read('metrics')).toContain('kubelet_running_pods 1\n');
  expect(read('healthz')).toBe('ok');
  expect(JSON.parse(read('pods') ?? '')).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'web' } }] });
  expect(read('run/shop/web')).toBeUndefined();
});

test('a kubelet tells how many pods it takes', () => {
  const sized = { ...node, status: { capacity: { pods: '29' } } };
  const page = readKubeletPage({ node: sized, pods: [], now }, 'configz')?.text ?? '';
  expect(JSON.parse(page)).toMatchObject({ kubeletconfig: { maxPods: 29, clusterDomain: 'cluster.local' } });
});
