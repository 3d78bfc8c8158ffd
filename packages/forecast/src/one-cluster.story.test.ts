import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ec2NodeClasses, type KubernetesObject, instant, minutes, nodePools } from '@nodewright/apis';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import type { ObjectWrite } from '@nodewright/kube-api';
import { ApiError, type KubernetesClient, type Ledger, parseManifests, seededRandom } from '@nodewright/runtime';
import { beginningOfTwoNodes, sandboxNodeClass, startTwoNodes, twoTypesNodePool } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';
import { diffManifests } from './diff/diff-manifests.ts';
import { isRolled, type ManifestDiff } from './diff/manifest-diff.ts';
import { movedKinds } from './preflight/check-api-versions.ts';
import { listFailures, parseFailOn } from './report/fail-on.ts';
import type { ForecastReport } from './report/forecast-report.ts';
import { makeForecast } from './report/make-forecast.ts';
import { filledLedger } from './restore/filled-ledger.ts';
import { createForecastWorld, type ForecastWorld, restoreWorld } from './world/forecast-world.ts';
import { resourceNameOf, snapshotKinds } from './snapshot/kinds.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot/snapshot-file.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { takeSnapshot } from './snapshot/take-snapshot.ts';

/** What is kept of the cluster. */
const ledger = filledLedger(new Map());

const copyOfLedger = (): Ledger =>
  filledLedger(new Map(ledger.names().map((name) => [name, new Map(ledger.map(name))])));

/** A cluster with two nodes, and everything that was asked of it since then. */
async function aCluster() {
  const writes: string[] = [];
  const world = await createForecastWorld(
    { ...beginningOfTwoNodes, ledger },
    { seed: 99, onWrite: ({ client, collection }) => writes.push(`${client} ${collection}`) },
  );
  await startTwoNodes(world);
  writes.length = 0;
  return { world, writes };
}

const unseen = new AbortController().signal;

async function snapshotOf({ time, aws, admin }: ForecastWorld, client: KubernetesClient = admin): Promise<Snapshot> {
  const { clock, gate } = time;
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const place = { clock, gate, random: seededRandom(1), clients, clusterName: 'sandbox', region: 'us-east-1' };
  return time.finish(takeSnapshot({ ...place, client, cloud: createAwsCloud(place), now: clock.now() }, unseen));
}

let cluster: Awaited<ReturnType<typeof aCluster>>;
let snapshot: Snapshot;
let kept: Ledger;
let askedOfAws: readonly string[];
beforeAll(async () => {
  cluster = await aCluster();
  const before = cluster.world.aws.calls().length;
  snapshot = await snapshotOf(cluster.world);
  kept = copyOfLedger();
  askedOfAws = cluster.world.aws
    .calls()
    .slice(before)
    .map(({ service, operation }) => `${service}:${operation}`);
});

test('a snapshot has the cluster and the account', () => {
  const { kubernetes, aws } = snapshot;
  expect(Object.keys(kubernetes)).toEqual(expect.arrayContaining(['nodepools.karpenter.sh', 'nodes', 'pods']));
  expect(kubernetes['nodes']?.length).toBe(aws.instances.length);
  expect(aws.subnets.length).toBe(4);
  expect(aws.types.map(({ name }) => name)).toContain('m5.large');
  expect(aws.images.map(({ alias, kubernetesVersion }) => `${alias} ${kubernetesVersion}`)).toEqual([
    'al2023@latest 1.31',
    'bottlerocket@latest 1.31',
    'al2023@latest 1.32',
    'bottlerocket@latest 1.32',
  ]);
  expect(aws.quotas.map(({ code }) => code)).toEqual(['L-1216C47A', 'L-34B43A08']);
  expect(snapshot.observed.secondsToRegistered[0]?.count).toBeGreaterThan(0);
  expect(snapshot.unread).toEqual([]);
});

test('it has neither what containers are told nor the books of the API server', () => {
  const text = JSON.stringify(snapshot.kubernetes['pods']);
  expect(text).not.toContain('secret');
  expect(JSON.stringify(snapshot)).not.toContain('managedFields');
});

