import { DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateAccessKeyCommand, CreateUserCommand, GetUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { realTime } from '@nodewright/runtime';
import { aTestAccount, inProcess, never, presignToken, testAccessKey } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: ReturnType<typeof aTestAccount>;
beforeEach(() => {
  account = aTestAccount();
});

const answerOf = (operation: string, input: object) =>
  account.aws.answer({ service: 'iam', operation, input }, { signal: never, serving: { wait: (work) => work() } });

async function call(operation: string, input: object = {}): Promise<unknown> {
  const given = await answerOf(operation, input);
  return given.kind === 'answered' ? given.output : `${given.code.replace(/Exception$/, '')}: ${given.message}`;
}

const arn = 'arn:aws:iam::111122223333:user/teams/ann';
const createUser = (more: object = {}) => call('CreateUser', { UserName: 'ann', Path: '/teams/', ...more });

async function createKey() {
  const { AccessKey } = (await call('CreateAccessKey', { UserName: 'ann' })) as {
    readonly AccessKey: { readonly AccessKeyId: string; readonly SecretAccessKey: string };
  };
  return { accessKeyId: AccessKey.AccessKeyId, secretAccessKey: AccessKey.SecretAccessKey };
}

const policy = (...actions: string[]) =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] });

describe('a user', () => {
  test('is created once, told with its tags, and listed without them', async () => {
    const Tags = [{ Key: 'team', Value: 'red' }];
    expect(await createUser({ Tags })).toMatchObject({
      User: { UserName: 'ann', Path: '/teams/', Arn: arn, UserId: expect.stringMatching(/^AIDA/), Tags },
    });
    expect(await createUser({ UserName: 'ANN' })).toBe('EntityAlreadyExists: User with name ANN already exists.');
    expect(await call('GetUser', { UserName: 'ann' })).toMatchObject({ User: { Arn: arn, Tags } });
    expect(await call('ListUsers', { PathPrefix: '/teams/' })).toEqual({
      Users: [expect.not.objectContaining({ Tags })],
      IsTruncated: false,
    });
    expect(await call('ListUsers', { MaxItems: 1 })).toMatchObject({ Users: [{ UserName: 'ann' }], IsTruncated: true });
    expect(await call('ListGroupsForUser', { UserName: 'ann' })).toEqual({ Groups: [], IsTruncated: false });
  });

  test('gets other tags, another name and another path', async () => {
    await createUser({ Tags: [{ Key: 'a', Value: '1' }] });
    await call('TagUser', { UserName: 'ann', Tags: [{ Key: 'b', Value: '2' }] });
    await call('UntagUser', { UserName: 'ann', TagKeys: ['a'] });
    expect(await call('ListUserTags', { UserName: 'ann' })).toEqual({
      Tags: [{ Key: 'b', Value: '2' }],
      IsTruncated: false,
    });
    await call('UpdateUser', { UserName: 'ann', NewUserName: 'bob', NewPath: '/' });
    expect(await call('GetUser', { UserName: 'bob' })).toMatchObject({
      User: { Arn: 'arn:aws:iam::111122223333:user/bob', Tags: [{ Key: 'b', Value: '2' }] },
    });
    expect(await call('GetUser', { UserName: 'ann' })).toBe('NoSuchEntity: The user with name ann cannot be found.');
    await createUser();
    expect(await call('UpdateUser', { UserName: 'ann', NewUserName: 'bob' })).toBe(
      'EntityAlreadyExists: User with name bob already exists.',
    );
  });

  test('has inline and attached policies', async () => {
    await createUser();
    const inline = { UserName: 'ann', PolicyName: 'read' };
    await call('PutUserPolicy', { ...inline, PolicyDocument: policy('ec2:Describe*') });
    expect(await call('GetUserPolicy', inline)).toMatchObject({
      PolicyDocument: encodeURIComponent(policy('ec2:Describe*')),
    });
    expect(await call('ListUserPolicies', { UserName: 'ann' })).toMatchObject({ PolicyNames: ['read'] });
    const PolicyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
    await call('AttachUserPolicy', { UserName: 'ann', PolicyArn });
    expect(await call('ListAttachedUserPolicies', { UserName: 'ann' })).toMatchObject({
      AttachedPolicies: [{ PolicyArn, PolicyName: 'ReadOnlyAccess' }],
    });
    expect(await call('ListEntitiesForPolicy', { PolicyArn })).toMatchObject({ PolicyUsers: [{ UserName: 'ann' }] });
    expect(await call('ListEntitiesForPolicy', { PolicyArn, EntityFilter: 'Role' })).toMatchObject({ PolicyUsers: [] });
    expect(await call('DeleteUser', { UserName: 'ann' })).toBe(
      'DeleteConflict: Cannot delete entity, must detach all policies first.',
    );
    await call('DetachUserPolicy', { UserName: 'ann', PolicyArn });
    expect(await call('DeleteUser', { UserName: 'ann' })).toBe(
      'DeleteConflict: Cannot delete entity, must delete policies first.',
    );
    await call('DeleteUserPolicy', inline);
    expect(await call('GetUserPolicy', inline)).toBe('NoSuchEntity: The user policy with name read cannot be found.');
    expect(await call('DeleteUser', { UserName: 'ann' })).toEqual({});
  });

  test('that the sandbox exports stays as it is', async () => {
    const UserName = 'sandbox-admin';
    const says = 'UnmodifiableEntity: The user sandbox-admin belongs to the sandbox and stays as it is.';
    expect(await call('CreateUser', { UserName })).toMatch(/^EntityAlreadyExists/);
    expect(await call('DeleteUser', { UserName })).toBe(says);
    expect(await call('UpdateUser', { UserName, NewUserName: 'x' })).toBe(says);
    expect(await call('CreateAccessKey', { UserName })).toBe(says);
    const accessKey = { accessKeyId: 'AKIA0123456789ABCDEF', secretAccessKey: 's' };
    account = aTestAccount({ accessKey });
    expect(await call('ListAccessKeys')).toMatchObject({
      AccessKeyMetadata: [{ UserName, AccessKeyId: accessKey.accessKeyId, Status: 'Active' }],
    });
  });
});

