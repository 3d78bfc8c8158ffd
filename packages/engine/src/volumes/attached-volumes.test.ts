import type { Pod } from '@nodewright/apis';
import { aNode, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { schedulePods } from '../solve/round/schedule.ts';
import { attachedVolumes, type AttachedVolume } from './attached-volumes.ts';
import type { VolumeFacts } from './volume-facts.ts';

const driver = 'ebs.csi.aws.com';

const using = (name: string, ...claims: readonly string[]): Pod => {
  const pod = aPod(name);
  const volumes = claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  return { ...pod, spec: { ...pod.spec, volumes } };
};

const facts: VolumeFacts = {
  claim: (_, name) => {
    if (name === 'missing') return undefined;
    const metadata = { name };
    if (name.startsWith('pv-')) return { metadata, spec: { volumeName: name } };
    return { metadata, spec: { storageClassName: name } };
  },
  volume: (name) => {
    const kinds = {
      'pv-csi': { csi: { driver: 'efs.csi.aws.com' } },
      'pv-ebs': { awsElasticBlockStore: { volumeID: 'v' } },
    };
    return { metadata: { name }, spec: kinds[name as keyof typeof kinds] ?? {} };
  },
  storageClass: (name) =>
    name === 'none'
      ? undefined
      : { metadata: { name }, provisioner: name === 'old' ? 'kubernetes.io/aws-ebs' : driver },
};

for (const { fact, claim, drivers } of [
  { fact: 'a bound volume counts for its own driver', claim: 'pv-csi', drivers: ['efs.csi.aws.com'] },
  { fact: 'an EBS volume of old counts for the driver of today', claim: 'pv-ebs', drivers: [driver] },
  { fact: 'a volume without a driver counts for none', claim: 'pv-other', drivers: [] },
  { fact: 'an unbound claim counts for its storage class', claim: 'gp3', drivers: [driver] },
  { fact: 'a storage class of old counts for the driver of today', claim: 'old', drivers: [driver] },
  { fact: 'a missing storage class counts for none', claim: 'none', drivers: [] },
  { fact: 'a missing claim counts for none', claim: 'missing', drivers: [] },
]) {
  test(fact, () => {
    expect(attachedVolumes(using('db', claim), facts).map((volume) => volume.driver)).toEqual(drivers);
  });
}

/** How many of the pods find a place on a node with two places for volumes, one of which is taken. */
function placed(...pods: readonly Pod[]): number {
  const running = using('running', 'a');
  const attached = new Map<string, readonly AttachedVolume[]>(
    [running, ...pods].map((pod) => [`default/${pod.metadata.name}`, attachedVolumes(pod, facts)]),
  );
  const node = { ...aNode('node-a', { pods: [running] }), attachLimits: new Map([[driver, 2]]) };
  const { existing } = schedulePods({
    nodePools: [],
    nodes: [node],
    pods,
    daemonPods: [],
    namespaces: [],
    attachedVolumes: attached,
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });
  return existing.flatMap((placement) => placement.pods).length;
}

describe('a node with room for one more volume', () => {
  for (const { fact, pods, count } of [
    { fact: 'takes a pod with one', pods: [using('one', 'b')], count: 1 },
    { fact: 'takes one of two pods with one each', pods: [using('one', 'b'), using('two', 'c')], count: 1 },
    { fact: 'does not take a pod with two', pods: [using('both', 'b', 'c')], count: 0 },
    { fact: 'takes any number of pods that share one', pods: [using('one', 'b'), using('two', 'b')], count: 2 },
    { fact: 'takes pods that share what is attached', pods: [using('one', 'a'), using('two', 'b')], count: 2 },
    { fact: 'takes volumes of another driver', pods: [using('other', 'pv-csi'), using('one', 'b')], count: 2 },
  ]) {
    test(fact, () => expect(placed(...pods)).toBe(count));
  }
});
