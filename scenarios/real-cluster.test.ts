import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ec2NodeClasses, type KubernetesObject, nodePools } from '@nodewright/apis';
import { parseManifests } from '@nodewright/runtime';
import type { AwsCall } from '@nodewright/aws-endpoints';
import { beforeAll, describe, expect, test } from 'vitest';
import { playStory } from '../packages/cli/src/commands/story/story.ts';
import { clusterName, forceWorld } from './support/force-world.ts';
import {
  findWideGrants,
  type IamPolicy,
  type IamStatement,
  listActions,
  mayTag,
  type Tagging,
} from './support/iam-policy.ts';

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../examples/real-cluster', name), 'utf8');

type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
};
type Role = KubernetesObject & { readonly rules?: readonly Rule[] };

const rules = parseManifests(example('rbac.yaml')).flatMap((object) => (object as Role).rules ?? []);
const policy = JSON.parse(example('iam-policy.json')) as IamPolicy;
const actions = listActions(policy).map((action) => action.replace(/^.*:/, ''));

const onObjects: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** `PATCH /apis/karpenter.sh/v1/nodeclaims/a/status` is `patch karpenter.sh nodeclaims/status`. */
function rightFor(request: string): string {
  const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(request) ?? [];
  const place = /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/(?=.))?(?<rest>.+)$/.exec(path)?.groups;
  const [resource = '', object, subresource] = place?.['rest']?.split('/') ?? [];
  const onAll = request.endsWith('(watch)') ? 'watch' : method === 'POST' ? 'create' : 'list';
  const verb = object === undefined || method === 'POST' ? onAll : onObjects[method];
  return `${verb} ${place?.['group'] ?? ''} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
}

function isGranted(right: string): boolean {
  const [verb = '', group = '', resource = ''] = right.split(' ');
  return rules.some(
    ({ apiGroups, resources, verbs }) =>
      apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb),
  );
}

type Tagged = { readonly ResourceType?: string; readonly Tags?: readonly { Key: string; Value: string }[] };
type TaggingInput = {
  readonly TagSpecifications?: readonly Tagged[];
  readonly LaunchTemplateData?: { readonly TagSpecifications?: readonly Tagged[] };
  readonly Tags?: Tagged['Tags'];
};

/** The tags that a call asks for, as IAM looks at them: for the call, and for tagging each kind that it creates. */
function taggingsOf({ operation, input }: AwsCall): readonly Tagging[] {
  const { TagSpecifications = [], LaunchTemplateData, Tags } = input as TaggingInput;
  const tagsOf = (list: Tagged['Tags'] = []) => Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]));
  if (operation === 'CreateTags') return [{ action: 'ec2:CreateTags', resource: 'instance', tags: tagsOf(Tags) }];
  const asked = (by: string, specifications: readonly Tagged[]): readonly Tagging[] =>
    specifications.flatMap(({ ResourceType: resource = '', Tags: list }) =>
      [by, 'ec2:CreateTags'].map((action) => ({ action, resource, tags: tagsOf(list) })),
    );
  return [
    ...asked(`ec2:${operation}`, TagSpecifications),
    // What a launch with the template asks for.
    ...asked('ec2:RunInstances', LaunchTemplateData?.TagSpecifications ?? []),
  ];
}

const actionOf = (call: string): string => (/^GET \/clusters\/[^/]+$/.test(call) ? 'DescribeCluster' : call);

describe('on a real cluster the operator', () => {
  const asked = { kubernetes: new Set<string>(), aws: new Set<string>() };
  let calls: readonly AwsCall[] = [];

  beforeAll(async () => {
    const world = await forceWorld({
      seed: 1,
      fate: ({ to, name }) => {
        asked[to].add(to === 'aws' ? actionOf(name) : rightFor(name));
        return 'arrives';
      },
    });
    const { sandbox, client, startUpgrade, updateStatus } = world;
    const random = world.random.fork('spectator');
    const releases = (imageId: string) => sandbox.aws.releases.byImage(imageId);
    const stage = { clock: world.time.clock, client, random, clusterName, releases, updateStatus };
    const silent = { command: () => undefined, line: () => undefined };
    await world.apply(playStory({ ...stage, updateClusterVersion: startUpgrade }, silent));
    await world.apply(client.delete(nodePools, { name: 'default' }));
    for (const name of ['default', 'bottlerocket']) await world.apply(client.delete(ec2NodeClasses, { name }));
    await world.advance(10 * 60_000);
    calls = sandbox.aws.calls();
    await world.stop();
  });

  test('needs no right that the example lacks', () => {
    expect(asked.kubernetes).toContain('create  pods/eviction');
    expect([...asked.kubernetes].filter((right) => right !== 'get  version' && !isGranted(right))).toEqual([]);
  });

  test('needs no AWS action that the policy lacks', () => {
    expect(asked.aws).toContain('DeleteInstanceProfile');
    expect([...asked.aws].filter((action) => !actions.includes(action))).toEqual([]);
  });

  test('is allowed the tags of everything that it creates, also in a trial', () => {
    const ofEc2 = calls.filter(({ service, operation }) => service === 'ec2' && /^(Create|Run)/.test(operation));
    const taggings = ofEc2.flatMap(taggingsOf);
    expect(new Set(taggings.map(({ action }) => action))).toEqual(
      new Set(['ec2:CreateFleet', 'ec2:CreateLaunchTemplate', 'ec2:CreateTags', 'ec2:RunInstances']),
    );
    expect(taggings.filter((tagging) => !mayTag(policy, clusterName, tagging))).toEqual([]);
  });
});

describe('the policy of the example', () => {
  test('allows nothing beyond the cluster, and nothing outside its region', () => {
    expect(findWideGrants(policy)).toEqual([]);
  });

  const instance = 'arn:PARTITION:ec2:REGION:*:instance/*';
  const cluster = 'kubernetes.io/cluster/CLUSTER_NAME';
  const own = { StringEquals: { [`aws:ResourceTag/${cluster}`]: 'owned' } };
  for (const { fact, statement, problem } of [
    {
      fact: 'ends any instance',
      statement: { Action: 'ec2:TerminateInstances', Resource: instance },
      problem: 'ec2:TerminateInstances has no condition on the tag of the cluster',
    },
    {
      fact: 'ends instances with some other tag',
      statement: {
        Action: 'ec2:TerminateInstances',
        Resource: instance,
        Condition: { StringEquals: { 'aws:ResourceTag/team': 'owned' } },
      },
      problem: 'ec2:TerminateInstances has no condition on the tag of the cluster',
    },
    {
      fact: 'puts the tag of the cluster on any instance',
      statement: {
        Action: ['ec2:RunInstances', 'ec2:CreateTags'],
        Resource: instance,
        Condition: { StringEquals: { [`aws:RequestTag/${cluster}`]: 'owned' } },
      },
      problem: 'ec2:CreateTags tags what exists, with any key',
    },
    {
      fact: 'changes every tag of its own instances',
      statement: { Action: 'ec2:CreateTags', Resource: instance, Condition: own },
      problem: 'ec2:CreateTags tags what exists, with any key',
    },
    {
      fact: 'reaches other regions',
      statement: { Action: 'ec2:TerminateInstances', Resource: 'arn:aws:ec2:*:*:instance/*', Condition: own },
      problem: 'ec2:TerminateInstances reaches every region through arn:aws:ec2:*:*:instance/*',
    },
    {
      fact: 'passes any role',
      statement: { Action: 'iam:PassRole', Resource: '*' },
      problem: 'iam:PassRole is granted on every resource',
    },
    {
      fact: 'changes any instance profile',
      statement: { Action: 'iam:DeleteInstanceProfile', Resource: 'arn:PARTITION:iam::ACCOUNT_ID:instance-profile/*' },
      problem: 'iam:DeleteInstanceProfile has no condition on the tag of the cluster',
    },
    { fact: 'is a pattern', statement: { Action: 'ec2:*', Resource: instance }, problem: 'ec2:* is a pattern' },
  ] satisfies readonly { fact: string; statement: Omit<IamStatement, 'Sid' | 'Effect'>; problem: string }[]) {
    test(`would be too wide with a statement that ${fact}`, () => {
      const added = { Sid: 'Added', Effect: 'Allow', ...statement };
      expect(findWideGrants({ Statement: [...policy.Statement, added] })).toEqual([`Added: ${problem}`]);
    });
  }
});
