import { CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand } from '@aws-sdk/client-eks';
import {
  byText,
  deployments,
  fromTimestamp,
  instant,
  type KubernetesObject,
  minutes,
  nodeGroups,
  podDisruptionBudgets,
  type ResourceType,
} from '@nodewright/apis';
import { builtInReleases, releaseVersionOf } from '@nodewright/aws-endpoints';
import type { ObjectWrite } from '@nodewright/kube-api';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { type Ledger, seededRandom } from '@nodewright/runtime';
import { beforeAll, expect, test } from 'vitest';
import { redactSnapshot } from '../packages/forecast/src/redact/redact-snapshot.ts';
import { makeForecast } from '../packages/forecast/src/report/make-forecast.ts';
import { filledLedger } from '../packages/forecast/src/restore/filled-ledger.ts';
import { decodeSnapshot, encodeSnapshot } from '../packages/forecast/src/snapshot/snapshot-file.ts';
import type { Snapshot } from '../packages/forecast/src/snapshot/snapshot.ts';
import { takeSnapshot } from '../packages/forecast/src/snapshot/take-snapshot.ts';
import { createForecastWorld, type ForecastWorld, restoreWorld } from '../packages/forecast/src/world/forecast-world.ts';

const clusterName = 'sandbox';
const beginning = {
  start: '2025-03-03T06:00:00Z',
  clusterName,
  kubernetesVersion: '1.31',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b'],
  releases: builtInReleases(),
};

const [newest, previous] = beginning.releases
  .of('1.31')
  .filter(({ family, variant, arch }) => `${family} ${variant} ${arch}` === 'AL2023 standard amd64')
  .filter(({ publishedAt }) => publishedAt <= beginning.start)
  .toSorted((a, b) => byText(b.publishedAt, a.publishedAt));

const labels = { app: 'web' };
const web = {
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 4,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '800m' } } }] },
    },
  },
};
const budget = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
};

const userData = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: ${clusterName}
  kubelet:
    flags: ["--node-labels=team=blue"]