describe('a key of a user', () => {
  test('is one of two at most, and keeps its user from being deleted', async () => {
    await createUser();
    const { accessKeyId: AccessKeyId } = await createKey();
    await createKey();
    expect(await call('CreateAccessKey', { UserName: 'ann' })).toBe(
      'LimitExceeded: Cannot exceed quota for AccessKeysPerUser: 2',
    );
    expect(await call('DeleteUser', { UserName: 'ann' })).toBe(
      'DeleteConflict: Cannot delete entity, must delete access keys first.',
    );
    await call('DeleteAccessKey', { UserName: 'ann', AccessKeyId });
    expect(await call('DeleteAccessKey', { UserName: 'ann', AccessKeyId })).toBe(
      `NoSuchEntity: The Access Key with id ${AccessKeyId} cannot be found.`,
    );
    expect(await call('ListAccessKeys', { UserName: 'ann' })).toMatchObject({
      AccessKeyMetadata: [{ UserName: 'ann' }],
    });
  });

  test('signs as its user as long as it is active', async () => {
    await createUser();
    const key = await createKey();
    const options = inProcess(account.aws.handleSigned, 'us-east-1', key);
    const sts = new STSClient(options);
    expect(await sts.send(new GetCallerIdentityCommand({}))).toMatchObject({ Arn: arn, Account: '111122223333' });
    const iam = new IAMClient(options);
    expect(await iam.send(new GetUserCommand({}))).toMatchObject({ User: { UserName: 'ann' } });
    const wrong = { ...key, secretAccessKey: 'other' };
    await expect(
      new STSClient(inProcess(account.aws.handleSigned, 'us-east-1', wrong)).send(new GetCallerIdentityCommand({})),
    ).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    const change = { UserName: 'ann', AccessKeyId: key.accessKeyId };
    await call('UpdateAccessKey', { ...change, Status: 'Inactive' });
    await expect(sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await call('UpdateAccessKey', { ...change, Status: 'Active' });
    await expect(sts.send(new GetCallerIdentityCommand({}))).resolves.toBeDefined();
  });

  test('takes a role that trusts its user', async () => {
    await createUser();
    const trust = (AWS: string) =>
      JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: { AWS }, Action: 'sts:AssumeRole' }] });
    await call('CreateRole', { RoleName: 'hers', AssumeRolePolicyDocument: trust(arn) });
    await call('CreateRole', { RoleName: 'his', AssumeRolePolicyDocument: trust(arn.replace('ann', 'bob')) });
    const sts = new STSClient(inProcess(account.aws.handleSigned, 'us-east-1', await createKey()));
    const take = (name: string) =>
      sts.send(new AssumeRoleCommand({ RoleArn: `arn:aws:iam::111122223333:role/${name}`, RoleSessionName: 'me' }));
    await expect(take('hers')).resolves.toBeDefined();
    await expect(take('his')).rejects.toMatchObject({
      message: expect.stringContaining(`User: ${arn} is not authorized`),
    });
  });
});

