import {
  days,
  ec2NodeClasses,
  instant,
  minutes,
  nodePools,
  nodeRolloutPolicies,
  type NodeRolloutPolicySpec,
  nodeRollouts,
  secrets,
  toTimestamp,
} from '@nodewright/apis';
import {
  aNodeClass,
  aPool,
  aRolloutFleet,
  aWorld,
  passesWithin,
  quickWaves,
  type RolloutFleet,
  worldStart,
} from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const hook = 'https://hooks.example/services/T/B/secret';
const bus = 'https://events.example/';
const told = (fleet: RolloutFleet, url: string): readonly unknown[] => fleet.web.posted(url);
const eventsTold = (fleet: RolloutFleet) =>
  told(fleet, bus).map((body) => (body as { readonly data: { readonly event: string } }).data.event);
const aReceiver = (more: Partial<NonNullable<NodeRolloutPolicySpec['notify']>[number]> = {}) => ({
  url: bus,
  format: 'CloudEvents' as const,
  ...more,
});
const isComplete = async (fleet: RolloutFleet): Promise<boolean> =>
  (await fleet.rollouts()).at(-1)?.status?.state === 'Complete';

test('receivers hear of a rollout from its start to its end, each message once, in the form that they take', async () => {
  const notify = [aReceiver(), { url: hook, format: 'Slack' as const, events: ['Complete' as const] }];
  const fleet = await aRolloutFleet(2, { ...quickWaves, notify });
  fleet.web.serve(bus, 202);
  fleet.web.serve(hook, 200, 'ok');
  fleet.publish();
  expect(await passesWithin(fleet, 60, () => isComplete(fleet))).toBe(true);
  await fleet.advance(minutes(2));
  expect(eventsTold(fleet)).toEqual(['Started', 'WaveDone', 'WaveDone', 'Complete']);
  const uid = (await fleet.rollouts())[0]?.metadata.uid;
  expect(told(fleet, bus)[0]).toMatchObject({
    specversion: '1.0',
    id: `${uid}/started`,
    source: '/clusters/testing/noderollouts',
    type: 'dev.nodewright.rollout.started',
    subject: 'production-1',
    data: {
      policy: 'production',
      cause: 'NewRelease',
      message: expect.stringContaining('2 nodes to move to v20240120'),
    },
  });
  expect(told(fleet, hook)).toEqual([
    { text: '*Complete* testing: production-1 is complete: 2 nodes run the new image' },
  ]);
  expect(await fleet.metric('nodewright_rollout_notifications_total')).toContain(
    'nodewright_rollout_notifications_total{policy="production",format="CloudEvents",outcome="sent"} 4',
  );
  await fleet.stop();
});

test('a receiver that is away gets everything when it is back, and the rollout does not wait for it', async () => {
  const fleet = await aRolloutFleet(2, { ...quickWaves, notify: [aReceiver()] });
  fleet.publish();
  expect(await passesWithin(fleet, 60, () => isComplete(fleet))).toBe(true);
  expect((await fleet.events('NotificationFailed'))[0]?.message).toContain('connection refused');
  const attempts = fleet.web.requests.length;
  expect(attempts).toBeLessThan(20);
  fleet.web.serve(bus, 200);
  await fleet.advance(minutes(31));
  expect(eventsTold(fleet).slice(attempts).toSorted()).toEqual(['Complete', 'Started', 'WaveDone', 'WaveDone']);
  expect((await fleet.rollouts())[0]?.status?.receiverTroubles).toEqual([]);
  await fleet.stop();
});

