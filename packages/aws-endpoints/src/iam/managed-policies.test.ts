import { expect, test } from 'vitest';
import { aTestAccount, never } from '@nodewright/testkit/worlds';

function anIam() {
  const { aws } = aTestAccount();
  return async (operation: string, input: object = {}): Promise<unknown> => {
    const answer = await aws.answer(
      { service: 'iam', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : `${answer.code}: ${answer.message}`;
  };
}

const RoleName = 'karpenterNodeRole-my-cluster';
const PolicyArn = 'arn:aws:iam::111122223333:policy/own';
const PolicyDocument = '{"Version":"2012-10-17","Statement":[]}';

test('a policy of the account is made once, attached, told, and deleted when it is attached no more', async () => {
  const call = anIam();
  expect(await call('AttachRolePolicy', { RoleName, PolicyArn })).toBe(
    `NoSuchEntityException: Policy ${PolicyArn} does not exist or is not attachable.`,
  );
  const Tags = [{ Key: 'a', Value: 'b' }];
  await call('CreatePolicy', { PolicyName: 'own', PolicyDocument, Description: 'mine', Tags });
  expect(await call('CreatePolicy', { PolicyName: 'own', PolicyDocument })).toContain('A policy called own already');
  expect(await call('CreatePolicy', { PolicyName: 'bad', PolicyDocument: '{}' })).toContain('Syntax errors in policy.');
  await call('AttachRolePolicy', { RoleName, PolicyArn });
  expect(await call('GetPolicy', { PolicyArn })).toMatchObject({
    Policy: {
      PolicyName: 'own',
      Arn: PolicyArn,
      AttachmentCount: 1,
      Description: 'mine',
      Tags,
      DefaultVersionId: 'v1',
    },
  });
  expect(await call('GetPolicyVersion', { PolicyArn, VersionId: 'v1' })).toMatchObject({
    PolicyVersion: { Document: encodeURIComponent(PolicyDocument), IsDefaultVersion: true },
  });
  expect(await call('GetPolicyVersion', { PolicyArn, VersionId: 'v2' })).toContain('version v2 does not exist');
  expect(await call('DeletePolicy', { PolicyArn })).toContain('Cannot delete a policy attached to entities.');
  await call('DetachRolePolicy', { RoleName, PolicyArn });
  await call('DeletePolicy', { PolicyArn });
  expect(await call('GetPolicy', { PolicyArn })).toContain(`Policy ${PolicyArn} was not found.`);
});

test('policies are listed by whom they belong to and by their use', async () => {
  const call = anIam();
  await call('CreatePolicy', { PolicyName: 'own', PolicyDocument });
  const PolicyOfAws = 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy';
  await call('AttachRolePolicy', { RoleName, PolicyArn: PolicyOfAws });
  expect(await call('ListPolicies', { Scope: 'Local' })).toMatchObject({ Policies: [{ PolicyName: 'own' }] });
  expect(await call('ListPolicies', { OnlyAttached: true })).toMatchObject({ Policies: [{ Arn: PolicyOfAws }] });
  expect(await call('ListPolicies', { Scope: 'AWS', MaxItems: 1 })).toMatchObject({
    Policies: [{ PolicyName: 'AdministratorAccess' }],
    IsTruncated: true,
  });
});

test('the administrator is the only user of the account', async () => {
  const call = anIam();
  const user = { UserName: 'sandbox-admin', Arn: 'arn:aws:iam::111122223333:user/sandbox-admin' };
  expect(await call('GetUser')).toMatchObject({ User: user });
  expect(await call('ListUsers')).toMatchObject({ Users: [user] });
  expect(await call('GetUser', { UserName: 'x' })).toContain('The user with name x cannot be found.');
  expect(await call('ListAccountAliases')).toMatchObject({ AccountAliases: [] });
});

test('the role of spot instances is made once', async () => {
  const call = anIam();
  const spot = { AWSServiceName: 'spot.amazonaws.com' };
  expect(await call('CreateServiceLinkedRole', spot)).toMatchObject({
    Role: { Arn: 'arn:aws:iam::111122223333:role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot' },
  });
  expect(await call('CreateServiceLinkedRole', spot)).toContain('has been taken in this account');
});

test('roles get and lose tags', async () => {
  const call = anIam();
  await call('TagRole', {
    RoleName,
    Tags: [
      { Key: 'b', Value: '2' },
      { Key: 'a', Value: '1' },
    ],
  });
  await call('UntagRole', { RoleName, TagKeys: ['b'] });
  expect(await call('ListRoleTags', { RoleName })).toMatchObject({ Tags: [{ Key: 'a', Value: '1' }] });
});

test('an identity provider is made once, and takes further audiences', async () => {
  const call = anIam();
  const OpenIDConnectProviderArn = 'arn:aws:iam::111122223333:oidc-provider/id.example.com/x';
  const provider = { Url: 'https://id.example.com/x', ClientIDList: ['a'] };
  await call('CreateOpenIDConnectProvider', provider);
  expect(await call('CreateOpenIDConnectProvider', provider)).toContain('already exists.');
  expect(await call('CreateOpenIDConnectProvider', { Url: 'http://x' })).toContain(
    'Invalid Open ID Connect Provider URL',
  );
  await call('AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID: 'b' });
  await call('RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID: 'a' });
  expect(await call('GetOpenIDConnectProvider', { OpenIDConnectProviderArn })).toMatchObject({
    Url: 'id.example.com/x',
    ClientIDList: ['b'],
  });
  await call('DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn });
  expect(await call('ListOpenIDConnectProviders')).toMatchObject({ OpenIDConnectProviderList: [] });
});