test('taking it writes nothing', () => {
  expect(cluster.writes).toEqual([]);
  expect(askedOfAws.filter((call) => !/:(Describe|Get|List)/.test(call))).toEqual([]);
});

test('the same cluster gives the same bytes, and a file gives the same snapshot', async () => {
  const again = await snapshotOf(cluster.world);
  expect(Buffer.from(encodeSnapshot(again)).equals(encodeSnapshot(snapshot))).toBe(true);
  expect(encodeSnapshot(decodeSnapshot(encodeSnapshot(snapshot)))).toEqual(encodeSnapshot(snapshot));
});

test('what may not be read is named', async () => {
  const refuse = (): never => {
    const message = 'poddisruptionbudgets.policy is forbidden';
    throw new ApiError({ code: 403, reason: 'Forbidden', message, status: 'Failure' } as never);
  };
  const { admin } = cluster.world;
  const list: KubernetesClient['list'] = (type, options) =>
    type.plural === 'poddisruptionbudgets' ? refuse() : admin.list(type, options);
  const partial = await snapshotOf(cluster.world, { ...admin, list });
  expect(partial.unread).toEqual([
    { what: 'poddisruptionbudgets.policy', because: 'poddisruptionbudgets.policy is forbidden' },
  ]);
});

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../examples/real-cluster', name), 'utf8');

test('the role of a snapshot reads what a snapshot has and what preflight looks at, and nothing else', () => {
  const [role] = parseManifests(example('snapshot-rbac.yaml')) as unknown as readonly {
    readonly rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[];
  }[];
  const rules = role?.rules ?? [];
  expect(rules.map(({ verbs }) => verbs)).toEqual(rules.map(() => ['get', 'list', 'watch']));
  const granted = rules.flatMap(({ apiGroups, resources }) =>
    apiGroups.flatMap((group) => resources.map((plural) => resourceNameOf({ group, plural }))),
  );
  const read = new Set([...snapshotKinds, ...movedKinds].map(resourceNameOf));
  expect(granted.toSorted()).toEqual([...read].toSorted());
});

test('the policy of a snapshot allows every call of it, and only questions', () => {
  const { Statement } = JSON.parse(example('snapshot-iam-policy.json')) as {
    readonly Statement: readonly { readonly Action: string | readonly string[] }[];
  };
  const allowed = Statement.flatMap(({ Action }) => Action);
  expect(allowed.filter((action) => !/:(Describe|Get|List)/.test(action))).toEqual([]);
  expect([...new Set(askedOfAws)].filter((call) => !allowed.includes(call))).toEqual([]);
});

test('another file is refused with what it is', () => {
  expect(() => decodeSnapshot(Buffer.from('{"kind":"NodePool","apiVersion":"karpenter.sh/v1"}'))).toThrow(
    'holds a NodePool of karpenter.sh/v1, no Snapshot',
  );
});

async function diffOf(...manifests: readonly KubernetesObject[]): Promise<ManifestDiff> {
  const { time, aws, admin } = cluster.world;
  const { clock, gate } = time;
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const place = { clock, gate, random: seededRandom(1), clients, clusterName: 'sandbox', region: 'us-east-1' };
  const sources = { client: admin, cloud: createAwsCloud(place), now: clock.now() };
  return time.finish(diffManifests(manifests, sources, unseen));
}

const asKind = <T extends object>(object: T, kind: string): T & { readonly kind: string } => ({ ...object, kind });

/** The pool as it stands, with something else in its spec or in its template. */
async function poolWith(change: object, inTemplate: object = {}): Promise<KubernetesObject> {
  const { admin, time } = cluster.world;
  const { spec } = (await time.finish(admin.get(nodePools, { name: 'default' }))) ?? twoTypesNodePool;
  const template = { ...spec.template, spec: { ...spec.template.spec, ...inTemplate } };
  return asKind({ metadata: { name: 'default' }, spec: { ...spec, template, ...change } }, 'NodePool');
}

async function classWith(change: object): Promise<KubernetesObject> {
  const { admin, time } = cluster.world;
  const standing = await time.finish(admin.get(ec2NodeClasses, { name: 'default' }));
  const { spec } = standing ?? sandboxNodeClass;
  return asKind({ metadata: { name: 'default' }, spec: { ...spec, ...change } }, 'EC2NodeClass');
}

