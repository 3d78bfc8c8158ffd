import { ec2NodeClasses, nodePools, pods } from '@nodewright/apis';
import { aNodeClass, aPool, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { createApplication } from '../app.ts';
import { printProposals } from '../commands/completion/propose.ts';
import { listProposedNames, proposeNames } from './propose-names.ts';

test('names of objects go on as the word under way does', async () => {
  const world = aWorld();
  const { client, apply } = world;
  await apply(client.create(ec2NodeClasses, aNodeClass()));
  for (const name of ['web', 'batch', 'web-spot'])
    await apply(client.create(nodePools, { ...aPool(), metadata: { name } }));
  for (const [namespace, name] of [
    ['default', 'one'],
    ['kube-system', 'two'],
  ] as const)
    await apply(
      client.create(pods, { metadata: { namespace, name }, spec: { containers: [{ name: 'a', image: 'a' }] } }),
    );
  const propose = (partial: string, ...kinds: Parameters<typeof listProposedNames>[1]) =>
    apply(listProposedNames(client, kinds, partial));
  expect(await propose('', 'nodePool')).toEqual(['batch', 'web', 'web-spot']);
  expect(await propose('web', 'nodePool')).toEqual(['web', 'web-spot']);
  expect(await propose('batch,web', 'nodePool')).toEqual(['batch,web', 'batch,web-spot']);
  expect(await propose('d', 'nodePool', 'ec2NodeClass')).toEqual(['default']);
  expect(await propose('', 'pod')).toEqual(['one']);
  expect(await propose('kube-system/', 'pod')).toEqual(['kube-system/two']);
  await world.stop();
});

test('a cluster that cannot be asked has no names, and its flag on the line is read', async () => {
  const kubeconfig = '/there/is/no/kubeconfig';
  expect(await proposeNames({ kubeconfig }, ['nodePool'], '')).toEqual([]);
  const silent = { write: () => undefined };
  const words = ['explain', 'nodepool', '--kubeconfig', kubeconfig, ''];
  expect(await printProposals(createApplication, words, { process: { stdout: silent, stderr: silent } })).not.toMatch(
    /default/,
  );
});
