import { expect, test } from 'vitest';
import { aTestAccount, never } from '@nodewright/testkit/worlds';

function world() {
  const { aws } = aTestAccount();
  const call = async (service: string, operation: string, input: object): Promise<unknown> => {
    const answer = await aws.answer(
      { service, operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : `${answer.code}: ${answer.message}`;
  };
  return { aws, call };
}

const AssumeRolePolicyDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

test('a role keeps its policies, and is not deleted with them', async () => {
  const { call } = world();
  const RoleName = 'nodes';
  await call('iam', 'CreateRole', { RoleName, AssumeRolePolicyDocument, Description: 'of nodes' });
  const PolicyArn = 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy';
  await call('iam', 'AttachRolePolicy', { RoleName, PolicyArn });
  expect(await call('iam', 'ListAttachedRolePolicies', { RoleName })).toMatchObject({
    AttachedPolicies: [{ PolicyArn, PolicyName: 'AmazonEKSWorkerNodePolicy' }],
  });
  expect(await call('iam', 'DeleteRole', { RoleName })).toContain('must detach all policies first');
  await call('iam', 'DetachRolePolicy', { RoleName, PolicyArn });
  const PolicyDocument = '{"Version":"2012-10-17","Statement":[]}';
  await call('iam', 'PutRolePolicy', { RoleName, PolicyName: 'own', PolicyDocument });
  expect(await call('iam', 'GetRolePolicy', { RoleName, PolicyName: 'own' })).toMatchObject({
    PolicyDocument: encodeURIComponent(PolicyDocument),
  });
  expect(await call('iam', 'PutRolePolicy', { RoleName, PolicyName: 'bad', PolicyDocument: '{}' })).toContain(
    'Syntax errors in policy.',
  );
  expect(await call('iam', 'DeleteRole', { RoleName })).toContain('must delete policies first');
  await call('iam', 'DeleteRolePolicy', { RoleName, PolicyName: 'own' });
  expect(await call('iam', 'DeleteRole', { RoleName })).toEqual({});
});

test('access entries and their policies come and go', async () => {
  const { aws, call } = world();
  const names = { clusterName: 'my-cluster', principalArn: aws.iam.roles()[0]?.arn };
  expect(await call('eks', 'CreateAccessEntry', names)).toMatchObject({ accessEntry: { type: 'STANDARD' } });
  expect(await call('eks', 'CreateAccessEntry', names)).toContain('ResourceInUseException');
  expect(await call('eks', 'CreateAccessEntry', { ...names, principalArn: 'me' })).toContain('invalid principal');
  const policyArn = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy';
  const accessScope = { type: 'namespace', namespaces: ['shop'] };
  await call('eks', 'AssociateAccessPolicy', { ...names, policyArn, accessScope });
  expect(await call('eks', 'ListAssociatedAccessPolicies', names)).toMatchObject({
    associatedAccessPolicies: [{ policyArn, accessScope }],
  });
  await call('eks', 'DeleteAccessEntry', names);
  expect(await call('eks', 'ListAccessEntries', names)).toEqual({ accessEntries: [] });
});

test('pod identities come and go', async () => {
  const { aws, call } = world();
  const clusterName = 'my-cluster';
  const request = { clusterName, namespace: 'a', serviceAccount: 'b', roleArn: aws.iam.roles()[0]?.arn };
  const made = (await call('eks', 'CreatePodIdentityAssociation', request)) as {
    association: { associationId: string };
  };
  const { associationId } = made.association;
  expect(associationId).toMatch(/^a-/);
  expect(await call('eks', 'CreatePodIdentityAssociation', request)).toContain(`already exists: ${associationId}`);
  expect(await call('eks', 'ListPodIdentityAssociations', { clusterName })).toMatchObject({
    associations: [{ namespace: 'a', serviceAccount: 'b' }],
  });
  await call('eks', 'DeletePodIdentityAssociation', { clusterName, associationId });
  expect(await call('eks', 'DescribePodIdentityAssociation', { clusterName, associationId })).toContain(
    'ResourceNotFoundException',
  );
});

test('own parameters are described without their values', async () => {
  const { call } = world();
  await call('ssm', 'PutParameter', { Name: '/shop/a', Value: '1', Type: 'String' });
  await call('ssm', 'PutParameter', { Name: '/blog/a', Value: '1', Type: 'String' });
  const ParameterFilters = [{ Key: 'Path', Option: 'Recursive', Values: ['/shop'] }];
  expect(await call('ssm', 'DescribeParameters', { ParameterFilters })).toMatchObject({
    Parameters: [{ Name: '/shop/a', Version: 1, Tier: 'Standard' }],
  });
});
