import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ec2Instance } from './instance.ts';
import { usualIops } from './launched-disks.ts';
import { volumesOf } from './volumes-of.ts';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeAll(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

type Volume = {
  readonly VolumeId: string;
  readonly Attachments: readonly { readonly Device: string; readonly DeleteOnTermination: boolean }[];
} & Readonly<Record<string, unknown>>;

const launchWith = (BlockDeviceMappings: readonly object[], more: object = {}) => ({
  ImageId: x86.imageId,
  InstanceType: 'm5.large',
  MinCount: 1,
  MaxCount: 1,
  BlockDeviceMappings,
  ...more,
});

/** The volumes of a new instance, each as a line: `/dev/xvda 20 gp2 100`. */
async function volumesOfLaunch(mappings: readonly object[], more: object = {}): Promise<readonly string[]> {
  const { Instances } = (await call('RunInstances', launchWith(mappings, more))) as {
    readonly Instances: readonly { readonly InstanceId: string }[];
  };
  const Filters = [{ Name: 'attachment.instance-id', Values: [Instances[0]?.InstanceId] }];
  const { Volumes } = (await call('DescribeVolumes', { Filters })) as { readonly Volumes: readonly Volume[] };
  return Volumes.map(({ Attachments: [attachment], Size, VolumeType, Iops, Throughput, Encrypted }) =>
    [
      attachment?.Device,
      Size,
      VolumeType,
      Iops ?? '-',
      ...(Throughput === undefined ? [] : [`${String(Throughput)} MiB/s`]),
      ...(Encrypted === true ? ['encrypted'] : []),
      ...(attachment?.DeleteOnTermination === true ? [] : ['stays']),
    ].join(' '),
  );
}

describe('the volumes of a launch', () => {
  test.each<readonly [fact: string, mappings: readonly object[], volumes: readonly string[]]>([
    ['are those of the image', [], ['/dev/xvda 20 gp2 100']],
    [
      'may be larger than those of the image',
      [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 100 } }],
      ['/dev/xvda 100 gp2 300'],
    ],
    [
      'may be of another type, which has a throughput of its own',
      [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3' } }],
      ['/dev/xvda 20 gp3 3000 125 MiB/s'],
    ],
    [
      'have the operations and the throughput that are asked for',
      [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', Iops: 6_000, Throughput: 500 } }],
      ['/dev/xvda 20 gp3 6000 500 MiB/s'],
    ],
    [
      'are encrypted where that is asked for',
      [{ DeviceName: '/dev/xvda', Ebs: { Encrypted: true } }],
      ['/dev/xvda 20 gp2 100 encrypted'],
    ],
    [
      'stay after the instance where that is asked for',
      [{ DeviceName: '/dev/xvda', Ebs: { DeleteOnTermination: false } }],
      ['/dev/xvda 20 gp2 100 stays'],
    ],
    [
      'may be further ones, after the root volume',
      [
        { DeviceName: '/dev/sdc', Ebs: { VolumeSize: 500, VolumeType: 'io2', Iops: 10_000 } },
        { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 1 } },
      ],
      ['/dev/xvda 20 gp2 100', '/dev/sdb 1 gp2 100', '/dev/sdc 500 io2 10000'],
    ],
    [
      'are not those of the instance store',
      [{ DeviceName: '/dev/sdb', VirtualName: 'ephemeral0' }],
      ['/dev/xvda 20 gp2 100'],
    ],
    [
      'are without one that is left out',
      [
        { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 5 } },
        { DeviceName: '/dev/sdb', NoDevice: '' },
      ],
      ['/dev/xvda 20 gp2 100'],
    ],
  ])('%s', async (_, mappings, volumes) => expect(await volumesOfLaunch(mappings)).toEqual(volumes));

  test('are not smaller than the snapshot of the image', async () => {
    expect(await refusalOf('RunInstances', launchWith([{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 19 } }]))).toMatch(
      /^InvalidBlockDeviceMapping: Volume of size 19GB is smaller than snapshot 'snap-[0-9a-f]{17}', expect size>= 20GB$/,
    );
  });

  test('have a size where the image has none', async () => {
    const mappings = [{ DeviceName: '/dev/sdb', Ebs: { VolumeType: 'gp3' } }];
    expect(await refusalOf('RunInstances', launchWith(mappings))).toBe(
      'MissingParameter: The request must contain the parameter size or snapshotId',
    );
  });

  test('are told by the instance with the same ids', async () => {
    const mappings = [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 5 } }];
    const { Instances } = (await call('RunInstances', launchWith(mappings))) as {
      readonly Instances: readonly { readonly InstanceId: string }[];
    };
    const InstanceIds = [Instances[0]?.InstanceId];
    await account.clock.advance(60_000);
    const { Reservations } = (await call('DescribeInstances', { InstanceIds })) as {
      readonly Reservations: readonly {
        readonly Instances: readonly {
          readonly BlockDeviceMappings: readonly {
            readonly DeviceName: string;
            readonly Ebs: { readonly VolumeId: string };
          }[];
        }[];
      }[];
    };
    const told = Reservations[0]?.Instances[0]?.BlockDeviceMappings.map(({ DeviceName, Ebs }) => [
      DeviceName,
      Ebs.VolumeId,
    ]);
    const Filters = [{ Name: 'attachment.instance-id', Values: InstanceIds }];
    const { Volumes } = (await call('DescribeVolumes', { Filters })) as { readonly Volumes: readonly Volume[] };
    expect(told).toEqual(Volumes.map(({ Attachments, VolumeId }) => [Attachments[0]?.Device, VolumeId]));
    expect(new Set(Volumes.map(({ VolumeId }) => VolumeId)).size).toBe(2);
  });

  test('end with the instance', async () => {
    const { Instances } = (await call('RunInstances', launchWith([]))) as {
      readonly Instances: readonly { readonly InstanceId: string }[];
    };
    const InstanceIds = [Instances[0]?.InstanceId];
    await call('TerminateInstances', { InstanceIds });
    const Filters = [{ Name: 'attachment.instance-id', Values: InstanceIds }];
    expect(await call('DescribeVolumes', { Filters })).toMatchObject({ Volumes: [{ State: 'in-use' }] });
    await account.clock.advance(5 * 60_000);
    expect(await call('DescribeVolumes', { Filters })).toEqual({ Volumes: [] });
  });
});

