import { expect, test } from 'vitest';
import { readAwsAuth } from './aws-auth.ts';
import { findPodCredentials } from './pod-credentials.ts';

const account = (annotations: Readonly<Record<string, string>> = {}) => ({
  kind: 'ServiceAccount',
  apiVersion: 'v1',
  metadata: { name: 'web', namespace: 'shop', annotations },
});

const identity = { clusterName: 'c', namespace: 'shop', serviceAccount: 'web' };
const worldWith = (...identities: readonly object[]) => ({
  region: 'eu-west-1',
  eks: { clusterName: 'c', podIdentities: new Map(identities.map((each, index) => [String(index), each as never])) },
});
const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/web' };

test('a service account with neither a role nor an association gets nothing', () => {
  expect(findPodCredentials(worldWith({ ...identity, serviceAccount: 'api' }), account())).toBeUndefined();
});

test('the annotation of a role gives a token for STS and the variables of the SDKs', () => {
  const found = findPodCredentials(worldWith(), account(role));
  expect(found?.token).toEqual({ audience: 'sts.amazonaws.com', expirationSeconds: 86_400, path: 'token' });
  expect(found?.environment).toContainEqual({ name: 'AWS_ROLE_ARN', value: role['eks.amazonaws.com/role-arn'] });
  expect(found?.environment).toContainEqual({ name: 'AWS_REGION', value: 'eu-west-1' });
});

test('an association comes before the annotation of a role', () => {
  const found = findPodCredentials(worldWith(identity), account(role));
  expect(found?.token.audience).toBe('pods.eks.amazonaws.com');
  expect(found?.environment.map(({ name }) => name)).toContain('AWS_CONTAINER_CREDENTIALS_FULL_URI');
});

test.each([
  { data: undefined, map: undefined },
  {
    data: { mapRoles: '- rolearn: a\n  groups: [g]\n- nothing' },
    map: [{ rolearn: 'a', username: '', groups: ['g'] }],
  },
  { data: { mapRoles: 'rolearn: [' }, map: [] },
  { data: {}, map: [] },
])('the ConfigMap aws-auth with $data maps $map', ({ data, map }) => {
  const found = data === undefined ? undefined : { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data };
  expect(readAwsAuth({ findObject: () => found })?.roles).toEqual(map);
});

test('the ConfigMap aws-auth maps users of IAM, too', () => {
  const data = { mapUsers: '- userarn: a\n  username: ann\n  groups: [g]\n- rolearn: b' };
  const found = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data };
  expect(readAwsAuth({ findObject: () => found })?.users).toEqual([{ userarn: 'a', username: 'ann', groups: ['g'] }]);
});
