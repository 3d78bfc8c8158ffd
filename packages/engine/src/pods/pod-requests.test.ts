import type { Container, PodSpec } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { podRequests } from './pod-requests.ts';

const container = (name: string, cpu: string, more: Partial<Container> = {}): Container => ({
  name,
  resources: { requests: { cpu } },
  ...more,
});
const sidecar = (name: string, cpu: string) => container(name, cpu, { restartPolicy: 'Always' });

for (const { fact, spec, requests } of [
  {
    fact: 'containers add up, and the pod itself takes one place',
    spec: { containers: [container('a', '1'), container('b', '500m')] },
    requests: { cpu: 1500, pods: 1 },
  },
  { fact: 'no requests take a place only', spec: { containers: [{ name: 'a' }] }, requests: { pods: 1 } },
  {
    fact: 'a missing request counts as the limit',
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } }] },
    requests: { cpu: 1000, memory: 2 ** 30, pods: 1 },
  },
  {
    fact: 'an init container counts when it is larger than all containers',
    spec: { containers: [container('a', '1')], initContainers: [container('i', '3')] },
    requests: { cpu: 3000, pods: 1 },
  },
  {
    fact: 'init containers run one after the other',
    spec: { containers: [container('a', '1')], initContainers: [container('i', '2'), container('j', '2')] },
    requests: { cpu: 2000, pods: 1 },
  },
  {
    fact: 'a sidecar runs beside the containers',
    spec: { containers: [container('a', '1')], initContainers: [sidecar('s', '1')] },
    requests: { cpu: 2000, pods: 1 },
  },
  {
    fact: 'a sidecar runs beside init containers after it',
    spec: { containers: [container('a', '1')], initContainers: [sidecar('s', '1'), container('i', '3')] },
    requests: { cpu: 4000, pods: 1 },
  },
  {
    fact: 'a sidecar does not run beside init containers before it',
    spec: { containers: [container('a', '1')], initContainers: [container('i', '3'), sidecar('s', '1')] },
    requests: { cpu: 3000, pods: 1 },
  },
  {
    fact: 'the overhead of the runtime comes on top',
    spec: { containers: [container('a', '1')], overhead: { cpu: '250m' } },
    requests: { cpu: 1250, pods: 1 },
  },
  {
    fact: 'requests of the pod stand in for its containers',
    spec: { containers: [container('a', '1')], resources: { requests: { cpu: '3' } } },
    requests: { cpu: 3000, pods: 1 },
  },
  {
    fact: 'of other resources than cpu, memory and huge pages what the whole pod asks for does not count',
    spec: {
      resources: { requests: { cpu: '3', 'hugepages-2Mi': '4Mi', 'ephemeral-storage': '9Gi', 'nvidia.com/gpu': '4' } },
      containers: [{ name: 'a', resources: { requests: { cpu: '1', 'ephemeral-storage': '1' } } }],
    },
    requests: { cpu: 3_000, 'hugepages-2Mi': 4 * 2 ** 20, 'ephemeral-storage': 1, pods: 1 },
  },
  {
    fact: 'extended resources are counted whole',
    spec: { containers: [{ name: 'a', resources: { requests: { 'nvidia.com/gpu': '2' } } }] },
    requests: { 'nvidia.com/gpu': 2, pods: 1 },
  },
] as readonly { fact: string; spec: PodSpec; requests: object }[]) {
  test(fact, () => {
    expect(podRequests({ spec })).toEqual(requests);
  });
}

for (const { fact, status, cpu } of [
  { fact: 'what it is granted while it shrinks', status: { allocated: '2', actual: '2' }, cpu: 2_000 },
  { fact: 'what it asks while it grows', status: { allocated: '500m', actual: '500m' }, cpu: 1_000 },
  {
    fact: 'what it has when it can never grow',
    status: { allocated: '500m', actual: '500m', infeasible: true },
    cpu: 500,
  },
]) {
  test(`a container being resized in place takes ${fact}`, () => {
    const container = {
      name: 'main',
      image: '',
      imageID: '',
      ready: true,
      restartCount: 0,
      resources: { requests: { cpu: status.actual } },
      allocatedResources: { cpu: status.allocated },
    };
    const conditions =
      status.infeasible === true ? [{ type: 'PodResizePending', status: 'True' as const, reason: 'Infeasible' }] : [];
    const pod = { ...aPod('p', { requests: { cpu: 1 } }), status: { conditions, containerStatuses: [container] } };
    expect(podRequests(pod)['cpu']).toBe(cpu);
  });
}

test('another status leaves the requests the same object, unless containers hold something else', () => {
  const pod = aPod('p', { requests: { cpu: '1' } });
  const status = { name: 'p', ready: true, restartCount: 0, image: 'i', imageID: 'i' };
  const running = { ...pod, status: { containerStatuses: [{ ...status, resources: { requests: { cpu: '1' } } }] } };
  expect(podRequests({ ...pod, status: { containerStatuses: [status] } })).toBe(podRequests(pod));
  expect(podRequests(running)).toEqual(podRequests(pod));
});
