import { instant, type KubernetesObject, minutes, toTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Happening } from './invariant.ts';
import { findBroken } from './invariants.ts';
import { WorldObserver } from './world-observer.ts';

const start = instant(Date.parse('2025-03-03T06:00:00Z'));
const kinds = {
  Node: 'nodes',
  Pod: 'pods',
  NodeClaim: 'nodeclaims.karpenter.sh',
  NodePool: 'nodepools.karpenter.sh',
  EC2NodeClass: 'ec2nodeclasses.karpenter.k8s.aws',
  PodDisruptionBudget: 'poddisruptionbudgets.policy',
  ImageRule: 'imagerules.nodewright.dev',
  Lease: 'leases.coordination.k8s.io',
} as const;

type AnyObject = KubernetesObject & { readonly kind: keyof typeof kinds; readonly [field: string]: unknown };

/** A world that is written by hand, and what broke in it. */
class WrittenWorldOfTest {
  readonly broken: string[] = [];
  readonly #clock = { at: start, now: () => this.#clock.at };
  readonly #instances = new Map<string, string>();
  #version = 0;
  readonly observer = new WorldObserver(this.#clock, {
    instances: () => [],
    instance: (id) => {
      const state = this.#instances.get(id);
      return state === undefined ? undefined : { id, state, claim: undefined };
    },
    kubernetesVersion: '1.31',
    image: () => ({ family: 'AL2023', version: 'v20250301', isGone: false }),
    isReclaimed: () => false,
    isTakenBack: () => false,
  });

  pass(ms: number): this {
    this.#clock.at = instant(this.#clock.at + ms);
    return this;
  }

  instance(id: string, state: string): this {
    this.#instances.set(id, state);
    return this;
  }

  write(object: AnyObject, by?: 'operator', type: 'MODIFIED' | 'DELETED' = 'MODIFIED'): this {
    this.#version += 1;
    const written = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    const operator = by && 'karpenter-1';
    return this.tell(this.observer.seeWrite({ type, collection: kinds[object.kind], object: written, operator }));
  }

  tell(...happenings: readonly (Happening | undefined)[]): this {
    for (const happening of happenings) {
      if (happening === undefined) continue;
      for (const { id } of findBroken({ world: this.observer, happening })) this.broken.push(id);
    }
    return this;
  }
}

const meta = (name: string, more: object = {}) => ({ name, creationTimestamp: toTimestamp(start), ...more });
const condition = (type: string, reason = type) => ({ type, status: 'True', reason });
const protection = { 'karpenter.sh/do-not-disrupt': 'true' };
const taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };
const deleted = { deletionTimestamp: toTimestamp(start) };

const pool = (budget: string, limits: object = {}): AnyObject => ({
  kind: 'NodePool',
  metadata: meta('pool'),
  spec: { limits, disruption: { budgets: [{ nodes: budget }] } },
});

const node = (name: string, { annotations = {}, taints = [] as readonly object[] } = {}): AnyObject => ({
  kind: 'Node',
  metadata: meta(name, {
    annotations,
    labels: { 'karpenter.sh/nodepool': 'pool', 'karpenter.sh/initialized': 'true' },
  }),
  spec: { taints },
  status: { conditions: [condition('Ready')] },
});

type ClaimTraits = {
  readonly reason?: string;
  readonly metadata?: object;
  readonly cpu?: string;
  readonly spec?: object;
};

const claim = (name: string, { reason, metadata = {}, cpu, spec = {} }: ClaimTraits = {}): AnyObject => ({
  kind: 'NodeClaim',
  metadata: meta(`claim-${name}`, { labels: { 'karpenter.sh/nodepool': 'pool' }, ...metadata }),
  spec: { nodeClassRef: { name: 'al2023' }, expireAfter: '720h', ...spec },
  status: {
    nodeName: name,
    providerID: `aws:///us-east-1a/i-${name}`,
    ...(cpu !== undefined && { capacity: { cpu } }),
    conditions: [condition('Registered'), ...(reason === undefined ? [] : [condition('DisruptionReason', reason)])],
  },
});

const pod = (name: string, on: string, { annotations = {}, metadata = {} } = {}): AnyObject => ({
  kind: 'Pod',
  metadata: meta(name, { namespace: 'default', labels: { app: 'web' }, annotations, ...metadata }),
  spec: { nodeName: on, containers: [] },
  status: { phase: 'Running', conditions: [condition('Ready')] },
});

