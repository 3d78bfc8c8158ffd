import {
  awsAnnotations,
  type Deployment,
  deployments,
  ec2NodeClasses,
  karpenterAnnotations,
  karpenterLabels,
  leases,
  nodeClaims,
  nodePools,
  pods,
  toTimestamp,
} from '@nodewright/apis';
import { ec2NodeClassHash, hashVersion, nodePoolHash } from '@nodewright/engine';
import { aNodeClass, aPool, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { TimedOutError } from '../../terminal/exit-status.ts';
import { handOver, replicasBeforeAnnotation } from './hand-over.ts';
import { judgeTakeover } from './judge-takeover.ts';
import { observeTakeover } from './observe-takeover.ts';

type Environment = Readonly<Record<string, string>>;

const namespace = 'kube-system';
const both = { karpenter: `${namespace}/karpenter`, nodewright: `${namespace}/nodewright` };

const aDeployment = (name: string, image: string, env: Environment, replicas = 2): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name: 'controller', image, env: Object.entries(env).map(([key, value]) => ({ name: key, value })) },
          ],
        },
      },
    },
  }) as object as Deployment;

const same = { CLUSTER_NAME: 'prod', INTERRUPTION_QUEUE: 'prod' };

type Traits = { readonly karpenter?: Environment; readonly nodewright?: Environment; readonly image?: string };

/** A cluster in which Karpenter leads, and Nodewright is installed with no replica. */
async function aTakeoverWorld({
  karpenter = same,
  nodewright = same,
  image = 'karpenter/controller:1.14.1',
}: Traits = {}) {
  const world = aWorld();
  const { client, apply } = world;
  const create = async (deployment: Deployment) => apply(client.create(deployments, deployment));
  await create(aDeployment('karpenter', image, karpenter));
  await create(aDeployment('nodewright', 'nodewright:0.1.0', nodewright, 0));
  const holds = async (holderIdentity: string): Promise<void> => {
    const metadata = { name: 'karpenter-leader-election', namespace };
    const renewTime = toTimestamp(world.time.clock.now()).replace('Z', '.000000Z');
    const spec = { holderIdentity, leaseDurationSeconds: 15, renewTime };
    const stored = await apply(client.get(leases, metadata));
    if (stored === undefined) await apply(client.create(leases, { metadata, spec }));
    else await apply(client.update(leases, { ...stored, spec }));
  };
  await holds('karpenter-1_uuid');
  const observe = () => apply(observeTakeover(client, both, world.time.clock.now()));
  const notOk = async () =>
    judgeTakeover(await observe())
      .filter(({ state }) => state !== 'ok')
      .map(({ state, check, subject, message }) => `${state} ${check} ${subject}: ${message}`);
  return { ...world, holds, observe, notOk };
}

test('nothing stands against a takeover with one Lease and the same settings', async () => {
  const world = await aTakeoverWorld();
  expect(await world.notOk()).toEqual([]);
  expect(judgeTakeover(await world.observe()).map(({ message }) => message)).toEqual(
    expect.arrayContaining(['both want it; karpenter-1_uuid holds it', 'runs 1.14', 'is installed with 0 replicas']),
  );
  await world.stop();
});

test('two Leases, another cluster or no election are blocked, and other settings are told', async () => {
  const world = await aTakeoverWorld({
    image: 'karpenter/controller:v0.37.1',
    karpenter: { ...same, BATCH_IDLE_DURATION: '2s', BATCH_MAX_DURATION: '10s', LOG_LEVEL: 'debug' },
    nodewright: { CLUSTER_NAME: 'test', INTERRUPTION_QUEUE: 'prod', LEADER_ELECTION_NAMESPACE: 'other' },
  });
  expect(await world.notOk()).toEqual([
    'blocked karpenter kube-system/karpenter: runs 0.37; update to a 1.x first',
    'blocked lease kube-system/karpenter-leader-election: Nodewright wants the Lease other/karpenter-leader-election, so both would act; set settings.leaderElectionNamespace: kube-system and settings.leaderElectionName: karpenter-leader-election',
    'blocked settings CLUSTER_NAME: Karpenter has "prod", Nodewright "test"',
    'warning settings BATCH_IDLE_DURATION: Karpenter has "2s", Nodewright the default',
  ]);
  await world.stop();
});

test('a conversion webhook of Karpenter is blocked, that of Nodewright is not', async () => {
  const world = await aTakeoverWorld();
  const seen = await world.observe();
  const judge = (path: string) => {
    const service = { name: 'karpenter-conversion', namespace: 'karpenter', path };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { service } } };
    const definitions = seen.definitions.map((found) => ({ ...found, spec: { ...found.spec, conversion } }));
    return judgeTakeover({ ...seen, definitions }).find(({ check }) => check === 'kinds');
  };
  expect(judge('/conversion/karpenter.sh')?.state).toBe('blocked');
  expect(judge('/convert')).toMatchObject({
    state: 'ok',
    message: 'v1 is served and stored, and Nodewright behind karpenter/karpenter-conversion converts',
  });
  await world.stop();
});

