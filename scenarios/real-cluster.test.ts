import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ec2NodeClasses, type KubernetesObject, nodePools } from '@nodewright/apis';
import { parseManifests } from '@nodewright/runtime';
import { beforeAll, describe, expect, test } from 'vitest';
import { playStory } from '../packages/cli/src/story/story.ts';
import { clusterName, forceWorld } from './support/force-world.ts';

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../examples/real-cluster', name), 'utf8');

type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
};
type Role = KubernetesObject & { readonly rules?: readonly Rule[] };
type Policy = { readonly Statement: readonly { readonly Action: string | readonly string[] }[] };

const rules = parseManifests(example('rbac.yaml')).flatMap((object) => (object as Role).rules ?? []);
const policy = JSON.parse(example('iam-policy.json')) as Policy;
const actions = policy.Statement.flatMap(({ Action }) => Action).map((action) => action.replace(/^.*:/, ''));

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

const actionOf = (call: string): string => (/^GET \/clusters\/[^/]+$/.test(call) ? 'DescribeCluster' : call);

describe('on a real cluster the operator', () => {
  const asked = { kubernetes: new Set<string>(), aws: new Set<string>() };

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
});
