import { EC2Client, DescribeVpcsCommand } from '@aws-sdk/client-ec2';
import { CreateOpenIDConnectProviderCommand, CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  AssumeRoleCommand,
  AssumeRoleWithWebIdentityCommand,
  type Credentials,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { hours, instant } from '@nodewright/apis';
import { realTime } from '@nodewright/runtime';
import { inProcess, aTestAccount, presignToken, testAccessKey } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const issuer = 'https://oidc.eks.us-east-1.amazonaws.com/id/SANDBOX';
const providerArn = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/SANDBOX';
const subject = 'system:serviceaccount:kube-system:karpenter';
const RoleSessionName = 'me';

type Statement = Readonly<Record<string, unknown>>;
const anyone: Statement = { Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'sts:AssumeRole' };
const serviceAccount: Statement = {
  Principal: { Federated: providerArn },
  Action: 'sts:AssumeRoleWithWebIdentity',
  Condition: {
    StringEquals: {
      [`${issuer.slice(8)}:sub`]: subject,
      [`${issuer.slice(8)}:aud`]: 'sts.amazonaws.com',
    },
  },
};

/** An account whose issuer reads tokens that are their claims in JSON. */
function anAccount() {
  const readWebIdentity = (token: string) => (token.startsWith('{') ? (JSON.parse(token) as Statement) : undefined);
  const { aws, clock } = aTestAccount({ readWebIdentity });
  const options = (key: Parameters<typeof inProcess>[2] = testAccessKey) =>
    inProcess(aws.handleSigned, 'us-east-1', key);
  const iam = new IAMClient(options());
  const sts = new STSClient(options());
  return {
    aws,
    sts,
    options,
    createProvider: (ClientIDList: string[]) =>
      iam.send(new CreateOpenIDConnectProviderCommand({ Url: issuer, ClientIDList })),
    createRole: async (statement: Statement) => {
      const trust = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] };
      const document = { RoleName: 'r', AssumeRolePolicyDocument: JSON.stringify(trust) };
      return (await iam.send(new CreateRoleCommand(document))).Role?.Arn ?? '';
    },
    token: (change: Statement = {}) =>
      JSON.stringify({
        iss: issuer,
        sub: subject,
        aud: ['sts.amazonaws.com'],
        exp: clock.now() / 1000 + 60,
        ...change,
      }),
  };
}

const keyOf = ({ AccessKeyId = '', SecretAccessKey = '', SessionToken = '' }: Credentials = {} as Credentials) => ({
  accessKeyId: AccessKeyId,
  secretAccessKey: SecretAccessKey,
  sessionToken: SessionToken,
});

test('whoever takes a role signs as a session of it, until the credentials expire', async () => {
  const { sts, options, createRole } = anAccount();
  const RoleArn = await createRole(anyone);
  const { Credentials: lent } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName }));
  expect(await new STSClient(options(keyOf(lent))).send(new GetCallerIdentityCommand({}))).toMatchObject({
    Arn: 'arn:aws:sts::111122223333:assumed-role/r/me',
    UserId: expect.stringMatching(/^AROA\w+:me$/),
  });
  const now = realTime().clock.now();
  expect(lent?.Expiration?.getTime()).toBeGreaterThan(now + hours(1) - 60_000);
  await expect(new EC2Client(options(keyOf(lent))).send(new DescribeVpcsCommand({}))).resolves.toBeDefined();
  const withoutToken = { ...keyOf(lent), sessionToken: 'other' };
  await expect(new STSClient(options(withoutToken)).send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
    name: 'InvalidClientTokenId',
  });
});

for (const { fact, statement } of [
  { fact: 'of a service', statement: { Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' } },
  { fact: 'of another account', statement: { ...anyone, Principal: { AWS: 'arn:aws:iam::444455556666:root' } } },
  { fact: 'of web identities', statement: serviceAccount },
  { fact: 'with an external id', statement: { ...anyone, Condition: { StringEquals: { 'sts:ExternalId': 'x' } } } },
]) {
  test(`a role ${fact} is not taken with the administrator's key`, async () => {
    const { sts, createRole } = anAccount();
    const RoleArn = await createRole(statement);
    await expect(sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: `User: arn:aws:iam::111122223333:user/sandbox-admin is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`,
    });
  });
}

test('a service account takes the role that trusts it, without a signature', async () => {
  const { sts, createProvider, createRole, token } = anAccount();
  await createProvider(['sts.amazonaws.com']);
  const request = { RoleArn: await createRole(serviceAccount), RoleSessionName, WebIdentityToken: token() };
  expect(await sts.send(new AssumeRoleWithWebIdentityCommand(request))).toMatchObject({
    AssumedRoleUser: { Arn: 'arn:aws:sts::111122223333:assumed-role/r/me' },
    SubjectFromWebIdentityToken: subject,
    Audience: 'sts.amazonaws.com',
    Provider: providerArn,
  });
});

const denied = ['AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity'];
for (const { fact, clientIds = ['sts.amazonaws.com'], claims = {}, refusal } of [
  { fact: 'of another account', claims: { sub: 'system:serviceaccount:default:default' }, refusal: denied },
  {
    fact: 'for another audience',
    claims: { aud: ['x'] },
    refusal: ['InvalidIdentityTokenException', 'Incorrect token audience'],
  },
  { fact: 'with an audience that the role does not trust', clientIds: ['x'], claims: { aud: ['x'] }, refusal: denied },
  {
    fact: 'that has expired',
    claims: { exp: 1 },
    refusal: ['ExpiredTokenException', 'Token expired: current date/time'],
  },
  {
    fact: 'of an unknown issuer',
    claims: { iss: 'https://other.example.com' },
    refusal: [
      'InvalidIdentityTokenException',
      'No OpenIDConnect provider found in your account for https://other.example.com',
    ],
  },
]) {
  test(`a token ${fact} is refused`, async () => {
    const { sts, createProvider, createRole, token } = anAccount();
    await createProvider(clientIds);
    const request = { RoleArn: await createRole(serviceAccount), RoleSessionName, WebIdentityToken: token(claims) };
    const [name, message] = refusal;
    await expect(sts.send(new AssumeRoleWithWebIdentityCommand(request))).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message ?? ''),
    });
  });
}

test('the cluster takes a session for whom the access entry of its role names, and nobody else', async () => {
  const { aws, sts, createRole } = anAccount();
  const RoleArn = await createRole(anyone);
  const { Credentials: lent } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'a@b' }));
  const token = await presignToken({ at: instant(realTime().clock.now()), accessKey: keyOf(lent) });
  expect(aws.authenticateToken(token)).toBeUndefined();
  const entry = { clusterName: 'my-cluster', principalArn: RoleArn, kubernetesGroups: ['devs'] };
  const policyArn = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy';
  const accessScope = { type: 'namespace', namespaces: ['shop'] };
  const call = async (operation: string, input: object): Promise<void> => {
    const waiting = { signal: new AbortController().signal, serving: { wait: <T>(work: () => T) => work() } };
    expect(await aws.answer({ service: 'eks', operation, input }, waiting)).toMatchObject({ kind: 'answered' });
  };
  await call('CreateAccessEntry', entry);
  await call('AssociateAccessPolicy', { ...entry, policyArn, accessScope });
  expect(aws.authenticateToken(token)).toMatchObject({
    username: 'arn:aws:sts::111122223333:assumed-role/r/a-b',
    groups: ['devs', 'system:authenticated'],
    grants: [{ clusterRole: 'view', namespaces: ['shop'] }],
  });
});
