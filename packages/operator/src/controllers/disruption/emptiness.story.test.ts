import { conditionOf, nodePools, pods, type Pod } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { aPool, aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const second = 1_000;
const minute = 60_000;

/** Only the larger type has room for it. */
const aGuest = (name: string): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: {
    nodeSelector: { team: 'my-team' },
    containers: [{ name: 'guest', image: 'pause', resources: { requests: { cpu: '3500m' } } }],
  },
});

/** Two nodes: one for the pods of a running cluster, and one for a pod that ends soon. */
async function aSpareNode(world: World, disruption: NonNullable<ReturnType<typeof aPool>['spec']['disruption']> = {}) {
  await aRunningCluster(
    world,
    aPool({}, { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...disruption } }),
  );
  await world.apply(world.client.create(pods, aGuest('guest')));
  await world.advance(3 * minute);
  expect(await world.claims()).toHaveLength(2);
}

const endGuest = (world: World) => world.apply(world.client.delete(pods, { name: 'guest', namespace: 'default' }));

describe('a node that its last pod has left', () => {
  test('goes after fifteen seconds, and is told of', async () => {
    const world = aWorld();
    await aSpareNode(world);
    await endGuest(world);
    await world.advance(14 * second);
    expect((await world.claims()).every(({ metadata }) => metadata.deletionTimestamp === undefined)).toBe(true);
    await world.advance(2 * minute);
    expect(await world.claims()).toHaveLength(1);
    expect(await world.nodes()).toHaveLength(1);
    expect(world.cloud.fleet.running).toHaveLength(1);
    const line = world.log.find(({ message }) => message === 'disrupting node(s)');
    expect(line?.['command']).toMatch(
      /^empty\/[0-9a-f-]+: delete: nodepools=\[default\], nodes=\[.*\/m5.xlarge\/on-demand\]$/,
    );
    expect(line).toMatchObject({ decision: 'delete', 'disrupted-node-count': 1, 'pod-count': 0 });
    expect((await world.events('DisruptionTerminating')).map(({ message }) => message)).toEqual([
      'Disrupting NodeClaim: Empty',
      'Disrupting Node: Empty',
    ]);
    expect(await world.metric('karpenter_voluntary_disruption_decisions')).toEqual([
      'karpenter_voluntary_disruption_decisions_by_nodepool_total{nodepool="default",decision="delete",reason="empty",consolidation_type="empty"} 1',
      'karpenter_voluntary_disruption_decisions_total{decision="delete",reason="empty",consolidation_type="empty"} 1',
    ]);
    const [disrupted = ''] = await world.metric('karpenter_nodeclaims_disrupted_total');
    expect(disrupted).toContain('reason="empty"');
    await world.stop();
  });

  test('stays when a pod comes to it within those seconds', async () => {
    const world = aWorld();
    await aSpareNode(world);
    await endGuest(world);
    await world.advance(12 * second);
    await world.apply(world.client.create(pods, aGuest('late')));
    await world.advance(3 * minute);
    expect(await world.claims()).toHaveLength(2);
    expect(world.messages()).not.toContain('disrupting node(s)');
    await world.stop();
  });

  test('waits for consolidateAfter', async () => {
    const world = aWorld();
    await aSpareNode(world, { consolidateAfter: '10m' });
    await endGuest(world);
    await world.advance(10 * minute);
    expect(await world.claims()).toHaveLength(2);
    await world.advance(2 * minute);
    expect(await world.claims()).toHaveLength(1);
    await world.stop();
  });

  test('stays for good where the pool is never consolidated, and an event says why', async () => {
    const world = aWorld();
    await aSpareNode(world, { consolidateAfter: 'Never' });
    await endGuest(world);
    await world.advance(30 * minute);
    const claims = await world.claims();
    expect(claims.map((claim) => conditionOf(claim, 'Consolidatable'))).toEqual([undefined, undefined]);
    const [event] = await world.events('Unconsolidatable');
    expect(event?.message).toContain('has consolidation disabled: its consolidateAfter is Never');
    await world.stop();
  });

  test('stays while a budget says so, and goes when it says otherwise', async () => {
    const world = aWorld();
    await aSpareNode(world, { budgets: [{ nodes: '0' }] });
    await endGuest(world);
    await world.advance(10 * minute);
    expect(await world.claims()).toHaveLength(2);
    const told = (await world.events('DisruptionBlocked')).map(({ involvedObject }) => involvedObject?.kind);
    expect(new Set(told)).toEqual(new Set(['Node', 'NodeClaim', 'NodePool']));
    expect(await world.metric('karpenter_voluntary_disruption_eligible_nodes{reason="empty"}')).toEqual([
      'karpenter_voluntary_disruption_eligible_nodes{reason="empty"} 1',
    ]);
    const patch = { spec: { disruption: { budgets: [{ nodes: '1' }] } } };
    await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
    await world.advance(2 * minute);
    expect(await world.claims()).toHaveLength(1);
    await world.stop();
  });
});

describe('three nodes that their last pods have left', () => {
  const guests = ['first', 'second', 'third'];

  async function threeSpareNodes(world: World) {
    await aRunningCluster(world, aPool({}, { disruption: { budgets: [{ nodes: '100%' }], consolidateAfter: '0s' } }));
    for (const name of guests) await world.apply(world.client.create(pods, aGuest(name)));
    await world.advance(3 * minute);
    expect(await world.claims()).toHaveLength(4);
    const leave = guests.map((name) => world.client.delete(pods, { name, namespace: 'default' }));
    await world.apply(Promise.all(leave));
  }

  test('go with one command', async () => {
    const world = aWorld();
    await threeSpareNodes(world);
    await world.advance(3 * minute);
    expect(await world.claims()).toHaveLength(1);
    const commands = world.log.filter(({ message }) => message === 'disrupting node(s)');
    expect(commands.map((line) => line['disrupted-node-count'])).toEqual([3]);
    await world.stop();
  });

  for (const afterWrite of [1, 2, 5, 8]) {
    test(`go although the operator ends after write ${afterWrite} of their deletion`, async () => {
      const world = aWorld();
      await threeSpareNodes(world);
      await world.advance(14 * second);
      await world.crash({ afterWrite });
      await world.advance(4 * minute);
      const [claim, ...others] = await world.claims();
      expect(others).toEqual([]);
      expect(claim?.metadata.annotations ?? {}).not.toHaveProperty('nodewright.dev/disruption-command');
      expect((await world.nodes()).map(({ spec }) => spec?.taints ?? [])).toEqual([[]]);
      expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
      await world.stop();
    });
  }
});
