import {
  DeregisterImageCommand,
  DescribeImagesCommand,
  EC2Client,
  ModifyImageAttributeCommand,
  RegisterImageCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { aTestAccount, ec2Caller, inProcess, testAccessKey, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

const [home, member, stranger] = ['111122223333', '444455556666', '777788889999'];

let call: ReturnType<typeof ec2Caller>['call'];
let clientOf: (accountId: string) => Promise<EC2Client>;
let ImageId: string;

beforeEach(async () => {
  const { aws } = aTestAccount({ releases: [x86] });
  ({ call } = ec2Caller(aws));
  const sts = new STSClient(inProcess(aws.handleSigned, 'us-east-1', testAccessKey));
  clientOf = async (accountId) => {
    const RoleArn = `arn:aws:iam::${accountId}:role/OrganizationAccountAccessRole`;
    const { Credentials: lent } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'me' }));
    return new EC2Client(
      inProcess(aws.handleSigned, 'us-east-1', {
        accessKeyId: lent?.AccessKeyId ?? '',
        secretAccessKey: lent?.SecretAccessKey ?? '',
        sessionToken: lent?.SessionToken ?? '',
      }),
    );
  };
  ImageId = await register('golden');
});

async function register(Name: string): Promise<string> {
  return ((await call('RegisterImage', { Name, Architecture: 'x86_64' })) as { ImageId: string }).ImageId;
}

const share = (Permission: object) => call('ModifyImageAttribute', { ImageId, LaunchPermission: Permission });
const readPermissions = async () =>
  (
    (await call('DescribeImageAttribute', { ImageId, Attribute: 'launchPermission' })) as {
      LaunchPermissions: object[];
    }
  ).LaunchPermissions;

async function seenBy(accountId: string, request: object = { Owners: [home] }): Promise<readonly unknown[]> {
  const { Images = [] } = await (await clientOf(accountId)).send(new DescribeImagesCommand(request));
  return Images.map((image) => image.ImageId);
}

describe('launch permissions of an image', () => {
  test.each<[fact: string, changes: readonly object[], permissions: readonly object[]]>([
    ['are none at first', [], []],
    ['are added for an account', [{ LaunchPermission: { Add: [{ UserId: member }] } }], [{ UserId: member }]],
    [
      'are added once, however often',
      [{ LaunchPermission: { Add: [{ UserId: member }] } }, { LaunchPermission: { Add: [{ UserId: member }] } }],
      [{ UserId: member }],
    ],
    [
      'name everybody before accounts',
      [{ LaunchPermission: { Add: [{ UserId: member }, { Group: 'all' }] } }],
      [{ Group: 'all' }, { UserId: member }],
    ],
    [
      'are taken from one account alone',
      [
        { LaunchPermission: { Add: [{ UserId: member }, { UserId: stranger }] } },
        { LaunchPermission: { Remove: [{ UserId: member }] } },
      ],
      [{ UserId: stranger }],
    ],
    [
      'are added in the older form',
      [{ OperationType: 'add', UserIds: [member], UserGroups: ['all'] }],
      [{ Group: 'all' }, { UserId: member }],
    ],
    [
      'are taken away in the older form',
      [
        { OperationType: 'add', UserIds: [member, stranger] },
        { OperationType: 'remove', UserIds: [stranger] },
      ],
      [{ UserId: member }],
    ],
  ])('%s', async (_, changes, permissions) => {
    for (const change of changes) expect(await call('ModifyImageAttribute', { ImageId, ...change })).toEqual({});
    expect(await readPermissions()).toEqual(permissions);
  });

  test('are none after a reset, which only the owner may ask for', async () => {
    await share({ Add: [{ Group: 'all' }, { UserId: member }] });
    expect(await call('ResetImageAttribute', { ImageId, Attribute: 'launchPermission', DryRun: true })).toBe(
      'DryRunOperation',
    );
    expect(await readPermissions()).toHaveLength(2);
    expect(await call('ResetImageAttribute', { ImageId, Attribute: 'launchPermission' })).toEqual({});
    expect(await readPermissions()).toEqual([]);
    expect(await call('ResetImageAttribute', { ImageId: x86.imageId, Attribute: 'launchPermission' })).toBe(
      'AuthFailure',
    );
  });

  test.each<[fact: string, change: object, code: string]>([
    ['a group that is not all', { OperationType: 'add', UserGroups: ['some'] }, 'InvalidAMIAttributeItemValue'],
    ['an account that is no number', { LaunchPermission: { Add: [{ UserId: 'me' }] } }, 'InvalidAMIAttributeItemValue'],
    ['the older form without an operation', { UserIds: [member] }, 'MissingParameter'],
    ['nothing at all', {}, 'MissingParameter'],
  ])('are refused for %s', async (_, change, code) => {
    expect(await call('ModifyImageAttribute', { ImageId, ...change })).toBe(code);
    expect(await readPermissions()).toEqual([]);
  });

  test("are the owner's to read", async () => {
    const request = { ImageId: x86.imageId, Attribute: 'launchPermission' };
    expect(await call('DescribeImageAttribute', request)).toBe('AuthFailure');
  });
});

