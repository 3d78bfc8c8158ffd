import {
  daemonSets,
  deployments,
  ec2NodeClasses,
  instant,
  type KubernetesObject,
  minutes,
  namespaces,
  nodePools,
  podDisruptionBudgets,
  type ResourceType,
  statefulSets,
  byTextOf,
} from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { beforeAll, expect, test } from 'vitest';
import { diffManifests } from '../diff/diff-manifests.ts';
import { makeForecast } from '../report/make-forecast.ts';
import { filledLedger } from '../restore/filled-ledger.ts';
import { encodeSnapshot } from '../snapshot/snapshot-file.ts';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { createForecastWorld, restoreWorld } from '../world/forecast-world.ts';
import { redactSnapshot } from './redact-snapshot.ts';
import { splitText } from './split-text.ts';

const beginning = {
  start: '2025-03-03T06:00:00Z',
  clusterName: 'moonbase',
  kubernetesVersion: '1.31',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b'],
  releases: builtInReleases(),
};
const unseen = new AbortController().signal;

/** Every place where people write, each with a word of its own. */
const secrets = `moonbase quokka wombat echidna platypus bilby numbat kookaburra cassowary galah brolga taipan
goanna dugong barramundi yabby bandicoot potoroo bettong quoll wallaroo lorikeet rosella corella jabiru kowari dunnart
4711 hunter2 mulgara 111122223333 192.168 antechinus`
  .trim()
  .split(/\s+/);

const template = (app: string, extra: object = {}) => ({
  metadata: {
    labels: { app, 'quokka.io/owner': 'wombat', centre: '4711', disk: 'echidna' },
    annotations: { 'platypus.io/contact': 'bilby 4711' },
  },
  spec: {
    ...extra,
    containers: [
      {
        name: 'numbat',
        image: 'registry.kookaburra.io/cassowary:1.2.3',
        command: ['sh', '-c', 'galah --token=brolga'],
        args: ['taipan'],
        env: [{ name: 'GOANNA_TOKEN', value: 'hunter2' }],
        resources: { requests: { cpu: '700m' } },
      },
    ],
  },
});

const spread = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'dugong' } },
    },
  ],
  nodeSelector: { 'barramundi.io/tier': 'yabby' },
};

function workload(kind: string, name: string, spec: object): KubernetesObject {
  const metadata = { name, namespace: 'bandicoot', labels: { app: name }, annotations: { potoroo: 'bettong' } };
  return Object.assign({ apiVersion: 'apps/v1', kind, metadata }, { spec });
}

const objects: readonly (readonly [ResourceType<never>, object])[] = [
  [
    ec2NodeClasses as ResourceType<never>,
    {
      metadata: { name: 'quoll' },
      spec: {
        role: 'KarpenterNodeRole-moonbase',
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'moonbase' } }],
        securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'moonbase' } }],
        userData: 'echo wallaroo',
        tags: { lorikeet: 'rosella' },
      },
    },
  ],
  [
    nodePools as ResourceType<never>,
    {
      metadata: { name: 'corella' },
      spec: {
        template: {
          metadata: { labels: { 'barramundi.io/tier': 'yabby', 'jabiru.io/team': 'kowari' } },
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'quoll' },
            requirements: [
              { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'c5.large'] },
              { key: 'dunnart.io/rank', operator: 'In', values: ['mulgara', 'antechinus'] },
            ],
          },
        },
      },
    },
  ],
  [namespaces as ResourceType<never>, { metadata: { name: 'bandicoot' } }],
  [
    deployments as ResourceType<never>,
    workload('Deployment', 'dugong', {
      replicas: 3,
      selector: { matchLabels: { app: 'dugong' } },
      template: template('dugong', spread),
    }),
  ],
  [
    statefulSets as ResourceType<never>,
    workload('StatefulSet', 'goanna', {
      replicas: 2,
      serviceName: 'goanna',
      selector: { matchLabels: { app: 'goanna' } },
      template: template('goanna'),
    }),
  ],
  [
    daemonSets as ResourceType<never>,
    workload('DaemonSet', 'taipan', {
      selector: { matchLabels: { app: 'taipan' } },
      template: template('taipan'),
    }),
  ],
  [
    podDisruptionBudgets as ResourceType<never>,
    {
      metadata: { name: 'galah', namespace: 'bandicoot' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'dugong' } } },
    },
  ],
];

async function snapshotOfCluster(): Promise<Snapshot> {
  const world = await createForecastWorld({ ...beginning, ledger: filledLedger(new Map()) }, { seed: 99 });
  await world.start();
  const { admin, time, aws } = world;
  for (const [type, object] of objects) await time.finish(admin.create(type, object as never));
  await time.run(instant(time.clock.now() + minutes(3)));
  const { clock, gate } = time;
  const { clusterName, region } = beginning;
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const place = { clock, gate, random: seededRandom(1), clients, clusterName, region };
  const sources = { ...place, client: admin, cloud: createAwsCloud(place), now: clock.now() };
  const taken = await time.finish(takeSnapshot(sources, unseen));
  await world.stop();
  return taken;
}

let snapshot: Snapshot;
let redacted: Snapshot;
beforeAll(async () => {
  snapshot = await snapshotOfCluster();
  redacted = redactSnapshot(snapshot);
});

/**
 * The snapshot with the ids of the redacted one, by which the embedded cluster draws boot times and addresses. The controllers
 * make launch templates anew after a redaction, as they do for every cluster but an embedded one.
 */
