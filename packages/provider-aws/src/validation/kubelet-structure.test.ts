import { describe, expect, test } from 'vitest';
import { kubeletFields, managedFields } from './kubelet-fields.ts';
import { listUnreadableFields } from './kubelet-structure.ts';

describe('a kubelet can read', () => {
  test.each([
    {},
    { maxPods: 'max_pods - 2', podsPerCore: 0 },
    { topologyManagerPolicy: 'best-effort', featureGates: { NodeSwap: true }, memoryThrottlingFactor: 0.9 },
    { logging: { format: 'json', verbosity: 2, options: { text: { splitStream: true } } } },
    {
      shutdownGracePeriod: '1m30s',
      shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 5 }],
    },
    { authentication: null, clusterDNS: ['10.0.0.10'] },
  ])('%j', (kubelet) => {
    expect(listUnreadableFields(kubelet)).toEqual([]);
  });
});

describe('a kubelet cannot read', () => {
  test.each([
    { kubelet: { maxPod: 1, foo: 2 }, told: ['spec.kubelet.maxPod is no field', 'spec.kubelet.foo is no field'] },
    {
      kubelet: { clusterDns: [] },
      told: ['spec.kubelet.clusterDns is no field of a KubeletConfiguration; did you mean clusterDNS?'],
    },
    { kubelet: { logging: { level: 1 } }, told: ['spec.kubelet.logging.level is no field'] },
    {
      kubelet: { authentication: { webhook: { on: true } } },
      told: ['spec.kubelet.authentication.webhook.on is no field'],
    },
    {
      kubelet: { authentication: { webhook: { enabled: 'yes' } } },
      told: ['spec.kubelet.authentication.webhook.enabled is "yes", wanted true or false'],
    },
    { kubelet: { syncFrequency: 60 }, told: ['spec.kubelet.syncFrequency is 60, wanted a duration'] },
    { kubelet: { kubeReserved: { cpu: 1 } }, told: ['spec.kubelet.kubeReserved[cpu] is 1, wanted a text'] },
    { kubelet: { clusterDNS: ['10.0.0.10', 7] }, told: ['spec.kubelet.clusterDNS[1] is 7, wanted a text'] },
    { kubelet: { maxPods: 1.5 }, told: ['spec.kubelet.maxPods is 1.5, wanted a whole number'] },
    {
      kubelet: { shutdownGracePeriodByPodPriority: [{ priority: 'high' }] },
      told: ['shutdownGracePeriodByPodPriority[0].priority is "high"'],
    },
    {
      kubelet: { foo: 1, evictionHard: 'none', bar: 2 },
      told: ['spec.kubelet.evictionHard is "none", wanted an object'],
    },
  ])('$told', ({ kubelet, told }) => {
    const problems = listUnreadableFields(kubelet);
    expect(problems).toEqual(told.map((text) => expect.stringContaining(text)));
  });

  test.each([...managedFields])('%s of a wrong type', (name) => {
    expect(kubeletFields[name]).toBeDefined();
    expect(listUnreadableFields({ [name]: { wrong: [] } })).toHaveLength(1);
  });
});
