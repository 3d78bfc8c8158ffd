import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awsCalls } from './aws-calls.ts';
import { awsScopes } from './aws-scopes.ts';
import { buildIamPolicy } from './iam-policy.ts';

const root = join(import.meta.dirname, '../../../..');
const provider = join(root, 'packages/provider-aws/src');

const serviceOfClient: Readonly<Record<string, string>> = {
  'auto-scaling': 'autoscaling',
  'service-quotas': 'servicequotas',
};

/** `ec2:DescribeImages` of every command in the sources. Snapshots of an account have a policy of their own. */
const sent = readdirSync(provider, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('account/'))
  .flatMap((name) => {
    const text = readFileSync(join(provider, name), 'utf8');
    const imports = [...text.matchAll(/import \{([^}]*)\} from '@aws-sdk\/client-([\w-]+)'/g)];
    return [...text.matchAll(/new (\w+)Command\(/g)].map(([, operation = '']) => {
      const client = imports.find(([, names = '']) => names.includes(`${operation}Command`))?.[2] ?? '';
      return `${serviceOfClient[client] ?? client}:${operation}`;
    });
  });

const names = {
  partition: 'PARTITION',
  region: 'REGION',
  accountId: 'ACCOUNT_ID',
  clusterName: 'CLUSTER_NAME',
  nodeRole: 'NODE_ROLE',
  queue: 'CLUSTER_NAME',
  parameters: [],
};
const forPools = buildIamPolicy(names, new Set(['nodePools']));
const sidsOf = ({ Statement }: typeof forPools) => Statement.map(({ Sid }) => Sid);

test('the table has every action that the sources call, and no other', () => {
  const called = awsCalls.filter(({ impliedBy }) => impliedBy === undefined).map(({ action }) => action);
  expect(sent.length).toBeGreaterThan(50);
  expect(new Set(called)).toEqual(new Set(sent));
});

test('an action that AWS asks for by itself belongs to a call of the table', () => {
  const implied = awsCalls.flatMap(({ impliedBy }) => (impliedBy === undefined ? [] : [impliedBy]));
  expect(implied.filter((action) => !sent.includes(action))).toEqual([]);
});

test('an action is in the table once for each scope, and every scope is reached', () => {
  const keys = awsCalls.map(({ action, scope }) => `${action} ${scope}`);
  expect(keys).toHaveLength(new Set(keys).size);
  expect(new Set(awsCalls.map(({ scope }) => scope))).toEqual(new Set(Object.keys(awsScopes)));
});

test('examples/real-cluster/iam-policy.json is the policy of the table', () => {
  const example = readFileSync(join(root, 'examples/real-cluster/iam-policy.json'), 'utf8');
  expect(JSON.parse(example)).toEqual(forPools);
});

test('NodeGroups and parameters of the account add statements of their own', () => {
  const all = buildIamPolicy({ ...names, parameters: ['/images/*'] }, new Set(['nodePools', 'nodeGroups']));
  expect(sidsOf(all).filter((sid) => !sidsOf(forPools).includes(sid))).toEqual([
    'ReadOwnParameters',
    'ReadNodeGroups',
    'UpdateNodeGroups',
    'ReadScalingGroups',
    'ChangeScalingGroupsOfTheCluster',
    'ChangeTemplatesOfTheCluster',
    'EndInstancesOfScalingGroups',
  ]);
  expect(all.Statement.find(({ Sid }) => Sid === 'ReadOwnParameters')?.Resource).toBe(
    'arn:PARTITION:ssm:REGION:ACCOUNT_ID:parameter/images/*',
  );
});
