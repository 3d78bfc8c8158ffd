import { csiNodes, daemonSets } from '@nodewright/apis';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { installEbsAddOn } from './ebs-add-on.ts';

const daemon = { namespace: 'kube-system', name: 'ebs-csi-node' };

async function volumeLimitOfNewNode(args: readonly string[]): Promise<number | undefined> {
  const cluster = new SmallCluster();
  await cluster.do((client) => installEbsAddOn(client, 'v1.48.0-eksbuild.2'));
  const patch = { spec: { template: { spec: { containers: [{ name: 'ebs-plugin', args }] } } } };
  await cluster.do((client) => client.patch(daemonSets, daemon, { type: 'strategic', patch }));
  cluster.launch();
  await cluster.after(120);
  const [storage] = await cluster.list(csiNodes);
  return storage?.spec?.drivers?.[0]?.allocatable?.count;
}

test('the daemon of the EBS driver sets how many volumes a node takes', async () => {
  expect(await volumeLimitOfNewNode(['node', '--volume-attach-limit=1'])).toBe(1);
});

test('without an argument a node takes as many volumes as its type', async () => {
  expect(await volumeLimitOfNewNode(['node', '--v=2'])).toBe(26);
});
