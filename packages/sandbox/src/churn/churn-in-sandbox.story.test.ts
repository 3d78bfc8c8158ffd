import { instant, type ResourceType } from '@nodewright/apis';
import { historyOf } from '@nodewright/aws-endpoints';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createSandbox } from '../sandbox.ts';

const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

test('a sandbox tells its log who creates and deletes objects without end', async () => {
  const time = virtualTime(instant(Date.UTC(2024, 0, 28, 16)));
  const told: string[] = [];
  const sandbox = await createSandbox({
    ...time,
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: '1.28',
    region: 'us-east-1',
    zones: ['us-east-1a'],
    releases: historyOf([]),
    log: (message, fields) => void told.push(`${message} ${JSON.stringify(fields)}`),
  });
  await time.finish(sandbox.start());
  const key = { name: 'child', namespace: 'default' };
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: 'parent', controller: true };
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key, ownerReferences: [owner] } };
  const churn = async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      await sandbox.admin.create(configMaps, child);
      await sandbox.admin.delete(configMaps, key);
    }
  };
  await time.finish(churn());
  sandbox.stop();
  expect(told.filter((line) => line.startsWith('churn'))).toEqual([
    expect.stringMatching(
      /^churn: configmaps of ConfigMap default\/parent are created and deleted without end .*"client":"nodewright"/,
    ),
  ]);
});
