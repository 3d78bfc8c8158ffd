import { instant, karpenterLabels, type Node, type NodeClaim, toTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { planRepair, type RepairPeer, type RepairSnapshot } from './plan.ts';

const start = Date.UTC(2024, 0, 28, 16);
const at = (minutes: number) => instant(start + minutes * 60_000);

const policies = [
  { conditionType: 'Ready', status: 'False', tolerationMs: 30 * 60_000 },
  { conditionType: 'Ready', status: 'Unknown', tolerationMs: 30 * 60_000 },
  { conditionType: 'AcceleratedHardwareReady', status: 'False', tolerationMs: 10 * 60_000 },
] as const;

type Sign = readonly [type: string, status: 'True' | 'False' | 'Unknown', sinceMinutes: number];

const nodeWith = (name: string, signs: readonly Sign[], pool = 'default'): Node => ({
  metadata: { name, labels: { [karpenterLabels.nodePool]: pool } },
  status: {
    conditions: signs.map(([type, status, since]) => ({ type, status, lastTransitionTime: toTimestamp(at(since)) })),
  },
});

const claim = (labels: Record<string, string> = { [karpenterLabels.nodePool]: 'default' }): NodeClaim => ({
  metadata: { name: 'default-1', labels },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
});

const seen = (node: Node, more: Partial<RepairSnapshot> = {}): RepairSnapshot => ({
  node,
  peers: [{ node, image: 'ami-1' }],
  claim: claim(),
  policies,
  launchImages: new Set(['ami-1']),
  ...more,
});

describe('a node', () => {
  test.each<readonly [readonly Sign[], number, object]>([
    [[['Ready', 'True', 0]], 600, { kind: 'none' }],
    [[['DiskPressure', 'True', 0]], 600, { kind: 'none' }],
    [[['Ready', 'False', 0]], 29, { kind: 'wait', until: at(30) }],
    [[['Ready', 'False', 0]], 30, { kind: 'replace', condition: 'Ready' }],
    [[['Ready', 'Unknown', 0]], 30, { kind: 'replace', condition: 'Ready' }],
    [
      [
        ['Ready', 'False', 0],
        ['AcceleratedHardwareReady', 'False', 5],
      ],
      15,
      { kind: 'replace', condition: 'AcceleratedHardwareReady' },
    ],
    [
      [
        ['Ready', 'False', 0],
        ['AcceleratedHardwareReady', 'False', 25],
      ],
      30,
      { kind: 'replace', condition: 'Ready' },
    ],
  ])('with %o after %i minutes: %o', (signs, minutes, expected) => {
    expect(planRepair(seen(nodeWith('n-1', signs)), at(minutes))).toMatchObject(expected);
  });

  test('without a claim is left alone', () => {
    const sick = nodeWith('n-1', [['Ready', 'False', 0]]);
    expect(planRepair(seen(sick, { claim: undefined }), at(60))).toEqual({ kind: 'none' });
  });
});

describe('while many are unhealthy', () => {
  const onImage = (image: string | undefined, ...all: readonly Node[]): readonly RepairPeer[] =>
    all.map((node) => ({ node, image }));
  const sick = (name: string, pool?: string) => nodeWith(name, [['Ready', 'False', 0]], pool);
  const well = (count: number, pool = 'default') =>
    Array.from({ length: count }, (_, index) => nodeWith(`w-${pool}-${index}`, [['Ready', 'True', 0]], pool));

  test.each([
    [1, 3, 'replace'],
    [2, 3, 'hold'],
    [2, 10, 'replace'],
    [3, 10, 'hold'],
  ])('%i of %i nodes of a pool: %s', (count, all, expected) => {
    const unhealthy = Array.from({ length: count }, (_, index) => sick(`s-${index}`));
    const peers = onImage('ami-1', ...unhealthy, ...well(all - count));
    expect(planRepair(seen(unhealthy[0] as Node, { peers }), at(60)).kind).toBe(expected);
  });

  test('the nodes of the cluster count for a claim without a pool', () => {
    const node = sick('s-0');
    const peers = onImage('ami-1', node, sick('o-1', 'other'), sick('o-2', 'other'));
    expect(planRepair(seen(node, { peers, claim: claim({}) }), at(60))).toMatchObject({
      kind: 'hold',
      unhealthy: 3,
      tolerated: 1,
      among: 'the cluster',
    });
  });

  test('the time that a node has left does not count: it is unhealthy now', () => {
    const [node, ...others] = [sick('s-0'), nodeWith('s-1', [['Ready', 'False', 59]]), ...well(1)] as const;
    expect(planRepair(seen(node, { peers: onImage('ami-1', node, ...others) }), at(60)).kind).toBe('hold');
  });

  const [first, second] = [sick('s-0'), sick('s-1')];
  const bad = onImage('ami-bad', first, second);
  test.each<readonly [fact: string, peers: readonly RepairPeer[], images: readonly string[] | undefined, kind: string]>(
    [
      [
        'replaced when their image is not launched any more and others are well',
        onImage('ami-1', ...well(2)),
        ['ami-1'],
        'replace',
      ],
      ['held while a launch would get their image', onImage('ami-1', ...well(2)), ['ami-bad'], 'hold'],
      ['held while no node of another image is there', onImage('ami-bad', ...well(2)), ['ami-1'], 'hold'],
      [
        'held while a node of the image of now is sick as well',
        onImage('ami-1', sick('s-2'), ...well(2)),
        ['ami-1'],
        'hold',
      ],
      ['held while it is not known what a launch gets', onImage('ami-1', ...well(2)), undefined, 'hold'],
      ['held while nothing can be launched', onImage('ami-1', ...well(2)), [], 'hold'],
      [
        'held while the image of a sick node is not known',
        onImage(undefined, sick('s-2'), ...well(2)),
        ['ami-1'],
        'hold',
      ],
    ],
  )('nodes that share an image are %s', (_fact, others, images, kind) => {
    const launchImages = images && new Set(images);
    expect(planRepair(seen(first, { peers: [...bad, ...others], launchImages }), at(60)).kind).toBe(kind);
  });
});