test('a node that would drift by the switch is named; hashes of an older formula drift nobody', async () => {
  const world = await aTakeoverWorld();
  const { client, apply } = world;
  const nodePool = await apply(client.create(nodePools, aPool()));
  const nodeClass = await apply(client.create(ec2NodeClasses, aNodeClass()));
  const claim = (name: string, hash: string, version = hashVersion) => ({
    metadata: {
      name,
      labels: { [karpenterLabels.nodePool]: 'default', 'kubernetes.io/arch': 'amd64' },
      annotations: {
        [karpenterAnnotations.nodePoolHash]: hash,
        [karpenterAnnotations.nodePoolHashVersion]: version,
        [awsAnnotations.ec2NodeClassHash]: ec2NodeClassHash(nodeClass),
        [awsAnnotations.ec2NodeClassHashVersion]: version,
      },
    },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  });
  await apply(client.create(nodeClaims, claim('same', nodePoolHash(nodePool))));
  await apply(client.create(nodeClaims, claim('old', '1', 'v1')));
  const seen = await world.observe();
  expect(judgeTakeover(seen).filter(({ check, state }) => check === 'drift' && state !== 'ok')).toEqual([]);
  const other = claim('other', '1');
  const drifting = judgeTakeover({ ...seen, claims: [...seen.claims, other] });
  expect(drifting.find(({ state }) => state === 'blocked')).toMatchObject({
    subject: 'NodePool default',
    message: '1 of 3 nodes would drift by its hash: other',
  });
  const labelled = { metadata: { ...other.metadata, annotations: {} }, spec: other.spec };
  const inPool = (requirements: typeof nodePool.spec.template.spec.requirements) => ({
    ...nodePool,
    spec: {
      ...nodePool.spec,
      template: { ...nodePool.spec.template, spec: { ...nodePool.spec.template.spec, requirements } },
    },
  });
  const pools = [inPool([{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a'] }])];
  const elsewhere = {
    ...labelled.metadata,
    labels: { ...other.metadata.labels, 'topology.kubernetes.io/zone': 'us-east-1b' },
  };
  const amis = [{ id: 'ami-new', requirements: [] }];
  const onOldImage = { ...labelled, metadata: elsewhere, status: { imageID: 'ami-old' } };
  const moved = judgeTakeover({ ...seen, pools, classes: [{ ...nodeClass, status: { amis } }], claims: [onOldImage] });
  expect(
    moved.filter(({ state }) => state === 'blocked').map(({ subject, message }) => `${subject}: ${message}`),
  ).toEqual([
    'NodePool default: 1 of 1 nodes would drift by its requirements: other',
    'EC2NodeClass default: 1 of 1 nodes would drift by its images: other',
  ]);
  const already = {
    ...onOldImage,
    status: { ...onOldImage.status, conditions: [{ type: 'Drifted', status: 'True' as const }] },
  };
  expect(
    judgeTakeover({ ...seen, pools, claims: [already] }).find(({ subject }) => subject === 'NodePool default'),
  ).toMatchObject({
    state: 'ok',
    message: 'no node of 1 would drift; 1 have drifted already, and either controller replaces them',
  });
  await world.stop();
});

test('Nodewright comes up before Karpenter goes, and the way back restores what was there', async () => {
  const world = await aTakeoverWorld();
  const { client, apply, time } = world;
  const replicasOf = async (name: string) => (await apply(client.get(deployments, { name, namespace })))?.spec.replicas;
  const told: string[] = [];
  const deps = { client, clock: time.clock, timeoutMs: 60_000, tell: (line: string) => told.push(line) };
  const becomesReady = async (name: string): Promise<void> => {
    await apply(
      client.patch(
        deployments,
        { name, namespace },
        { type: 'merge', patch: { status: { replicas: 1, readyReplicas: 1 } } },
        { subresource: 'status' },
      ),
    );
    await apply(
      client.create(pods, {
        metadata: { name: `${name}-1`, namespace, labels: { app: name } },
        spec: { containers: [{ name: 'controller', image: 'a' }] },
      } as Parameters<typeof client.create>[1]),
    );
  };
  const { karpenter, nodewright } = await world.observe();
  const going = handOver(deps, karpenter, nodewright);
  await world.advance(5_000);
  expect([await replicasOf('nodewright'), await replicasOf('karpenter')]).toEqual([2, 2]);
  await becomesReady('nodewright');
  await world.advance(5_000);
  expect([await replicasOf('nodewright'), await replicasOf('karpenter')]).toEqual([2, 0]);
  await world.holds('nodewright-1_uuid');
  expect(await time.finish(going)).toEqual({ holder: 'nodewright-1_uuid', gone: [] });
  expect(told.at(-1)).toBe('nodewright-1_uuid holds the Lease kube-system/karpenter-leader-election');

  const after = await world.observe();
  expect(after.karpenter.deployment?.metadata.annotations?.[replicasBeforeAnnotation]).toBe('2');
  const back = handOver(deps, after.nodewright, after.karpenter);
  await world.advance(2_000);
  await becomesReady('karpenter');
  await world.advance(5_000);
  await world.holds('karpenter-1_uuid');
  expect(await time.finish(back)).toMatchObject({ holder: 'karpenter-1_uuid' });
  expect([await replicasOf('nodewright'), await replicasOf('karpenter')]).toEqual([0, 2]);
  await world.stop();
});

test('while Karpenter holds the Lease nobody else is said to lead, and the wait ends', async () => {
  const world = await aTakeoverWorld();
  const deps = { client: world.client, clock: world.time.clock, timeoutMs: 10_000, tell: () => undefined };
  const { karpenter, nodewright } = await world.observe();
  await expect(world.time.finish(handOver(deps, karpenter, nodewright))).rejects.toThrow(TimedOutError);
  expect((await world.observe()).karpenter.deployment?.spec.replicas).toBe(2);
  await world.stop();
});