const webBudget: AnyObject = {
  kind: 'PodDisruptionBudget',
  metadata: meta('web', { namespace: 'default' }),
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { desiredHealthy: 2 },
};

const settled = (budget = '1'): WrittenWorldOfTest => {
  const world = new WrittenWorldOfTest().write(pool(budget));
  for (const name of ['a', 'b', 'c']) world.instance(`i-${name}`, 'running').write(node(name)).write(claim(name));
  return world.pass(minutes(30));
};

const evicted = (name: string, on: string, traits: { readonly annotations?: object } = {}): AnyObject =>
  pod(name, on, { ...traits, metadata: deleted });

function launched(world: WrittenWorldOfTest, ...ids: readonly string[]): WrittenWorldOfTest {
  for (const id of ids) world.tell(...world.observer.seeLaunch('claim-a', [{ id, imageId: 'ami-1' }]));
  return world;
}

const nodeClass: AnyObject = { kind: 'EC2NodeClass', metadata: meta('al2023'), status: { amis: [{ id: 'ami-1' }] } };
const rule: AnyObject = {
  kind: 'ImageRule',
  metadata: meta('bad'),
  spec: { verdict: 'Blocked', reason: 'bad', match: { ids: ['ami-1'] } },
};
const leaseOf = (holderIdentity: string): AnyObject => ({
  kind: 'Lease',
  metadata: meta('karpenter-leader-election', { namespace: 'kube-system' }),
  spec: { holderIdentity },
});
const command = { annotations: { 'nodewright.dev/disruption-command': '{"id":"x","replacements":1}' } };

const sickNode = (status: string, since: number): AnyObject => ({
  ...node('a'),
  status: { conditions: [{ type: 'Ready', status, lastTransitionTime: toTimestamp(instant(start + since)) }] },
});

