import { nodeGroups, type NodeGroup } from '@nodewright/apis';
import { CloudError, type ManagedGroup } from '@nodewright/ports';
import { fakeCloud } from '@nodewright/testkit';
import { aFollowedCluster } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { readGroupRows } from './list.ts';
import { namedGroup, needStoredGroup } from './named-group.ts';

type Status = NonNullable<NodeGroup['status']>;

const aStored = (name: string, group: object, status?: Status): NodeGroup => ({
  metadata: { name },
  spec: { ...group, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
  ...(status === undefined ? {} : { status }),
});

const aManaged = (name: string, more: Partial<ManagedGroup> = {}): ManagedGroup => ({
  name,
  status: 'ACTIVE',
  kubernetesVersion: '1.28',
  release: '1.28.0-20240101',
  imageKind: { family: 'al2', arch: 'amd64', variant: 'standard' },
  updateConfig: {},
  issues: [],
  ...more,
});

/** Its launch template names the image. */
const { imageKind: _, ...ofTemplate } = aManaged('workers');

const aScaling = (name: string, desired = 2) => ({
  name,
  min: 0,
  max: 5,
  desired,
  zones: ['us-east-1a'],
  subnets: [{ id: 'subnet-a', zone: 'us-east-1a', freeAddresses: 100 }],
  warm: [],
  instanceTypes: [],
  typesWithOwnTemplate: [],
  bought: {},
  suspended: [],
  hooks: [],
  tags: {},
  isRefreshing: false,
  isOfCluster: true,
  template: {
    id: `lt-${name}`,
    version: '1',
    isPinned: true,
    imageId: 'ami-1',
    arch: 'amd64' as const,
    variant: 'standard',
    versions: { 'ami-1': '1' },
  },
});

type Given = {
  readonly stored?: readonly NodeGroup[];
  readonly managed?: readonly ManagedGroup[];
  readonly scaling?: readonly ReturnType<typeof aScaling>[];
  /** What fails, and with what. */
  readonly broken?: Partial<Record<'managedGroups.list' | 'managedGroups.describe' | 'scalingGroups.list', Error>>;
};

async function aWorldOfGroups({ stored = [], managed = [], scaling = [], broken = {} }: Given) {
  const cluster = aFollowedCluster();
  const cloud = fakeCloud({ now: () => cluster.clock.now(), instanceTypes: [], images: () => [] });
  for (const group of managed) cloud.managedGroups.put(group);
  for (const group of scaling) cloud.scalingGroups.put(group);
  for (const [call, failure] of Object.entries(broken)) {
    const [port, method] = call.split('.');
    Object.assign(port === 'managedGroups' ? cloud.managedGroups : cloud.scalingGroups, {
      [method ?? '']: () => Promise.reject(failure),
    });
  }
  for (const { status, ...group } of stored) {
    await cluster.do(cluster.client.create(nodeGroups, group));
    const patch = { type: 'merge', patch: { status } } as const;
    const key = { name: group.metadata.name };
    if (status !== undefined) await cluster.do(cluster.client.patch(nodeGroups, key, patch, { subresource: 'status' }));
  }
  return { cluster, sources: { client: cluster.client, cloud } };
}

const denied = new CloudError('not authorized', { code: 'AccessDenied', retry: 'backOff' });

describe('the list of node groups', () => {
  test.each<readonly [fact: string, given: Given, rows: readonly object[], unlisted: readonly object[]]>([
    ['is empty where there are none', {}, [], []],
    [
      'has a group that no NodeGroup keeps, with what AWS says of it',
      { managed: [aManaged('workers', { scalingGroup: 'eks-workers' })], scaling: [aScaling('eks-workers', 3)] },
      [
        { name: 'eks-workers', kind: 'autoScalingGroup', phase: 'NotKept', nodes: 3, image: 'ami-1' },
        { name: 'workers', kind: 'eks', phase: 'NotKept', nodes: 3, image: 'ami-1', release: '1.28.0-20240101' },
      ],
      [],
    ],
    [
      'has no count of a managed group whose instances are not seen',
      { managed: [aManaged('workers')] },
      [{ name: 'workers', kind: 'eks', phase: 'NotKept', release: '1.28.0-20240101' }],
      [],
    ],
    [
      'has a kept group once, with what its controller says',
      {
        managed: [aManaged('workers')],
        stored: [
          aStored(
            'own',
            { eks: { name: 'workers' } },
            {
              phase: 'Outdated',
              reason: 'waits for a request',
              nodes: { total: 4, updated: 1, ready: 4 },
              target: { release: '1.28.5-20240117', image: 'ami-2' },
            },
          ),
        ],
      },
      [
        {
          name: 'workers',
          kind: 'eks',
          nodeGroup: 'own',
          phase: 'Outdated',
          updated: 1,
          nodes: 4,
          image: 'ami-2',
          release: '1.28.5-20240117',
          reason: 'waits for a request',
        },
      ],
      [],
    ],
    [
      'has a NodeGroup that no controller has looked at as pending',
      { stored: [aStored('own', { autoScalingGroup: { name: 'plain' } })] },
      [{ name: 'plain', kind: 'autoScalingGroup', nodeGroup: 'own', phase: 'Pending' }],
      [],
    ],
    [
      'tells a managed group from an Auto Scaling group of the same name',
      {
        managed: [aManaged('workers')],
        scaling: [aScaling('workers', 1)],
        stored: [aStored('own', { eks: { name: 'workers' } }, { phase: 'UpToDate' })],
      },
      [
        { name: 'workers', kind: 'autoScalingGroup', phase: 'NotKept', nodes: 1, image: 'ami-1' },
        { name: 'workers', kind: 'eks', nodeGroup: 'own', phase: 'UpToDate' },
      ],
      [],
    ],
    [
      'is sorted by name, kept or not',
      {
        managed: [aManaged('c'), aManaged('a')],
        stored: [aStored('z', { autoScalingGroup: { name: 'b' } })],
      },
      [
        { name: 'a', kind: 'eks', phase: 'NotKept', release: '1.28.0-20240101' },
        { name: 'b', kind: 'autoScalingGroup', nodeGroup: 'z', phase: 'Pending' },
        { name: 'c', kind: 'eks', phase: 'NotKept', release: '1.28.0-20240101' },
      ],
      [],
    ],
    [
      'has what one service tells though the other refuses',
      { scaling: [aScaling('plain', 0)], broken: { 'managedGroups.list': denied } },
      [{ name: 'plain', kind: 'autoScalingGroup', phase: 'NotKept', nodes: 0, image: 'ami-1' }],
      [{ kind: 'eks', why: 'not authorized' }],
    ],
    [
      'has managed groups though Auto Scaling refuses',
      { managed: [aManaged('workers')], broken: { 'scalingGroups.list': denied } },
      [{ name: 'workers', kind: 'eks', phase: 'NotKept', release: '1.28.0-20240101' }],
      [{ kind: 'autoScalingGroup', why: 'not authorized' }],
    ],
    [
      'says of a group why it cannot be described',
      { managed: [aManaged('workers')], broken: { 'managedGroups.describe': denied } },
      [{ name: 'workers', kind: 'eks', phase: 'NotKept', reason: 'not authorized' }],
      [],
    ],
  ])('%s', async (_, given, rows, unlisted) => {
    const { cluster, sources } = await aWorldOfGroups(given);
    expect(await cluster.do(readGroupRows(sources))).toEqual({ rows, unlisted });
  });

  test.each(['managedGroups.list', 'managedGroups.describe'] as const)('fails when %s has a defect', async (call) => {
    const broken = { [call]: new TypeError('x is undefined') };
    const { cluster, sources } = await aWorldOfGroups({ managed: [aManaged('workers')], broken });
    await expect(cluster.do(readGroupRows(sources))).rejects.toThrow(TypeError);
  });
});

describe('the group that is meant', () => {
  const both = [
    aStored('workers', { autoScalingGroup: { name: 'other' } }),
    aStored('second', { eks: { name: 'workers' } }),
    aStored('third', { autoScalingGroup: { name: 'plain' } }),
  ];

  test.each([
    ['a NodeGroup of that name before a group of that name', 'workers', 'workers'],
    ['the NodeGroup that keeps a group of that name', 'plain', 'third'],
  ])('is %s', async (_, name, found) => {
    const { cluster, sources } = await aWorldOfGroups({ stored: both });
    expect((await cluster.do(needStoredGroup(sources, name))).metadata.name).toBe(found);
    expect((await cluster.do(namedGroup(sources, name))).metadata.name).toBe(found);
  });

  test.each<readonly [fact: string, given: Given, name: string, image: string | undefined, spec: object]>([
    [
      'a managed group gets the newest of its own family',
      { managed: [aManaged('workers')] },
      'workers',
      undefined,
      { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
    ],
    [
      'a managed group gets the alias that is asked for',
      { managed: [aManaged('workers')] },
      'workers',
      'al2@v20240117',
      { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@v20240117' }] } },
    ],
    [
      'a managed group of a template gets the image that is asked for',
      { managed: [ofTemplate] },
      'workers',
      'ami-7',
      { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ id: 'ami-7' }] } },
    ],
    [
      'an Auto Scaling group gets the image that is asked for',
      { scaling: [aScaling('plain')] },
      'plain',
      'ami-7',
      { autoScalingGroup: { name: 'plain' }, image: { amiSelectorTerms: [{ id: 'ami-7' }] } },
    ],
    [
      'a managed group goes before an Auto Scaling group of that name',
      { managed: [aManaged('workers')], scaling: [aScaling('workers')] },
      'workers',
      undefined,
      { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
    ],
  ])('without a NodeGroup: %s, on request only', async (_, given, name, image, spec) => {
    const { cluster, sources } = await aWorldOfGroups(given);
    expect(await cluster.do(namedGroup(sources, name, image))).toEqual({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'NodeGroup',
      metadata: { name },
      spec: { ...spec, update: { mode: 'OnRequest' } },
    });
  });

  test.each([
    ['Workers_2', 'workers-2'],
    ['my group (2)', 'my-group--2'],
    ['_internal_', 'internal'],
    ['a.b-c', 'a.b-c'],
  ])('a NodeGroup for "%s" gets a name that the API server takes: %s', async (group, name) => {
    const { cluster, sources } = await aWorldOfGroups({ scaling: [aScaling(group)] });
    const nodeGroup = await cluster.do(namedGroup(sources, group, 'ami-7'));
    expect(nodeGroup.spec.autoScalingGroup).toEqual({ name: group });
    expect((await cluster.do(cluster.client.create(nodeGroups, nodeGroup))).metadata.name).toBe(name);
  });

  const plain = { scaling: [aScaling('plain')] };
  test.each<readonly [given: Given, name: string, image: string | undefined, message: string]>([
    [plain, 'x', undefined, 'there is no NodeGroup, managed node group or Auto Scaling group "x"'],
    [
      plain,
      'plain',
      undefined,
      '--image: say which image plain is to get, such as al2023@latest or ami-0123456789abcdef0',
    ],
    [
      { managed: [ofTemplate] },
      'workers',
      undefined,
      '--image: the launch template of workers names its image; say which one it is to get',
    ],
    [{ stored: both }, 'plain', 'ami-7', '--image: NodeGroup third names its image; change spec.image there'],
  ])('is refused: %#', async (given, name, image, message) => {
    const { cluster, sources } = await aWorldOfGroups(given);
    await expect(cluster.do(namedGroup(sources, name, image))).rejects.toThrow(message);
  });
});
