import { describe, expect, test } from 'vitest';
import { kubeletProblems } from './kubelet-problems.ts';

describe('a kubelet configuration is fine', () => {
  test.each([
    { kubelet: undefined },
    { kubelet: {} },
    { kubelet: { maxPods: 110, podsPerCore: 0, cpuCFSQuota: false, clusterDNS: ['10.0.1.100'] } },
    { kubelet: { maxPods: 'max_pods - 2', kubeReserved: { cpu: '200m', memory: 'max_pods * 11' } } },
    { kubelet: { evictionHard: { 'memory.available': '5%', 'nodefs.available': '1Gi', 'pid.available': '0' } } },
    {
      kubelet: {
        evictionSoft: { 'memory.available': '500Mi' },
        evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      },
    },
    { kubelet: { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80 } },
    { kubelet: { topologyManagerPolicy: 'best-effort' } },
    { kubelet: { evictionSoft: null, evictionMaxPodGracePeriod: null } },
  ])('$kubelet', ({ kubelet }) => {
    expect(kubeletProblems(kubelet)).toEqual([]);
  });
});

describe('a kubelet configuration is refused with', () => {
  test.each([
    { kubelet: { maxPods: -1 }, told: 'spec.kubelet.maxPods is -1, wanted a whole number of at least 0' },
    { kubelet: { podsPerCore: '2' }, told: 'spec.kubelet.podsPerCore is "2", wanted a whole number of at least 0' },
    { kubelet: { evictionMaxPodGracePeriod: -1 }, told: 'spec.kubelet.evictionMaxPodGracePeriod is -1' },
    { kubelet: { imageGCLowThresholdPercent: 101 }, told: 'wanted a whole number from 0 to 100' },
    {
      kubelet: { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 },
      told: 'spec.kubelet.imageGCHighThresholdPercent is 80, wanted more than imageGCLowThresholdPercent, which is 80',
    },
    { kubelet: { kubeReserved: { cpu: '-1' } }, told: 'spec.kubelet.kubeReserved[cpu] is "-1"' },
    {
      kubelet: { systemReserved: { disk: '1Gi' } },
      told: 'spec.kubelet.systemReserved[disk] is not known; known are cpu, memory',
    },
    { kubelet: { evictionHard: { 'memory.free': '5%' } }, told: 'spec.kubelet.evictionHard[memory.free] is not known' },
    { kubelet: { evictionHard: { 'memory.available': '110%' } }, told: 'a percentage up to 100%' },
    {
      kubelet: { evictionMinimumReclaim: { 'memory.available': '-1Gi' } },
      told: 'evictionMinimumReclaim[memory.available] is "-1Gi"',
    },
    {
      kubelet: { evictionSoft: { 'memory.available': '5%' } },
      told: 'spec.kubelet.evictionSoft has memory.available, evictionSoftGracePeriod has nothing; both need the same signals',
    },
    {
      kubelet: { evictionSoft: { 'pid.available': '5%' }, evictionSoftGracePeriod: { 'pid.available': '-1m' } },
      told: 'spec.kubelet.evictionSoftGracePeriod[pid.available] is "-1m", wanted a duration such as 1m30s',
    },
    { kubelet: { registerWithTaints: [] }, told: 'spec.kubelet.registerWithTaints is set by the controller' },
    { kubelet: { evictionHard: 'none' }, told: 'spec.kubelet.evictionHard is "none", wanted an object' },
  ])('$told', ({ kubelet, told }) => {
    const problems = kubeletProblems(kubelet);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(told);
  });

  test('every problem at once', () => {
    expect(kubeletProblems({ maxPods: -1, podsPerCore: -1 })).toHaveLength(2);
  });
});