const reasonsOf = ({ nodes }: ManifestDiff): readonly (string | undefined)[] =>
  nodes.filter(isRolled).map(({ after }) => after);

describe('a difference', () => {
  test('of the template replaces every node, by the hash', async () => {
    const diff = await diffOf(await poolWith({}, { expireAfter: '48h' }));
    expect(reasonsOf(diff)).toEqual(['NodePoolDrifted', 'NodePoolDrifted']);
    const [pool] = diff.objects;
    expect(pool?.hash.after).not.toBe(pool?.hash.before);
    expect(pool?.fields).toEqual([{ path: 'spec.template.spec.expireAfter', before: '720h', after: '48h' }]);
  });

  test('of a weight replaces none, and the hash stays', async () => {
    const diff = await diffOf(await poolWith({ weight: 10 }));
    expect(reasonsOf(diff)).toEqual([]);
    expect(diff.objects[0]?.fields).toEqual([{ path: 'spec.weight', after: 10 }]);
    expect(diff.objects[0]?.hash.after).toBe(diff.objects[0]?.hash.before);
  });

  test('of a requirement replaces the nodes whose labels do not meet it', async () => {
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6i.large'] }];
    const diff = await diffOf(await poolWith({}, { requirements }));
    expect(reasonsOf(diff)).toEqual(['RequirementsDrifted', 'RequirementsDrifted']);
    expect(diff.nodes[0]?.because).toContain('m6i.large');
  });

  test('of a pinned release replaces nodes of other images, and names both images', async () => {
    const diff = await diffOf(await classWith({ amiSelectorTerms: [{ alias: 'al2023@v20250212' }] }));
    expect(reasonsOf(diff)).toEqual(['AMIDrift', 'AMIDrift']);
    expect(diff.objects[0]?.images?.after.map(({ release }) => release)).toContain('v20250212');
    expect(diff.objects[0]?.hash.after).toBe(diff.objects[0]?.hash.before);
  });

  test('of a tag of the class replaces every node, by the hash', async () => {
    const diff = await diffOf(await classWith({ tags: { team: 'green' } }));
    expect(reasonsOf(diff)).toEqual(['NodeClassDrift', 'NodeClassDrift']);
  });

  test('that selects nothing says what is missing', async () => {
    const diff = await diffOf(await classWith({ subnetSelectorTerms: [{ tags: { absent: 'yes' } }] }));
    expect(diff.objects[0]?.problem).toBe('its selector finds no subnet');
  });

  test('of another kind replaces nothing by itself, and of a new pool neither', async () => {
    const added = asKind({ ...twoTypesNodePool, metadata: { name: 'new' } }, 'NodePool');
    const diff = await diffOf(added, { kind: 'PodDisruptionBudget', metadata: { name: 'web' } });
    expect(diff.others).toEqual(['PodDisruptionBudget web']);
    expect(diff.objects[0]?.change).toBe('new');
    expect(diff.nodes).toEqual([]);
  });

  test('of what programs write in annotations is none', async () => {
    const written = await classWith({});
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'nodewright.dev/releases-seen': 'x',
    };
    const diff = await diffOf({ ...written, metadata: { ...written.metadata, annotations } });
    expect(diff.objects).toMatchObject([{ change: 'same', fields: [] }]);
  });

  test('is told without a write', () => {
    expect(cluster.writes).toEqual([]);
  });
});

const foresee = (...manifests: readonly KubernetesObject[]): Promise<ForecastReport> =>
  makeForecast({ snapshot, change: { manifests, releases: [] }, forMs: minutes(10) }, { seeds: 1 });

const v1 = (object: KubernetesObject): KubernetesObject => ({ ...object, apiVersion: 'karpenter.sh/v1' });