const cases: readonly {
  readonly fact: string;
  readonly play: () => WrittenWorldOfTest;
  readonly broken: readonly string[];
}[] = [
  {
    fact: 'a second node begins to leave while the budget is one',
    play: () =>
      settled()
        .write(claim('a', { reason: 'Drifted' }))
        .write(claim('b', { reason: 'Drifted' })),
    broken: ['pool-budgets'],
  },
  {
    fact: 'a second node begins to leave, and the budget was two a moment ago',
    play: () =>
      settled('2')
        .write(claim('a', { reason: 'Drifted' }))
        .write(pool('1'))
        .write(claim('b', { reason: 'Drifted' })),
    broken: [],
  },
  {
    fact: 'a node leaves while another one was deleted by hand some minutes ago',
    play: () =>
      settled()
        .write(claim('a', { metadata: deleted }))
        .pass(minutes(5))
        .write(claim('b', { reason: 'Empty' })),
    broken: ['pool-budgets'],
  },
  {
    fact: 'ten percent of three nodes are one',
    play: () => settled('10%').write(claim('a', { reason: 'Drifted' })),
    broken: [],
  },
  {
    fact: 'a protected node leaves',
    play: () =>
      settled()
        .write(node('a', { annotations: protection }))
        .pass(minutes(2))
        .write(claim('a', { reason: 'Drifted' })),
    broken: ['do-not-disrupt'],
  },
  {
    fact: 'a node leaves that was protected this very moment',
    play: () =>
      settled()
        .write(node('a', { annotations: protection }))
        .write(claim('a', { reason: 'Drifted' })),
    broken: [],
  },
  {
    fact: 'a node with a protected pod leaves',
    play: () =>
      settled()
        .write(pod('p', 'a', { annotations: protection }))
        .pass(minutes(2))
        .write(claim('a', { reason: 'Empty' })),
    broken: ['do-not-disrupt'],
  },
  {
    fact: 'a drifted node with a protected pod and a grace period leaves',
    play: () =>
      settled()
        .write(pod('p', 'a', { annotations: protection }))
        .pass(minutes(2))
        .write(claim('a', { reason: 'Drifted', spec: { terminationGracePeriod: '1h' } })),
    broken: [],
  },
  {
    fact: 'a node is deleted before its replacement is there',
    play: () =>
      settled()
        .write(claim('a', { reason: 'Drifted', metadata: command }))
        .write(claim('a', { reason: 'Drifted', metadata: { ...command, ...deleted } }), 'operator'),
    broken: ['replacements-first'],
  },
  {
    fact: 'a node is deleted that has not been ready for less than half an hour',
    play: () =>
      settled()
        .write(sickNode('Unknown', minutes(30)))
        .pass(minutes(29))
        .write(claim('a', { metadata: deleted }), 'operator'),
    broken: ['reason-to-leave'],
  },
  {
    fact: 'a node is deleted that has not been ready for half an hour',
    play: () =>
      settled()
        .write(sickNode('Unknown', minutes(30)))
        .pass(minutes(30))
        .write(claim('a', { metadata: deleted }), 'operator'),
    broken: [],
  },
  {
    fact: 'a healthy node is deleted',
    play: () => settled().write(claim('a', { metadata: deleted }), 'operator'),
    broken: ['reason-to-leave'],
  },
  {
    fact: 'a node is deleted that has expired',
    play: () => {
      const old = { spec: { expireAfter: '10m' } };
      return settled()
        .write(claim('a', old))
        .write(claim('a', { ...old, metadata: deleted }), 'operator');
    },
    broken: [],
  },
  {
    fact: 'a node is deleted whose instance is lost',
    play: () =>
      settled()
        .instance('i-a', 'terminated')
        .write(claim('a', { metadata: deleted }), 'operator'),
    broken: [],
  },
  {
    fact: 'a pod is evicted from a node without a taint',
    play: () => settled().write(pod('p', 'a')).pass(minutes(2)).write(evicted('p', 'a'), 'operator'),
    broken: ['taint-before-drain'],
  },
  {
    fact: 'a protected pod is evicted',
    play: () =>
      settled()
        .write(node('a', { taints: [taint] }))
        .write(pod('p', 'a', { annotations: protection }))
        .pass(minutes(2))
        .write(evicted('p', 'a', { annotations: protection }), 'operator'),
    broken: ['protected-pods'],
  },
  {
    fact: 'an eviction leaves one of two wanted pods',
    play: () =>
      settled()
        .write(node('a', { taints: [taint] }))
        .write(webBudget)
        .write(pod('p', 'a'))
        .write(pod('q', 'b'))
        .pass(minutes(2))
        .write(evicted('p', 'a'), 'operator'),
    broken: ['pod-disruption-budgets'],
  },
  {
    fact: 'an instance is ended under a pod',
    play: () => settled().write(pod('p', 'a')).pass(minutes(2)).tell({ kind: 'ended', instanceId: 'i-a' }),
    broken: ['drain-before-end'],
  },
  {
    fact: 'an instance is ended under no pod',
    play: () => settled().tell({ kind: 'ended', instanceId: 'i-a' }),
    broken: [],
  },
  {
    fact: 'a claim is launched twice',
    play: () => launched(settled().write(nodeClass), 'i-1', 'i-2'),
    broken: ['one-launch-per-claim'],
  },
  {
    fact: 'a launch is answered twice',
    play: () => launched(settled().write(nodeClass), 'i-1', 'i-1'),
    broken: [],
  },
  {
    fact: 'a blocked image is launched',
    play: () => launched(settled().write(nodeClass).write(rule).pass(minutes(2)), 'i-1'),
    broken: ['blocked-images'],
  },
  {
    fact: 'an image is launched that was blocked this very moment',
    play: () => launched(settled().write(nodeClass).write(rule), 'i-1'),
    broken: [],
  },
  {
    fact: 'an image is launched that the class does not name',
    play: () => launched(settled(), 'i-1'),
    broken: ['images-of-the-class'],
  },
  {
    fact: 'launches pass the limit of the pool',
    play: () =>
      settled()
        .write(pool('1', { cpu: '3' }))
        .pass(minutes(30))
        .write(claim('a', { cpu: '2' }))
        .write(claim('b', { cpu: '2' })),
    broken: ['pool-limits'],
  },
  {
    fact: 'a claim is gone, and its instance runs',
    play: () => settled().write(claim('a', { metadata: deleted }), 'operator', 'DELETED'),
    broken: ['reason-to-leave', 'instance-ends-with-claim'],
  },
  {
    fact: 'a process writes that does not lead',
    play: () => settled().write(leaseOf('karpenter-2')).write(node('a'), 'operator'),
    broken: ['one-leader'],
  },
  {
    fact: 'a world does not come to rest',
    play: () => settled().tell({ kind: 'rested', since: undefined, unrest: ['node a is not ready'] }),
    broken: ['comes-to-rest'],
  },
];

for (const { fact, play, broken } of cases) {
  test(broken.length === 0 ? `nothing breaks when ${fact}` : `${broken.join(' and ')} break when ${fact}`, () => {
    expect(play().broken).toEqual(broken);
  });
}