test('what nobody took for a day is given up, and the event says so', async () => {
  const world = aWorld();
  const events = ['Started' as const];
  const policy = { metadata: { name: 'production' }, spec: { notify: [aReceiver({ events })] } };
  await world.apply(world.client.create(nodeRolloutPolicies, policy));
  const spec = { policy: 'production', number: 1, cause: 'NewRelease' as const, from: [], to: [], members: 0 };
  const rollout = { metadata: { name: 'production-1' }, spec: { ...spec, kubernetesVersion: '1.28' } };
  await world.apply(world.client.create(nodeRollouts, rollout));
  const dayBefore = toTimestamp(instant(worldStart - days(1)));
  const message = { id: 'started', event: 'Started', text: 'x', at: dayBefore, told: [] };
  const patch = { status: { endedAt: dayBefore, state: 'Complete', messages: [message] } };
  const key = { name: 'production-1' };
  await world.apply(world.client.patch(nodeRollouts, key, { type: 'merge', patch }, { subresource: 'status' }));
  await world.advance(minutes(1));
  expect((await world.apply(world.client.get(nodeRollouts, key)))?.status?.messages).toMatchObject([
    { id: 'started', told: [], givenUp: true },
  ]);
  expect((await world.events('NotificationGivenUp')).map((event) => event.message)).toEqual([
    'not every receiver got started within a day; it is not tried any more',
  ]);
  expect(world.web.requests).toEqual([]);
  await world.stop();
});

test('the token or the URL of a receiver is in a Secret; one that is missing is told', async () => {
  const ref = (key: string) => ({ namespace: 'default', name: 'receivers', key });
  const events = ['Started' as const];
  const notify = [
    aReceiver({ secretRef: ref('token'), events }),
    { format: 'Slack' as const, secretRef: ref('url'), events },
    { format: 'Slack' as const, secretRef: ref('absent'), events },
  ];
  const fleet = await aRolloutFleet(1, { ...quickWaves, notify });
  const data = { token: Buffer.from('t0ken\n').toString('base64'), url: Buffer.from(hook).toString('base64') };
  await fleet.apply(fleet.client.create(secrets, { metadata: { name: 'receivers', namespace: 'default' }, data }));
  fleet.web.serve(bus, 200);
  fleet.web.serve(hook, 200);
  fleet.publish();
  await fleet.advance(minutes(3));
  expect(fleet.web.requests.map(({ url, headers }) => [url, headers?.['authorization']])).toEqual([
    [bus, 'Bearer t0ken'],
    [hook, undefined],
  ]);
  expect((await fleet.events('NotificationFailed')).map(({ message }) => message)).toEqual([
    'Slack message started is not delivered: Secret default/receivers has no key absent; it is tried again for a day',
  ]);
  await fleet.stop();
});

test('a pin that has stood still for a month is told of, also where there never was a rollout', async () => {
  const version = 'v20231201';
  const name = `amazon-eks-node-1.28-${version}`;
  const image = { id: 'ami-1', name, version, arch: 'amd64', createdAt: instant(0), term: 0 } as const;
  const world = aWorld({ images: [image] });
  world.web.serve(bus, 200);
  const spec = { notify: [aReceiver()] };
  const base = aNodeClass();
  const nodeClass = { ...base, spec: { ...base.spec, amiSelectorTerms: [{ alias: `al2@${version}` }] } };
  await world.apply(world.client.create(ec2NodeClasses, nodeClass));
  await world.apply(world.client.create(nodePools, aPool()));
  await world.apply(world.client.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec }));
  await world.advance(minutes(5));
  expect(world.web.posted(bus)).toMatchObject([
    {
      source: '/clusters/testing/noderolloutpolicies',
      type: 'dev.nodewright.rollout.pinstale',
      subject: 'production',
      data: {
        policy: 'production',
        message: expect.stringContaining(`EC2NodeClass/default pins ${version}`) as string,
      },
    },
  ]);
  await world.stop();
});

for (const afterWrite of [3, 9]) {
  test(`a controller that dies after its write number ${afterWrite} is followed by one that tells the rest`, async () => {
    const fleet = await aRolloutFleet(1, { ...quickWaves, notify: [aReceiver()] });
    fleet.web.serve(bus, 200);
    fleet.publish();
    expect(await fleet.crash({ afterWrite })).toBe(true);
    expect(await passesWithin(fleet, 60, () => isComplete(fleet))).toBe(true);
    await fleet.advance(minutes(2));
    expect([...new Set(eventsTold(fleet))]).toEqual(['Started', 'WaveDone', 'Complete']);
    expect(eventsTold(fleet).length).toBeLessThanOrEqual(5);
    await fleet.stop();
  });
}