describe('images of another account', () => {
  test('are seen by those accounts that may launch them', async () => {
    expect(await seenBy(member)).toEqual([]);
    await share({ Add: [{ UserId: member }] });
    expect(await seenBy(member)).toEqual([ImageId]);
    expect(await seenBy(stranger)).toEqual([]);
    await share({ Add: [{ Group: 'all' }], Remove: [{ UserId: member }] });
    expect(await seenBy(member)).toEqual([ImageId]);
    expect(await seenBy(stranger)).toEqual([ImageId]);
  });

  test('boot, cannot be changed, and are gone with their deregistration', async () => {
    await share({ Add: [{ UserId: member }] });
    const client = await clientOf(member);
    const run = () =>
      client.send(new RunInstancesCommand({ ImageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 }));
    expect((await run()).Instances).toMatchObject([{ ImageId }]);
    await expect(client.send(new DeregisterImageCommand({ ImageId }))).rejects.toMatchObject({ name: 'AuthFailure' });
    const change = new ModifyImageAttributeCommand({ ImageId, Description: { Value: 'mine' } });
    await expect(client.send(change)).rejects.toMatchObject({ name: 'AuthFailure' });
    await call('DeregisterImage', { ImageId });
    await expect(run()).rejects.toMatchObject({ name: 'InvalidAMIID.NotFound' });
  });

  test('are listed for whom they are: all, self, or an account that one shares with', async () => {
    const shared = await register('shared');
    await call('ModifyImageAttribute', { ImageId: shared, LaunchPermission: { Add: [{ UserId: member }] } });
    await share({ Add: [{ Group: 'all' }] });
    const mine = async (users: readonly string[]) => {
      const request = { Owners: ['self'], ExecutableUsers: users };
      return ((await call('DescribeImages', request)) as { Images: { ImageId: string }[] }).Images.map(
        (image) => image.ImageId,
      );
    };
    expect(await mine(['all'])).toEqual([ImageId]);
    expect(await mine([member])).toEqual([shared]);
    expect(await mine([stranger])).toEqual([]);
    expect((await mine(['all', member])).toSorted()).toEqual([ImageId, shared].toSorted());
    expect(await seenBy(member, { ExecutableUsers: ['self'] })).toEqual([shared]);
    expect(await seenBy(member, { ExecutableUsers: ['self'], ImageIds: [x86.imageId] })).toEqual([]);
    expect(await seenBy(member, { ExecutableUsers: ['all'], ImageIds: [ImageId, shared] })).toEqual([ImageId]);
    expect(await seenBy(member, { ExecutableUsers: [stranger] })).toEqual([]);
  });

  test('are of another region there, and not here', async () => {
    const { aws } = aTestAccount({ releases: [x86] });
    const elsewhere = new EC2Client(inProcess(aws.handle, 'eu-west-1'));
    const { ImageId: made } = await elsewhere.send(new RegisterImageCommand({ Name: 'there', Architecture: 'arm64' }));
    expect(await ec2Caller(aws).call('DescribeImages', { ImageIds: [made] })).toBe('InvalidAMIID.NotFound');
    const { Images } = await elsewhere.send(new DescribeImagesCommand({ Owners: ['self'] }));
    expect(Images).toMatchObject([{ ImageId: made, Architecture: 'arm64' }]);
  });
});
