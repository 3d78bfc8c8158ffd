import type { Affinity, Pod } from '@nodewright/apis';
import { aNode, aPod, somePods, topologyRounds } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { schedulePods } from '../round/schedule.ts';

const { zone, hostname, web, selectsWeb, round, counts, zonesOf, running, required, onRoomy } = topologyRounds;

describe('affinity', () => {
  test('a follower lands on the host of the pod it follows', () => {
    const pods = [
      aPod('a', { labels: web, requests: { cpu: 1 } }),
      aPod('follower', { affinity: required('podAffinity', hostname) }),
    ];
    expect(schedulePods(round(pods, onRoomy)).newNodes.map((node) => node.pods.length)).toEqual([2]);
  });
  test('to oneself keeps all on one host', () => {
    const result = schedulePods(
      round(somePods(10, 'web', { labels: web, affinity: required('podAffinity', hostname) }), onRoomy),
    );
    expect(result.newNodes).toHaveLength(1);
  });
  test('to oneself opens one host only; what does not fit there waits', () => {
    const result = schedulePods(
      round(somePods(3, 'web', { labels: web, affinity: required('podAffinity', hostname) })),
    );
    expect(result.newNodes).toHaveLength(1);
    expect(result.unschedulable).toHaveLength(2);
  });
  test('to oneself by zone keeps all in one zone', () => {
    expect(
      counts(schedulePods(round(somePods(4, 'web', { labels: web, affinity: required('podAffinity', zone) }))), zone),
    ).toEqual([4]);
  });
  test('to a pod that does not exist fails', () => {
    expect(schedulePods(round([aPod('p', { affinity: required('podAffinity', zone) })])).unschedulable).toHaveLength(1);
  });
  test('to a pod that runs already goes to its zone', () => {
    const [node] = schedulePods(
      round([aPod('p', { affinity: required('podAffinity', zone) })], { nodes: [running('n', 'zone-b')] }),
    ).newNodes;
    expect([...(node?.requirements.get(zone)?.values ?? [])]).toEqual(['zone-b']);
  });
  test('by zone to a pod of the batch: together when its zone is certain, a round later when not', () => {
    const followers = somePods(10, 'f', { affinity: required('podAffinity', zone) });
    const pinned = aPod('target', { labels: web, nodeSelector: { [zone]: 'zone-b' } });
    expect(counts(schedulePods(round([pinned, ...followers])), zone)).toEqual([11]);
    const open = [aPod('target', { labels: web }), ...followers];
    expect(schedulePods(round(open)).unschedulable).toHaveLength(10);
    expect(schedulePods(round(open, zonesOf('zone-a', 'zone-b'))).unschedulable).toHaveLength(10);
  });
  test('chains resolve in one round', () => {
    const follows = (name: string, app: string) =>
      aPod(name, {
        labels: { app: name },
        affinity: required('podAffinity', hostname, { labelSelector: { matchLabels: { app } } }),
      });
    const result = schedulePods(round([follows('c', 'b'), follows('b', 'web'), aPod('a', { labels: web })], onRoomy));
    expect(result.unschedulable).toEqual([]);
    expect(result.newNodes).toHaveLength(1);
  });
  for (const { fact, more, placed } of [
    { fact: 'looks into its own namespace', more: {}, placed: 0 },
    { fact: 'looks into listed namespaces', more: { namespaces: ['other'] }, placed: 1 },
    { fact: 'looks into all with an empty selector', more: { namespaceSelector: {} }, placed: 1 },
    { fact: 'looks into selected ones', more: { namespaceSelector: { matchLabels: { team: 'x' } } }, placed: 1 },
    { fact: 'does not look elsewhere', more: { namespaceSelector: { matchLabels: { team: 'y' } } }, placed: 0 },
    {
      fact: 'looks into listed and selected ones',
      more: { namespaces: ['default'], namespaceSelector: { matchLabels: { team: 'x' } } },
      placed: 1,
    },
  ]) {
    test(fact, () => {
      const nodes = [running('n', 'zone-b', {}, { namespace: 'other' })];
      const namespaces = ['default', 'other'].map((name) => ({
        metadata: { name, labels: { team: name === 'other' ? 'x' : 'z' } },
      }));
      const pod = aPod('p', { affinity: required('podAffinity', zone, more) });
      expect(schedulePods(round([pod], { nodes, namespaces })).newNodes).toHaveLength(placed);
    });
  }
  test('looks into namespaces that nobody has listed, too, with an empty selector', () => {
    const pod = aPod('p', { affinity: required('podAffinity', zone, { namespaceSelector: {} }) });
    const nodes = [running('n', 'zone-b', {}, { namespace: 'unlisted' })];
    expect(schedulePods(round([pod], { nodes })).newNodes).toHaveLength(1);
  });
  test('follows pods of its own revision by matchLabelKeys, and of any when it has none', () => {
    const nodes = ['1', '2'].map((revision) =>
      running(`n${revision}`, `zone-${revision === '1' ? 'a' : 'b'}`, {}, { labels: { ...web, revision } }),
    );
    const zonesFor = (labels: Readonly<Record<string, string>>) => {
      const affinity = required('podAffinity', zone, { matchLabelKeys: ['revision'] });
      const [node] = schedulePods(round([aPod('p', { labels, affinity })], { nodes })).newNodes;
      return [...(node?.requirements.get(zone)?.values ?? [])].toSorted();
    };
    expect(zonesFor({ revision: '2' })).toEqual(['zone-b']);
    expect(zonesFor({})).toEqual(['zone-a', 'zone-b']);
  });
});

