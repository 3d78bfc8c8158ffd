import { aFleet, aTestAccount, never, templateName, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { parseIamPolicy } from './authorization/parse-policy.ts';
import { controllerRoleName } from './iam/controller-role.ts';

const served = { signal: never, serving: { wait: (work: () => Promise<void>) => work() } };
const role = controllerRoleName('my-cluster');

const documentOf = (effect: string, action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: effect, Action: action, Resource: '*' }] });

function accountOf(options: Parameters<typeof aTestAccount>[0] = {}) {
  const { aws } = aTestAccount(options);
  const ask = async (service: string, operation: string, input: object = {}) => {
    const answer = await aws.answer({ service, operation, input }, served);
    return answer.kind === 'answered' ? 'answered' : `${answer.code}: ${answer.message}`;
  };
  return { aws, describeImages: () => ask('ec2', 'DescribeImages', { Owners: ['self'] }), ask };
}

test('a Deny in the role of the controller holds for the controller inside until the policy is deleted', async () => {
  const { describeImages, ask } = accountOf();
  expect(await describeImages()).toBe('answered');
  const policy = { RoleName: role, PolicyName: 'deny' };
  await ask('iam', 'PutRolePolicy', { ...policy, PolicyDocument: documentOf('Deny', 'ec2:DescribeImages') });
  expect(await describeImages()).toMatch(
    /^UnauthorizedOperation: .*assumed-role\/KarpenterController-my-cluster\/nodewright is not authorized to perform: ec2:DescribeImages/,
  );
  expect(await ask('ec2', 'DescribeSubnets')).toBe('answered');
  await ask('iam', 'DeleteRolePolicy', policy);
  expect(await describeImages()).toBe('answered');
});

test('a dry run of CreateFleet does not ask for RunInstances', async () => {
  const { ask } = accountOf();
  const PolicyDocument = documentOf('Deny', 'ec2:RunInstances');
  const LaunchTemplateData = { ImageId: x86.imageId };
  await ask('ec2', 'CreateLaunchTemplate', { LaunchTemplateName: templateName, LaunchTemplateData });
  await ask('iam', 'PutRolePolicy', { RoleName: role, PolicyName: 'deny', PolicyDocument });
  const fleet = aFleet([{ InstanceType: 'm5.large' }]);
  expect(await ask('ec2', 'CreateFleet', { ...fleet, DryRun: true })).toMatch(/^DryRunOperation/);
  expect(await ask('ec2', 'CreateFleet', fleet)).toMatch(/^UnauthorizedOperation: .* ec2:RunInstances/);
});

test('an Allow of the role is added to the policy that the controller is held to', async () => {
  const policy = parseIamPolicy(documentOf('Allow', 'iam:*'));
  const { describeImages, ask } = accountOf({ access: { of: 'direct', rules: { policy, mode: 'enforce' } } });
  expect(await describeImages()).toMatch(/^UnauthorizedOperation/);
  const PolicyDocument = documentOf('Allow', 'ec2:DescribeImages');
  await ask('iam', 'PutRolePolicy', { RoleName: role, PolicyName: 'images', PolicyDocument });
  expect(await describeImages()).toBe('answered');
});

test('pods of the cluster may assume the role of the controller', () => {
  const { Statement } = JSON.parse(accountOf().aws.iam.role(role).trust) as { readonly Statement: readonly object[] };
  expect(Statement).toMatchObject([
    { Principal: { Service: 'pods.eks.amazonaws.com' } },
    { Action: 'sts:AssumeRoleWithWebIdentity' },
  ]);
});