test('the key of a user of another account leads there', async () => {
  const sts = new STSClient(inProcess(account.aws.handleSigned, 'us-east-1', testAccessKey));
  const RoleArn = 'arn:aws:iam::222233334444:role/OrganizationAccountAccessRole';
  const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'me' }));
  const there = new IAMClient(
    inProcess(account.aws.handleSigned, 'us-east-1', {
      accessKeyId: Credentials?.AccessKeyId ?? '',
      secretAccessKey: Credentials?.SecretAccessKey ?? '',
      sessionToken: Credentials?.SessionToken ?? '',
    }),
  );
  await expect(there.send(new GetUserCommand({}))).rejects.toMatchObject({
    message: 'Must specify userName when calling with non-User credentials',
  });
  await there.send(new CreateUserCommand({ UserName: 'eve' }));
  const { AccessKey } = await there.send(new CreateAccessKeyCommand({ UserName: 'eve' }));
  const key = { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' };
  const hers = new STSClient(inProcess(account.aws.handleSigned, 'us-east-1', key));
  expect(await hers.send(new GetCallerIdentityCommand({}))).toMatchObject({
    Account: '222233334444',
    Arn: 'arn:aws:iam::222233334444:user/eve',
  });
});

describe('the token of a user', () => {
  const tokenUser = async (map?: object) =>
    account.aws.authenticateToken(await presignToken({ at: realTime().clock.now(), accessKey: await createKey() }), {
      account: account.aws.ec2.account,
      name: 'my-cluster',
      readAwsAuth: () => (map === undefined ? undefined : { roles: [], users: [], accounts: [], ...map }),
    });

  test('is good for whom mapUsers of aws-auth makes of its user', async () => {
    await createUser();
    expect(await tokenUser()).toBeUndefined();
    const users = [{ userarn: arn, username: 'ann', groups: ['devs'] }];
    expect(await tokenUser({ users })).toMatchObject({
      username: 'ann',
      groups: ['devs', 'system:authenticated'],
      extra: { canonicalArn: [arn], sessionName: [''] },
    });
  });

  test('is good for whom an access entry makes of its user', async () => {
    await createUser();
    const entry = { clusterName: 'my-cluster', principalArn: arn, kubernetesGroups: ['ops'] };
    await account.aws.answer(
      { service: 'eks', operation: 'CreateAccessEntry', input: entry },
      { signal: never, serving: { wait: (work) => work() } },
    );
    expect(await tokenUser()).toMatchObject({ username: arn, groups: ['ops', 'system:authenticated'] });
  });
});

test('where rights are looked at, the policies of a user decide its calls', async () => {
  const rules = { policy: { statements: [] }, mode: 'enforce' } as const;
  account = aTestAccount({ access: { of: 'direct', rules } });
  const { iam } = account.aws;
  iam.users.create({ name: 'ann', path: '/', tags: {} });
  const key = iam.users.newKey();
  iam.users.change('ann', { keys: [key] });
  const signing = { accessKeyId: key.id, secretAccessKey: iam.users.secretOf(key.id) };
  const ec2 = new EC2Client(inProcess(account.aws.handleSigned, 'us-east-1', signing));
  await expect(ec2.send(new DescribeVpcsCommand({}))).rejects.toMatchObject({
    name: 'UnauthorizedOperation',
    message: expect.stringContaining('User: arn:aws:iam::111122223333:user/ann is not authorized'),
  });
  iam.users.change('ann', { attached: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] });
  await expect(ec2.send(new DescribeVpcsCommand({}))).resolves.toBeDefined();
});
