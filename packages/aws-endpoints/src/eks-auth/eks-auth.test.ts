import { aTestAccount } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const trustPods = { Principal: { Service: 'pods.eks.amazonaws.com' }, Action: ['sts:AssumeRole', 'sts:TagSession'] };
const trustOf = (statement: object) =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] });

/** An account whose issuer reads tokens that are their claims in JSON. */
function anAccount() {
  const readWebIdentity = (token: string) =>
    token.startsWith('{') ? (JSON.parse(token) as Readonly<Record<string, unknown>>) : undefined;
  const { aws, clock } = aTestAccount({ readWebIdentity });
  const waiting = { signal: new AbortController().signal, serving: { wait: <T>(work: () => T) => work() } };
  const call = (service: string, operation: string, input: object) =>
    aws.answer({ service, operation, input }, waiting);
  const about = { namespace: 'shop', serviceaccount: { name: 'web' }, pod: { name: 'web-1', uid: 'b5e1-77' } };
  return {
    aws,
    createRole: (RoleName: string, statement: object) =>
      call('iam', 'CreateRole', { RoleName, AssumeRolePolicyDocument: trustOf(statement) }),
    associate: (further: object = {}) =>
      call('eks', 'CreatePodIdentityAssociation', {
        clusterName: 'my-cluster',
        namespace: 'shop',
        serviceAccount: 'web',
        roleArn: 'arn:aws:iam::111122223333:role/web',
        ...further,
      }),
    assume: (claims: object = {}) => {
      const exp = clock.now() / 1000 + 60;
      const token = JSON.stringify({ aud: ['pods.eks.amazonaws.com'], exp, 'kubernetes.io': about, ...claims });
      return call('eks-auth', 'AssumeRoleForPodIdentity', { clusterName: 'my-cluster', token });
    },
  };
}

test('a pod gets a session of the role that is associated with its service account', async () => {
  const { aws, createRole, associate, assume } = anAccount();
  await createRole('web', trustPods);
  await associate();
  const answer = await assume();
  expect(answer).toMatchObject({
    kind: 'answered',
    output: {
      subject: { namespace: 'shop', serviceAccount: 'web' },
      audience: 'pods.eks.amazonaws.com',
      podIdentityAssociation: { associationId: expect.stringMatching(/^a-/) },
      assumedRoleUser: { arn: 'arn:aws:sts::111122223333:assumed-role/web/eks-my-cluster-web-1-b5e1-77' },
      credentials: { accessKeyId: expect.stringMatching(/^ASIA/), expiration: expect.any(Date) },
    },
  });
  expect(aws.calls().at(-1)).toMatchObject({ service: 'eks-auth', operation: 'AssumeRoleForPodIdentity' });
});

test('the target role of an association is taken by way of its role', async () => {
  const { createRole, associate, assume } = anAccount();
  const targetRoleArn = 'arn:aws:iam::111122223333:role/data';
  await createRole('web', trustPods);
  await associate({ targetRoleArn });
  await createRole('data', { Principal: { AWS: 'arn:aws:iam::111122223333:role/other' }, Action: 'sts:AssumeRole' });
  expect(await assume()).toMatchObject({ kind: 'refused', code: 'AccessDeniedException' });
  const second = anAccount();
  await second.createRole('web', trustPods);
  await second.associate({ targetRoleArn });
  await second.createRole('data', {
    Principal: { AWS: 'arn:aws:iam::111122223333:role/web' },
    Action: 'sts:AssumeRole',
  });
  expect(await second.assume()).toMatchObject({
    output: { assumedRoleUser: { arn: 'arn:aws:sts::111122223333:assumed-role/data/eks-my-cluster-web-1-b5e1-77' } },
  });
});

const otherAccount = { namespace: 'shop', serviceaccount: { name: 'api' }, pod: { name: 'p', uid: 'u' } };
const noPod = { namespace: 'shop', serviceaccount: { name: 'web' } };
for (const { fact, trust = trustPods, claims = {}, code } of [
  {
    fact: 'of an account without an association',
    claims: { 'kubernetes.io': otherAccount },
    code: 'ResourceNotFoundException',
  },
  { fact: 'for another audience', claims: { aud: ['sts.amazonaws.com'] }, code: 'InvalidTokenException' },
  { fact: 'that has expired', claims: { exp: 1 }, code: 'ExpiredTokenException' },
  { fact: 'that is bound to no pod', claims: { 'kubernetes.io': noPod }, code: 'InvalidTokenException' },
  {
    fact: 'whose role does not trust pods',
    trust: { Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
    code: 'AccessDeniedException',
  },
]) {
  test(`a token ${fact} is refused`, async () => {
    const { createRole, associate, assume } = anAccount();
    await createRole('web', trust);
    await associate();
    expect(await assume(claims)).toMatchObject({ kind: 'refused', code });
  });
}