describe('anti-affinity', () => {
  test('by matchLabelKeys lets two revisions share hosts', () => {
    const affinity = required('podAntiAffinity', hostname, { matchLabelKeys: ['revision'] });
    const pods = ['1', '2'].flatMap((revision) =>
      somePods(2, `web-${revision}`, { labels: { ...web, revision }, affinity }),
    );
    expect(counts(schedulePods(round(pods, onRoomy)), hostname)).toEqual([2, 2]);
  });
  test('by mismatchLabelKeys keeps tenants apart, and pods of one tenant together if they like', () => {
    const affinity = required('podAntiAffinity', hostname, { mismatchLabelKeys: ['tenant'] });
    const pods = ['a', 'b'].flatMap((tenant) => somePods(2, `web-${tenant}`, { labels: { ...web, tenant }, affinity }));
    expect(counts(schedulePods(round(pods, onRoomy)), hostname)).toEqual([2, 2]);
  });
  test('by mismatchLabelKeys keeps away pods of other tenants that state nothing', () => {
    const affinity = required('podAntiAffinity', hostname, { mismatchLabelKeys: ['tenant'] });
    const keeping = aPod('keeping', { labels: { ...web, tenant: 'a' }, affinity, requests: { cpu: 1 } });
    const [own, other] = ['a', 'b'].map((tenant) => aPod(tenant, { labels: { ...web, tenant } }));
    expect(counts(schedulePods(round([keeping, own as Pod], onRoomy)), hostname)).toEqual([2]);
    expect(counts(schedulePods(round([keeping, other as Pod], onRoomy)), hostname)).toEqual([1, 1]);
  });
  test('by host separates', () => {
    const pods = somePods(3, 'web', { labels: web, affinity: required('podAntiAffinity', hostname) });
    expect(schedulePods(round(pods, onRoomy)).newNodes).toHaveLength(3);
  });
  test('by zone places one per round while zones are undecided', () => {
    const pods = somePods(3, 'web', { labels: web, affinity: required('podAntiAffinity', zone) });
    expect(schedulePods(round(pods)).newNodes).toHaveLength(1);
  });
  test('by zone waits for a pod to keep away from whose zone is open, also where the pool lists the zones', () => {
    const target = aPod('target', { labels: web, requests: { cpu: 1 } });
    const pods = [target, aPod('keeping', { affinity: required('podAntiAffinity', zone) })];
    for (const pools of [{}, zonesOf('zone-a', 'zone-b', 'zone-c')]) {
      const { newNodes, unschedulable } = schedulePods(round(pods, pools));
      expect(newNodes.flatMap((node) => node.pods.map(({ metadata }) => metadata.name))).toEqual(['target']);
      expect(unschedulable).toHaveLength(1);
    }
  });
  test('by zone fails for a fourth pod against three that are pinned', () => {
    const pinned = ['zone-a', 'zone-b', 'zone-c'].map((at) =>
      aPod(at, { labels: web, nodeSelector: { [zone]: at }, requests: { cpu: 2 } }),
    );
    const fourth = aPod('fourth', { affinity: required('podAntiAffinity', zone) });
    expect(schedulePods(round([...pinned, fourth])).unschedulable.map(({ pod }) => pod.metadata.name)).toEqual([
      'fourth',
    ]);
  });
  test('of one pod keeps later plain pods away', () => {
    const guard = aPod('guard', { requests: { cpu: 2 }, affinity: required('podAntiAffinity', hostname) });
    expect(schedulePods(round([guard, aPod('plain', { labels: web })], onRoomy)).newNodes).toHaveLength(2);
  });
  test('of a running pod keeps pods off its node', () => {
    const guard = aPod('guard', { nodeName: 'n', affinity: required('podAntiAffinity', hostname) });
    const result = schedulePods(round([aPod('plain', { labels: web })], { nodes: [aNode('n', { pods: [guard] })] }));
    expect(result.existing).toEqual([]);
  });
  test('that is only preferred keeps nobody else away', () => {
    const preferred: Affinity = {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: hostname, labelSelector: selectsWeb } },
        ],
      },
    };
    const guard = aPod('guard', { requests: { cpu: 2 }, affinity: preferred });
    expect(schedulePods(round([guard, aPod('plain', { labels: web })], onRoomy)).newNodes).toHaveLength(1);
  });
  test('that is only preferred is violated in the end', () => {
    const preferred: Affinity = {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: zone, labelSelector: selectsWeb } },
        ],
      },
    };
    expect(schedulePods(round(somePods(4, 'web', { labels: web, affinity: preferred }))).unschedulable).toEqual([]);
  });
  test('on a label that no node has lets pods run', () => {
    const pods = somePods(2, 'web', { labels: web, affinity: required('podAntiAffinity', 'rack') });
    expect(schedulePods(round(pods)).unschedulable).toEqual([]);
  });
});
