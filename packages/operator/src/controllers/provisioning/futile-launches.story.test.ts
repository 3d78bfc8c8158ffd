import { ec2NodeClasses, minutes, nodePools, nodes, pods, type NodePool, type Pod } from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';

const hypervisor = 'karpenter.k8s.aws/instance-hypervisor';
const minute = minutes(1);

/** A type that offers two values of a label, of which its nodes carry neither. */
const vague = anInstanceType('m5.large', {
  cpu: 2,
  labels: { [hypervisor]: ['nitro', 'xen'] },
  offerings: [['us-east-1a', 'on-demand', 96_000]],
});

async function aWorldWith(pool: NodePool = aPool()): Promise<World> {
  const world = aWorld({ instanceTypes: [vague] });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, pool));
  await world.advance(15_000);
  return world;
}

const aPod = (name: string, spec: Partial<Pod['spec']>): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1500m' } } }], ...spec },
});

const ask = (world: World, name: string, spec: Partial<Pod['spec']> = { nodeSelector: { [hypervisor]: 'nitro' } }) =>
  world.apply(world.client.create(pods, aPod(name, spec)));

const launches = ({ cloud }: World): number =>
  new Set(cloud.fleet.requests.map(({ claim }) => claim.metadata.name)).size;

const told = async (world: World): Promise<readonly string[]> =>
  (await world.events('FailedScheduling'))
    .filter(({ source }) => source?.component === 'karpenter')
    .map(({ involvedObject, message }) => `${involvedObject.name}: ${message}`);

const unready = { disruption: { consolidateAfter: 'Never', consolidationPolicy: 'WhenEmpty', budgets: [] } } as const;

test('a pod that does not bind to the node that was launched for it gets no other, nor do pods equal to it', async () => {
  const world = await aWorldWith(aPool({}, unready));
  await ask(world, 'one');
  await world.advance(4 * minute);
  expect(launches(world)).toBe(1);
  await ask(world, 'two');
  await world.advance(4 * minute);
  expect(launches(world)).toBe(1);
  const [node] = await world.nodes();
  const events = await told(world);
  for (const pod of ['one', 'two']) {
    const message = events.find((each) => each.startsWith(`${pod}: `)) ?? '';
    expect(message).toContain(`${node?.metadata.name} was launched for them and is ready, and they do not bind to it`);
    expect(message).toContain(
      "node(s) didn't match Pod's node affinity/selector (karpenter.k8s.aws/instance-hypervisor In [nitro], the node does not have the label)",
    );
  }
  await world.stop();
});

test('other pods get their nodes all the same', async () => {
  const world = await aWorldWith(aPool({}, unready));
  await ask(world, 'one');
  await world.advance(3 * minute);
  await ask(world, 'other', {});
  await ask(world, 'another', {});
  await world.advance(3 * minute);
  expect(launches(world)).toBe(2);
  const bound = (await world.pods()).filter(({ spec }) => spec.nodeName !== undefined);
  expect(bound.map(({ metadata }) => metadata.name)).toEqual(['another', 'other']);
  await world.stop();
});

test('the removal of the useless node as empty leads to no other launch', async () => {
  const world = await aWorldWith();
  await ask(world, 'one');
  await world.advance(9 * minute);
  expect(await world.claims()).toEqual([]);
  expect(launches(world)).toBe(1);
  await world.stop();
});

test('one more node is tried after pauses that grow', async () => {
  const world = await aWorldWith();
  await ask(world, 'one');
  await ask(world, 'two');
  const after: number[] = [];
  for (let passed = 0; passed < 100; passed += 10) {
    await world.advance(10 * minute);
    after.push(launches(world));
  }
  // Two at first, as two pods need them; then one after each pause of 10, 20 and 40 minutes.
  expect(after).toEqual([2, 3, 3, 4, 4, 4, 4, 5, 5, 5]);
  await world.stop();
});

test('a changed NodePool is tried at once', async () => {
  const world = await aWorldWith(aPool({}, unready));
  await ask(world, 'one');
  await world.advance(3 * minute);
  expect(launches(world)).toBe(1);
  await world.apply(
    world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch: { spec: { weight: 7 } } }),
  );
  await world.advance(minute);
  expect(launches(world)).toBe(2);
  await world.advance(4 * minute);
  expect(launches(world)).toBe(2);
  await world.stop();
});

test('pods that ask for less are other pods', async () => {
  const world = await aWorldWith(aPool({}, unready));
  await ask(world, 'one');
  await world.advance(3 * minute);
  await ask(world, 'less', { nodeSelector: { [hypervisor]: 'xen' } });
  await world.advance(3 * minute);
  expect(launches(world)).toBe(2);
  await world.stop();
});

test('once an equal pod binds all of them get nodes', async () => {
  const world = await aWorldWith(aPool({}, unready));
  await ask(world, 'one');
  await world.advance(3 * minute);
  await ask(world, 'two');
  const [node] = await world.nodes();
  const labels = { metadata: { labels: { [hypervisor]: 'nitro' } } };
  await world.apply(world.client.patch(nodes, { name: node?.metadata.name ?? '' }, { type: 'merge', patch: labels }));
  await world.advance(2 * minute);
  expect(launches(world)).toBe(2);
  await world.stop();
});

test('pods that their scheduler leaves alone get no nodes beside the first ones', async () => {
  const world = await aWorldWith(aPool({}, unready));
  const status = {
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'the gang is not complete' },
    ],
  } as const;
  const askOther = async (name: string) => {
    await ask(world, name, { schedulerName: 'gangs' });
    await world.apply(
      world.client.patch(
        pods,
        { name, namespace: 'default' },
        { type: 'merge', patch: { status } },
        { subresource: 'status' },
      ),
    );
  };
  await askOther('one');
  await world.advance(9 * minute);
  await askOther('two');
  await world.advance(3 * minute);
  expect(launches(world)).toBe(1);
  expect((await told(world)).join()).toContain('the scheduler says: the gang is not complete');
  await world.stop();
});

for (const afterWrite of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
  test(`a controller that ends after write ${afterWrite} is followed by one that launches nothing more`, async () => {
    const world = await aWorldWith();
    await ask(world, 'one');
    await world.crash({ afterWrite });
    await world.advance(9 * minute);
    expect(launches(world)).toBe(1);
    await world.stop();
  });
}

test('a controller that is started anew every few seconds launches one node', async () => {
  const world = await aWorldWith();
  await ask(world, 'one');
  for (let start = 0; start < 15; start += 1) {
    await world.crash({ afterWrite: 1 });
    await world.advance(7_000);
  }
  await world.advance(2 * minute);
  expect(launches(world)).toBe(1);
  await world.stop();
});
