import { configMaps, type KubernetesObject, namespaces, type ResourceType } from '@nodewright/apis';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { kindDefinitions, type KindDefinition } from '../defined-kinds.ts';

const kindOf = (plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group: 'example.com',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const backups = kindOf('backups', 'Backup', true);
const sites = kindOf('sites', 'Site', false);

const definitionOf = ({ group, version, plural, kind, namespaced }: ResourceType): KindDefinition => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const served = { name: version, served: true, storage: true, schema };
  const names = { plural, kind };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: namespaced ? 'Namespaced' : 'Cluster', versions: [served] },
  };
};

type Owner = { readonly type: ResourceType; readonly key: { readonly name: string; readonly namespace?: string } };

async function aCluster(): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  await cluster.after(1);
  await cluster.create(kindDefinitions, definitionOf(backups), definitionOf(sites));
  await cluster.after(1);
  return cluster;
}

/** Creates an object that belongs to another one. */
async function createOwned(
  cluster: SmallCluster,
  type: ResourceType,
  { name, owner }: { readonly name: string; readonly owner: Owner },
): Promise<void> {
  const found = await cluster.do((client) => client.get(owner.type, owner.key));
  const { group, version, kind } = owner.type;
  const reference = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    name: owner.key.name,
    uid: found?.metadata.uid ?? 'no-such-uid',
    blockOwnerDeletion: true,
  };
  const { namespaced } = type;
  await cluster.create(type, {
    metadata: { name, ...(namespaced && { namespace: 'default' }), ownerReferences: [reference] },
  });
}

const aBackup = { metadata: { name: 'nightly', namespace: 'default' } };
const key = { name: 'nightly', namespace: 'default' };
const nightly: Owner = { type: backups, key };

for (const { fact, first, owner, dependent } of [
  { fact: 'a ConfigMap goes with its custom object', first: aBackup, owner: nightly, dependent: configMaps },
  {
    fact: 'a custom object goes with its ConfigMap',
    first: aBackup,
    owner: { type: configMaps, key },
    dependent: backups,
  },
  {
    fact: 'a custom object of a namespace goes with one of the cluster',
    first: { metadata: { name: 'nightly' } },
    owner: { type: sites, key: { name: 'nightly' } },
    dependent: backups,
  },
]) {
  test(fact, async () => {
    const cluster = await aCluster();
    await cluster.create<KubernetesObject>(owner.type, first);
    await createOwned(cluster, dependent, { name: 'owned', owner });
    await cluster.after(1);
    expect(await cluster.get<KubernetesObject>(dependent, 'owned', 'default')).toBeDefined();
    await cluster.do((client) => client.delete(owner.type, owner.key));
    await cluster.after(1);
    expect(await cluster.get<KubernetesObject>(dependent, 'owned', 'default')).toBeUndefined();
  });
}

test('a custom object that is deleted in the foreground waits for what it owns', async () => {
  const cluster = await aCluster();
  await cluster.create<KubernetesObject>(backups, aBackup);
  await createOwned(cluster, configMaps, { name: 'owned', owner: nightly });
  const hold = { metadata: { finalizers: ['example.com/held'] } };
  const owned = { name: 'owned', namespace: 'default' };
  await cluster.do((client) => client.patch(configMaps, owned, { type: 'merge', patch: hold }));
  await cluster.do((client) => client.delete(backups, key, { propagationPolicy: 'Foreground' }));
  await cluster.after(2);
  expect((await cluster.get(backups, 'nightly', 'default'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
  expect((await cluster.get(configMaps, 'owned', 'default'))?.metadata.deletionTimestamp).toBeDefined();
  const release = { metadata: { finalizers: null } };
  await cluster.do((client) => client.patch(configMaps, owned, { type: 'merge', patch: release }));
  await cluster.after(1);
  expect(await cluster.get(backups, 'nightly', 'default')).toBeUndefined();
});

test('a deleted namespace takes its custom objects along, and waits for their finalizers', async () => {
  const cluster = await aCluster();
  await cluster.create(namespaces, { metadata: { name: 'team' } });
  const held = { metadata: { name: 'nightly', namespace: 'team', finalizers: ['example.com/held'] } };
  await cluster.create<KubernetesObject>(backups, held, { metadata: { name: 'weekly', namespace: 'team' } });
  await cluster.do((client) => client.delete(namespaces, { name: 'team' }));
  await cluster.after(3);
  expect((await cluster.list(backups, 'team')).map(({ metadata }) => metadata.name)).toEqual(['nightly']);
  expect((await cluster.get(namespaces, 'team'))?.status?.phase).toBe('Terminating');
  const release = { metadata: { finalizers: null } };
  const inTeam = { name: 'nightly', namespace: 'team' };
  await cluster.do((client) => client.patch(backups, inTeam, { type: 'merge', patch: release }));
  await cluster.after(3);
  expect(await cluster.get(namespaces, 'team')).toBeUndefined();
});

test('what a kind owned goes with its definition, and a definition that comes again is followed again', async () => {
  const cluster = await aCluster();
  await cluster.create<KubernetesObject>(backups, aBackup);
  await createOwned(cluster, configMaps, { name: 'owned', owner: nightly });
  await cluster.do((client) => client.delete(kindDefinitions, { name: 'backups.example.com' }));
  await cluster.after(2);
  expect(await cluster.get(configMaps, 'owned', 'default')).toBeUndefined();
  await cluster.create(kindDefinitions, definitionOf(backups));
  await cluster.after(1);
  await cluster.create<KubernetesObject>(backups, aBackup);
  await createOwned(cluster, configMaps, { name: 'owned', owner: nightly });
  await cluster.after(1);
  await cluster.do((client) => client.delete(backups, key));
  await cluster.after(1);
  expect(await cluster.get(configMaps, 'owned', 'default')).toBeUndefined();
  expect(cluster.complaints).toEqual([]);
});