function withEqualChances(): Snapshot {
  const idsOf = ({ aws }: Snapshot) => [...aws.instances, ...aws.subnets].map(({ id }) => id);
  const after = idsOf(redacted);
  const text = JSON.stringify({ ...snapshot, aws: { ...snapshot.aws, launchTemplates: [] } });
  const renamed = idsOf(snapshot).reduce((renaming, id, index) => renaming.replaceAll(id, after[index] ?? id), text);
  return JSON.parse(renamed) as Snapshot;
}

test('no planted word is in the file', () => {
  const text = JSON.stringify(redacted).toLowerCase();
  const original = JSON.stringify(snapshot).toLowerCase();
  expect(secrets.filter((secret) => !original.includes(secret))).toEqual([]);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('equal snapshots give equal bytes', () => {
  const again = redactSnapshot(structuredClone(snapshot));
  expect(Buffer.from(encodeSnapshot(again)).equals(encodeSnapshot(redacted))).toBe(true);
});

const namesOf = ({ clusterName, kubernetes }: Snapshot): readonly string[] => [
  clusterName,
  ...Object.values(kubernetes).flatMap((all) => all.map(({ metadata }) => metadata.name)),
];

test('names keep their order in every kind', () => {
  for (const [resource, before] of Object.entries(snapshot.kubernetes)) {
    const after = redacted.kubernetes[resource] ?? [];
    const order = (all: readonly KubernetesObject[]) =>
      all
        .map(({ metadata }, index) => ({ text: `${metadata.namespace ?? ''}/${metadata.name}`, index }))
        .toSorted(byTextOf(({ text }) => text))
        .map(({ index }) => index);
    expect(order(after), resource).toEqual(order(before));
  }
});

test('what is the same everywhere stays', () => {
  const text = JSON.stringify(redacted.kubernetes['nodes']);
  for (const kept of ['us-east-1b', '.large', 'karpenter.sh/nodepool', 'v1.31.', 'amd64', 'nodepool-hash'])
    expect(text).toContain(kept);
  expect(redacted.aws.types).toEqual(snapshot.aws.types);
  expect(redacted.aws.images).toEqual(snapshot.aws.images);
  expect(redacted.kubernetesVersion).toBe('1.31');
});

/** The text with the words that names have after the redaction. */
function renameReport(report: unknown): string {
  const all = (taken: Snapshot) => [...namesOf(taken), ...hashesOf(taken)].flatMap(splitText);
  const [before, after] = [all(snapshot), all(redacted)];
  const renamed = new Map(before.map(({ text }, index) => [text, after[index]?.text ?? '']));
  return splitText(JSON.stringify(report))
    .map(({ kind, text }) => renamed.get(text) ?? (kind === 'address' ? inNetwork(text) : text))
    .join('');
}

/** An address in the network of the subnets after the redaction. */
function inNetwork(address: string): string {
  const separator = address.includes('.') ? '.' : '-';
  const [network = ''] = redacted.aws.subnets.map(({ cidr }) => cidr);
  return [...network.split('.').slice(0, 2), ...address.split(separator).slice(2)].join(separator);
}

const hashesOf = ({ kubernetes }: Snapshot): readonly string[] =>
  [...snapshotObjects(kubernetes, nodePools), ...snapshotObjects(kubernetes, ec2NodeClasses)].flatMap(({ metadata }) =>
    Object.entries(metadata.annotations ?? {}).flatMap(([key, value]) => (key.endsWith('-hash') ? [value] : [])),
  );

const poolOf = (taken: Snapshot, expireAfter: string): KubernetesObject => {
  const [pool] = snapshotObjects(taken.kubernetes, nodePools);
  if (pool === undefined) throw new Error('the snapshot has no NodePool');
  const { template } = pool.spec;
  const spec = { ...pool.spec, template: { ...template, spec: { ...template.spec, expireAfter } } };
  return Object.assign(
    { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: pool.metadata.name } },
    { spec },
  );
};

const foresee = (taken: Snapshot, manifests: readonly KubernetesObject[]) =>
  makeForecast({ snapshot: taken, change: { manifests, releases: [] }, forMs: minutes(10) }, { seeds: 1 });

test('a forecast is the same up to the names', async () => {
  const before = await foresee(withEqualChances(), [poolOf(snapshot, '48h')]);
  const after = await foresee(redacted, [poolOf(redacted, '48h')]);
  expect(before.summary.nodesReplaced).toBeGreaterThan(1);
  expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(renameReport(before)));
});

test('without a change nothing goes, before and after', async () => {
  const before = await foresee(withEqualChances(), []);
  const after = await foresee(redacted, []);
  expect(before.summary.nodesReplaced).toBe(0);
  expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(renameReport(before)));
});

async function differ(taken: Snapshot) {
  const world = await restoreWorld(taken, { seed: 1 });
  const { admin, time } = world;
  const sources = { client: admin, cloud: world.readCloud(), now: time.clock.now() };
  const { nodes, others } = await time.finish(diffManifests([poolOf(taken, '48h')], sources, unseen));
  await world.stop();
  return { nodes, others };
}

test('a difference is the same up to the names', async () => {
  const before = await differ(snapshot);
  expect(before.nodes.map(({ after }) => after)).toContain('NodePoolDrifted');
  const after = await differ(redacted);
  expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(renameReport(before)));
});