describe('volumes are found', () => {
  beforeAll(async () => {
    const tags = [{ ResourceType: 'volume', Tags: [{ Key: 'team', Value: 'data' }] }];
    const mappings = [
      {
        DeviceName: '/dev/sdf',
        Ebs: { VolumeSize: 77, VolumeType: 'gp3', Encrypted: true, DeleteOnTermination: false },
      },
    ];
    await call('RunInstances', launchWith(mappings, { TagSpecifications: tags }));
  });

  test.each([
    ['size', '77', 1],
    ['volume-type', 'gp3', 1],
    ['attachment.device', '/dev/sdf', 1],
    ['attachment.delete-on-termination', 'false', 1],
    ['encrypted', 'true', 1],
    ['tag:team', 'data', 2],
    ['tag-key', 'team', 2],
    ['status', 'in-use', 2],
    ['status', 'available', 0],
    ['attachment.status', 'attached', 2],
    ['availability-zone', 'us-east-1a', 2],
    ['availability-zone', 'us-east-1b', 0],
    ['availability-zone-id', 'use1-az1', 2],
    ['multi-attach-enabled', 'false', 2],
    ['operator.managed', 'false', 2],
    ['fast-restored', 'true', 0],
  ])('by %s %s', async (Name, value, count) => {
    const Filters = [
      { Name, Values: [value] },
      { Name: 'tag:team', Values: ['data'] },
    ];
    const { Volumes } = (await call('DescribeVolumes', { Filters })) as { readonly Volumes: readonly Volume[] };
    expect(Volumes).toHaveLength(count);
  });
});

test.each([
  ['gp2', 1, 100],
  ['gp2', 33, 100],
  ['gp2', 34, 102],
  ['gp2', 5_333, 15_999],
  ['gp2', 16_384, 16_000],
  ['gp3', 1, 3_000],
  ['io2', 100, undefined],
  ['st1', 500, undefined],
])('a volume of %s with %i GiB has %j operations a second', (type, size, iops) => {
  expect(usualIops(type, size)).toBe(iops);
});

test('an instance that was kept before its volumes were has a root volume of gp2', () => {
  const root = { deviceName: '/dev/xvda', volumeId: 'vol-1', sizeGib: 80 };
  expect(volumesOf({ root, settings: {} } as unknown as Ec2Instance)).toEqual([
    {
      volumeId: 'vol-1',
      device: '/dev/xvda',
      sizeGib: 80,
      type: 'gp2',
      iops: 240,
      encrypted: false,
      deleteOnTermination: true,
    },
  ]);
});
