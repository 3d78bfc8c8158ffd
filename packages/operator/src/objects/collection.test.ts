import { nodeClaims, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aWorld } from '@nodewright/testkit/worlds';
import { replacementName } from '../controllers/disruption/replacement-name.ts';
import { CachedCollection } from './collection.ts';

const aClaim = (name: string, team: string): NodeClaim => ({
  metadata: { name, labels: { team } },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
  },
});

test('what was created although the answer was lost is found, and nothing else of its name', async () => {
  const world = aWorld();
  const [first, second] = [
    new CachedCollection(nodeClaims, world.client),
    new CachedCollection(nodeClaims, world.client),
  ];
  const create = (collection: CachedCollection<NodeClaim>, team: string) =>
    world.apply(collection.createOnce(aClaim('a', team), ({ metadata }) => metadata.labels?.['team'] === team));
  const created = await create(first, 'blue');
  expect((await create(second, 'blue')).metadata.uid).toBe(created.metadata.uid);
  expect(second.get('a')?.metadata.uid).toBe(created.metadata.uid);
  await expect(create(second, 'green')).rejects.toMatchObject({ reason: 'AlreadyExists' });
  await world.stop();
});

test('each replacement of a command has one name, which nothing but the command decides', () => {
  const name = replacementName('default-', 'command-1', 0);
  expect(name).toMatch(/^default-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(replacementName('default-', 'command-1', 0)).toBe(name);
  expect(
    new Set([name, replacementName('default-', 'command-1', 1), replacementName('default-', 'command-2', 0)]).size,
  ).toBe(3);
});
