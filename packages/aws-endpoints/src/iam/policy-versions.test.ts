import { expect, test } from 'vitest';
import { aTestAccount, never } from '@nodewright/testkit/worlds';

const documentFor = (action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] });

async function world() {
  const { aws } = aTestAccount();
  const call = async (operation: string, input: object): Promise<unknown> => {
    const answer = await aws.answer(
      { service: 'iam', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : answer.code;
  };
  const made = (await call('CreatePolicy', {
    PolicyName: 'mine',
    PolicyDocument: documentFor('ec2:Describe*'),
    Tags: [{ Key: 'team', Value: 'red' }],
  })) as { readonly Policy: { readonly Arn: string } };
  const PolicyArn = made.Policy.Arn;
  const add = (more: object = {}) =>
    call('CreatePolicyVersion', { PolicyArn, PolicyDocument: documentFor('eks:*'), ...more });
  return { aws, call, made, PolicyArn, add };
}

test('a policy has versions, of which one counts', async () => {
  const { aws, call, PolicyArn, add } = await world();
  expect(await add({ SetAsDefault: true })).toMatchObject({
    PolicyVersion: { VersionId: 'v2', IsDefaultVersion: true },
  });
  expect(aws.iam.managedPolicies.get(PolicyArn)?.document).toBe(documentFor('eks:*'));
  await call('SetDefaultPolicyVersion', { PolicyArn, VersionId: 'v1' });
  expect(aws.iam.managedPolicies.get(PolicyArn)?.document).toBe(documentFor('ec2:Describe*'));
  expect(await call('GetPolicy', { PolicyArn })).toMatchObject({ Policy: { DefaultVersionId: 'v1' } });
  expect(await call('GetPolicyVersion', { PolicyArn, VersionId: 'v2' })).toMatchObject({
    PolicyVersion: { IsDefaultVersion: false, Document: encodeURIComponent(documentFor('eks:*')) },
  });
  expect(await call('ListPolicyVersions', { PolicyArn })).toMatchObject({
    Versions: [{ VersionId: 'v2' }, { VersionId: 'v1', IsDefaultVersion: true }],
  });
});

test('a policy goes with its last version, whose number is used once', async () => {
  const { call, PolicyArn, add } = await world();
  await add();
  expect(await call('DeletePolicy', { PolicyArn })).toBe('DeleteConflictException');
  expect(await call('DeletePolicyVersion', { PolicyArn, VersionId: 'v1' })).toBe('DeleteConflictException');
  await call('DeletePolicyVersion', { PolicyArn, VersionId: 'v2' });
  expect(await add()).toMatchObject({ PolicyVersion: { VersionId: 'v3' } });
  await call('DeletePolicyVersion', { PolicyArn, VersionId: 'v3' });
  expect(await call('DeletePolicy', { PolicyArn })).toEqual({});
});

test('a policy has five versions at most', async () => {
  const { add } = await world();
  for (let at = 0; at < 4; at += 1) await add();
  expect(await add()).toBe('LimitExceededException');
});

test('a policy is tagged, untagged, and tells which roles have it', async () => {
  const { call, made, PolicyArn } = await world();
  expect(made).toMatchObject({ Policy: { Tags: [{ Key: 'team', Value: 'red' }] } });
  await call('TagPolicy', { PolicyArn, Tags: [{ Key: 'stage', Value: 'live' }] });
  await call('UntagPolicy', { PolicyArn, TagKeys: ['team'] });
  expect(await call('ListPolicyTags', { PolicyArn })).toMatchObject({ Tags: [{ Key: 'stage', Value: 'live' }] });
  const twice = [
    { Key: 'a', Value: '1' },
    { Key: 'A', Value: '2' },
  ];
  expect(await call('TagPolicy', { PolicyArn, Tags: twice })).toBe('InvalidInputException');
  expect(await call('ListEntitiesForPolicy', { PolicyArn })).toMatchObject({ PolicyRoles: [] });
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  };
  const role = { RoleName: 'r', AssumeRolePolicyDocument: JSON.stringify(trust), MaxSessionDuration: 7200 };
  await call('CreateRole', { ...role, PermissionsBoundary: PolicyArn });
  await call('AttachRolePolicy', { RoleName: 'r', PolicyArn });
  expect(await call('ListEntitiesForPolicy', { PolicyArn })).toMatchObject({ PolicyRoles: [{ RoleName: 'r' }] });
  expect(await call('GetRole', { RoleName: 'r' })).toMatchObject({
    Role: {
      MaxSessionDuration: 7200,
      PermissionsBoundary: { PermissionsBoundaryType: 'PermissionsBoundaryPolicy', PermissionsBoundaryArn: PolicyArn },
    },
  });
  const { Roles } = (await call('ListRoles', {})) as { readonly Roles: readonly { readonly RoleName: string }[] };
  expect(Roles.find((each) => each.RoleName === 'r')).not.toHaveProperty('PermissionsBoundary');
  await call('UpdateRole', { RoleName: 'r', Description: 'nodes', MaxSessionDuration: 3600 });
  expect(await call('GetRole', { RoleName: 'r' })).toMatchObject({
    Role: { MaxSessionDuration: 3600, Description: 'nodes' },
  });
});

test('Auto Scaling has further roles under a suffix, other services have one', async () => {
  const { call } = await world();
  expect(
    await call('CreateServiceLinkedRole', { AWSServiceName: 'autoscaling.amazonaws.com', CustomSuffix: 'web' }),
  ).toMatchObject({ Role: { RoleName: 'AWSServiceRoleForAutoScaling_web' } });
  expect(await call('CreateServiceLinkedRole', { AWSServiceName: 'eks.amazonaws.com', CustomSuffix: 'web' })).toBe(
    'InvalidInputException',
  );
});
