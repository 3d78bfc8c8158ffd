import { writeFileSync } from 'node:fs';
import { CreateNodegroupCommand, DescribeUpdateCommand, UpdateNodegroupVersionCommand } from '@aws-sdk/client-eks';
import { aGroup, groupWorld, type GroupWorld } from '../../packages/testkit/src/worlds/group-world.ts';
import { measure } from '../measure.ts';
import { updateKept } from './kept.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

const clusterName = 'sandbox';

/**
 * Managed node groups under EKS's own update, on virtual time: `--groups` groups with `--nodes` nodes in all, and two
 * pods on each node behind a budget, are created, filled and moved to the next release, all at once. `--by operator`: Auto
 * Scaling groups, and the operator moves them.
 */
export async function benchNodeGroups(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- node-groups', brief: 'Measures updates of node groups on virtual time.' },
    {
      nodes: { value: 'N', default: '300', brief: 'nodes of all groups' },
      groups: { value: 'N', default: '5', brief: 'how many groups' },
      by: { value: 'eks|operator', default: 'eks', brief: 'who moves them' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const size = { nodes: readNumberFlag('--nodes', values.nodes), groups: readNumberFlag('--groups', values.groups) };
  const results = {
    ...size,
    by: values.by,
    ...(await (values.by === 'operator' ? updateKept(size) : updateManaged(size))),
  };
  console.log(results);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

async function updateManaged({ nodes, groups }: { readonly nodes: number; readonly groups: number }) {
  const names = Array.from({ length: groups }, (_, at) => `group-${at}`);
  const world = await groupWorld();
  const creation = await measure(world, () => create(world, names, Math.floor(nodes / groups)));
  return { creation, update: await measure(world, () => updateAll(world, names)) };
}

async function create(world: GroupWorld, names: readonly string[], nodes: number): Promise<void> {
  for (const nodegroupName of names) {
    const scalingConfig = { minSize: 1, maxSize: nodes * 2, desiredSize: nodes };
    const input = { ...aGroup(world.aws), nodegroupName, scalingConfig, updateConfig: { maxUnavailable: 10 } };
    await world.eks.send(new CreateNodegroupCommand(input));
  }
  await world.after(10);
  const replicas = names.length * nodes * 2;
  await world.deploy(replicas, Math.floor(replicas * 0.9));
  await world.after(5);
}

async function updateAll(world: GroupWorld, names: readonly string[]): Promise<void> {
  const updates = await Promise.all(
    names.map(async (nodegroupName) => {
      const { update } = await world.eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName }));
      return { name: clusterName, nodegroupName, updateId: update?.id };
    }),
  );
  for (let minutes = 0; minutes < 600; minutes += 5) {
    await world.after(5);
    const seen = await Promise.all(updates.map((each) => world.eks.send(new DescribeUpdateCommand(each))));
    const failed = seen.find(({ update }) => update?.status === 'Failed');
    if (failed !== undefined) throw new Error(`an update failed: ${JSON.stringify(failed.update?.errors)}`);
    if (seen.every(({ update }) => update?.status === 'Successful')) return;
  }
  throw new Error('the updates have not ended within ten hours');
}