describe('a forecast', () => {
  test('of a changed template has every node with its reason, times, surge and evictions', async () => {
    const report = await foresee(v1(await poolWith({}, { expireAfter: '48h' })));
    const { summary, nodes, workloads } = report;
    expect(summary).toMatchObject({ nodesBefore: 2, nodesReplaced: 2, blocked: 0, unschedulable: [] });
    expect(summary.reasons).toEqual([{ reason: 'NodePoolDrifted', nodes: 2 }]);
    expect(summary.ends?.runs).toBe(1);
    expect(summary.surge.nodes).toBe(2);
    expect(nodes.every(({ begins = '', gone = '' }) => begins !== '' && begins < gone)).toBe(true);
    expect(nodes.map(({ replacedBy }) => replacedBy?.split(' ')[0])).not.toContain(undefined);
    expect(workloads).toMatchObject([{ workload: 'default/web', evictions: 2, readyBefore: 2 }]);
    expect(listFailures(parseFailOn('blocked,unschedulable,late,surge>2'), report)).toEqual([]);
    expect(listFailures(parseFailOn('surge>0'), report)).toEqual(['the surge is 2 nodes, more than 0']);
    expect(report.assumptions[0]).toEqual({
      says: 'no release is published but those that the forecast is given',
      pods: snapshot.kubernetes['pods']?.length,
    });
  });

  test('of a move to a family that nothing runs yet replaces every node', async () => {
    const moved = await classWith({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] });
    const { summary } = await foresee({ ...moved, apiVersion: 'karpenter.k8s.aws/v1' });
    expect(summary).toMatchObject({ nodesBefore: 2, nodesReplaced: 2, blocked: 0 });
  });

  test('of a change that replaces nothing names the hashes that stay', async () => {
    const { summary } = await foresee(v1(await poolWith({ weight: 10 })));
    expect(summary.nodesReplaced).toBe(0);
    expect(summary.unchangedHashes[0]).toMatch(/^NodePool default keeps the hash \d+$/);
  });

  test('of a budget that never yields says which nodes are left, and what holds them', async () => {
    const budget: KubernetesObject = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
    };
    const spec = { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } };
    const report = await foresee(Object.assign(budget, { spec }), v1(await poolWith({}, { expireAfter: '48h' })));
    expect(report.summary.blocked).toBeGreaterThan(0);
    expect(report.nodes.find(({ heldBy }) => heldBy !== undefined)?.heldBy).toContain('default/web');
    expect(listFailures(parseFailOn('blocked,late'), report)).toHaveLength(2);
  });
});

test('restored instances are described in the state that they were read in', async () => {
  const [first, ...rest] = snapshot.aws.instances;
  if (first === undefined) throw new Error('the snapshot has no instance');
  const instances = [{ ...first, state: 'terminated' as const }, ...rest];
  const restored = { ...snapshot, aws: { ...snapshot.aws, instances } };
  const world = await restoreWorld(restored, { seed: 1 });
  const { aws, time } = world;
  await time.run(instant(time.clock.now() + minutes(1)));
  const described = aws.ec2.instances.allDescribed().map(({ id, state }) => `${id} ${state}`);
  expect(described).toEqual(instances.map(({ id, state }) => `${id} ${state}`));
  await world.stop();
});

/** What comes and goes after the pool wants another label on its nodes, with instants. */
async function playRound(open: (onWrite: (write: ObjectWrite) => void) => Promise<ForecastWorld>) {
  const lines: string[] = [];
  let world: ForecastWorld | undefined;
  world = await open(({ type, collection, object }) => {
    if (/^(nodes|nodeclaims|pods)/.test(collection) && type !== 'MODIFIED')
      lines.push(`${world?.time.clock.now() ?? 0} ${type} ${collection} ${object.metadata.name}`);
  });
  const { admin, time } = world;
  const patch = { spec: { template: { metadata: { labels: { round: 'second' } } } } };
  await time.finish(admin.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.start();
  await time.run(instant(time.clock.now() + minutes(5)));
  await world.stop();
  return lines;
}

test('a restored cluster goes on as the cluster itself does after a restart', async () => {
  const options = { seed: 7 };
  const own = { ...beginningOfTwoNodes, start: snapshot.takenAt, ledger: kept };
  const ran = await playRound((onWrite) => createForecastWorld(own, { ...options, onWrite }));
  const foreseen = await playRound((onWrite) => restoreWorld(snapshot, { ...options, onWrite }));
  expect(ran.filter((line) => line.includes('DELETED nodes'))).toHaveLength(2);
  expect(foreseen).toEqual(ran);
});