`;

const clientsOf = ({ time, aws }: ForecastWorld) => createInProcessClients({ gate: time.gate, answer: aws.answer });

/** A managed group and an Auto Scaling group, one release behind, with two nodes each. */
async function createGroups(world: ForecastWorld): Promise<void> {
  const { time, aws } = world;
  const { eks, ec2, autoScaling } = clientsOf(world);
  const send = <T>(work: (options: object) => Promise<T>): Promise<T> =>
    time.finish(time.gate.call((ticket) => work({ ticket })));
  const subnets = aws.ec2.network.subnets.filter(({ public: isPublic }) => !isPublic).map(({ id }) => id);
  const group = new CreateNodegroupCommand({
    clusterName,
    nodegroupName: 'managed',
    subnets,
    nodeRole: `arn:aws:iam::111122223333:role/KarpenterNodeRole-${clusterName}`,
    instanceTypes: ['m5.large'],
    amiType: 'AL2023_x86_64_STANDARD',
    releaseVersion: previous === undefined ? '' : releaseVersionOf(previous),
    scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 },
  });
  await send((options) => eks.send(group, options));
  const LaunchTemplateData = {
    ImageId: previous?.imageId,
    InstanceType: 'm5.large' as const,
    UserData: Buffer.from(userData).toString('base64'),
  };
  const template = new CreateLaunchTemplateCommand({ LaunchTemplateName: 'plain', LaunchTemplateData });
  await send((options) => ec2.send(template, options));
  const scaling = new CreateAutoScalingGroupCommand({
    AutoScalingGroupName: 'plain',
    LaunchTemplate: { LaunchTemplateName: 'plain', Version: '1' },
    MinSize: 1,
    MaxSize: 3,
    DesiredCapacity: 2,
    VPCZoneIdentifier: subnets.join(','),
    Tags: [{ Key: `kubernetes.io/cluster/${clusterName}`, Value: 'owned', PropagateAtLaunch: true }],
  });
  await send((options) => autoScaling.send(scaling, options));
}

const kept = (name: string, group: object): KubernetesObject =>
  Object.assign(
    { apiVersion: 'nodewright.dev/v1alpha1', kind: 'NodeGroup', metadata: { name } },
    { spec: { ...group, image: { amiSelectorTerms: [{ alias: 'al2023@latest' }] }, update: { mode: 'Automatic' } } },
  );

/** From now on the controllers keep both groups on the newest release. */
const change = [kept('managed', { eks: { name: 'managed' } }), kept('plain', { autoScalingGroup: { name: 'plain' } })];

const ledger = filledLedger(new Map());
const copyOfLedger = (): Ledger =>
  filledLedger(new Map(ledger.names().map((name) => [name, new Map(ledger.map(name))])));

let snapshot: Snapshot;
let keptLedger: Ledger;
beforeAll(async () => {
  const world = await createForecastWorld({ ...beginning, ledger }, { seed: 99 });
  await world.start();
  const { admin, time } = world;
  await createGroups(world);
  await time.run(instant(time.clock.now() + minutes(6)));
  await time.finish(admin.create(deployments as ResourceType, web));
  await time.finish(admin.create(podDisruptionBudgets, budget));
  await time.run(instant(time.clock.now() + minutes(3)));
  const { clock, gate } = time;
  const place = { clock, gate, random: seededRandom(1), clients: clientsOf(world), clusterName, region: 'us-east-1' };
  const sources = { ...place, client: admin, cloud: createAwsCloud(place), now: clock.now() };
  const taken = await time.finish(takeSnapshot(sources, new AbortController().signal));
  snapshot = decodeSnapshot(encodeSnapshot(taken));
  keptLedger = copyOfLedger();
  await world.stop();
});

test('a snapshot has groups with their instances, templates and images', () => {
  const { managedGroups = [], scalingGroups = [], types } = snapshot.aws;
  expect(snapshot.unread).toEqual([]);
  expect(managedGroups).toMatchObject([{ name: 'managed', version: '1.31', scaling: { desired: 2 } }]);
  expect(scalingGroups.map(({ instances }) => instances.length)).toEqual([2, 2]);
  expect(types.map(({ name }) => name)).toEqual(['m5.large']);
});

/** Twice as many nodes as there are zones. EKS ends them at the end; of the other group they take the place of the old ones. */
const surge = 2 * beginning.zones.length;

/** What comes and goes after the change, with instants. */
async function playChange(open: (onWrite: (write: ObjectWrite) => void) => Promise<ForecastWorld>) {
  const lines: string[] = [];
  let now = (): number => 0;
  const world = await open(({ type, collection, object }) => {
    if (/^(nodes|pods|nodegroups)/.test(collection) && type !== 'MODIFIED')
      lines.push(`${now()} ${type} ${collection} ${object.metadata.name}`);
  });
  now = () => world.time.clock.now();
  const { admin, time, aws } = world;
  for (const manifest of change) await time.finish(admin.create(nodeGroups, manifest as never));
  await world.start();
  await time.run(instant(time.clock.now() + minutes(40)));
  const { items } = await time.finish(admin.list(nodeGroups));
  const images = aws.ec2.instances
    .all()
    .filter(({ state }) => state === 'running')
    .map(({ settings }) => settings.imageId);
  await world.stop();
  return { lines, images, phases: items.map(({ status }) => status?.phase) };
}

test('a restored cluster updates its groups as the cluster itself does after a restart', async () => {
  const own = { ...beginning, start: snapshot.takenAt, ledger: keptLedger };
  const ran = await playChange((onWrite) => createForecastWorld(own, { seed: 7, onWrite }));
  const foreseen = await playChange((onWrite) => restoreWorld(snapshot, { seed: 7, onWrite }));
  expect(ran.phases).toEqual(['UpToDate', 'UpToDate']);
  expect(ran.images).toEqual(ran.images.map(() => newest?.imageId));
  expect(ran.lines.filter((line) => line.includes('DELETED nodes '))).toHaveLength(2 + surge + surge);
  expect(foreseen.lines).toEqual(ran.lines);
  expect(foreseen).toEqual(ran);
});

const foresee = (of: Snapshot, manifests: readonly KubernetesObject[] = change) =>
  makeForecast({ snapshot: of, change: { manifests, releases: [] }, forMs: minutes(40) }, { seeds: 1 });

test('a forecast, also of what was redacted, has every node of both groups with its replacement', async () => {
  const redacted = redactSnapshot(snapshot);
  const { managedGroups = [], scalingGroups = [] } = redacted.aws;
  const plain = scalingGroups.find(({ name }) => managedGroups.every(({ scalingGroup }) => scalingGroup !== name));
  const manifests = [
    kept('managed', { eks: { name: managedGroups[0]?.name } }),
    kept('plain', { autoScalingGroup: { name: plain?.name } }),
  ];
  const { summary, nodes, workloads } = await foresee(redacted, manifests);
  expect(summary).toMatchObject({ nodesBefore: 4, nodesReplaced: 4, blocked: 0, waitsForPerson: [] });
  expect(summary.reasons).toEqual([{ reason: 'NodeGroupUpdate', nodes: 4 }]);
  expect(nodes.map(({ nodeGroup = '' }) => nodeGroup).toSorted()).toEqual([
    'managed',
    'managed',
    plain?.name,
    plain?.name,
  ]);
  expect(nodes.every(({ begins = '', gone = '', replacedBy }) => begins < gone && replacedBy !== undefined)).toBe(true);
  expect(summary.surge.nodes).toBeGreaterThanOrEqual(4);
  expect(workloads[0]).toMatchObject({ evictions: 4, readyBefore: 4, leastReady: 3, secondsBelow: 0 });
  expect(fromTimestamp(summary.ends?.most ?? '')).toBeGreaterThan(fromTimestamp(snapshot.takenAt));
});

test('an update that EKS refuses is refused by the forecast', async () => {
  const groupUpdates = [{ group: 'managed', release: '1.30.0-20200101' }];
  const asked = makeForecast(
    { snapshot, change: { manifests: [], releases: [], groupUpdates }, forMs: minutes(1) },
    { seeds: 1 },
  );
  await expect(asked).rejects.toThrow('Requested release version 1.30.0-20200101 is not valid');
});
