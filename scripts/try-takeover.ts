/**
 * Hands an embedded cluster from Karpenter to Nodewright and back, with both as processes of their own:
 * `npm run try-takeover -- --karpenter BINARY [--nodes 20] [--rounds 5]`.
 * Both want one Lease. Ends with 1 where a node was replaced or a pod was lost.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  deployments,
  ec2NodeClasses,
  isConditionTrue,
  type KubernetesObject,
  leases,
  nodeClaims,
  nodePools,
  nodes,
  pods,
  type ResourceType,
} from '@nodewright/apis';
import { kubeConfigCluster, type KubernetesClient, kubernetesClient, listAll, realTime } from '@nodewright/runtime';
import { readFlags, readNumberFlag, refuseFlags } from './flags/read-flags.ts';

const root = join(import.meta.dirname, '..');
const nodewright = [process.execPath, join(root, 'packages/cli/bin/nodewright.mjs')] as const;
const { clock, gate } = realTime();
const namespace = 'kube-system';
const leaseKey = { namespace, name: 'karpenter-leader-election' };

const values = readFlags(
  {
    command: 'npm run try-takeover --',
    brief: 'Hands an embedded cluster from Karpenter to Nodewright and back, both as processes of their own.',
  },
  {
    karpenter: { value: 'BINARY', brief: 'the binary of Karpenter; required' },
    nodes: { value: 'N', default: '20', brief: 'size of the cluster' },
    rounds: { value: 'N', default: '5', brief: 'how often it is handed over and back' },
  },
);
const { karpenter } = values;
if (karpenter === undefined) refuseFlags('--karpenter BINARY is required: the binary of Karpenter');
const [nodeCount, rounds] = [readNumberFlag('--nodes', values.nodes), readNumberFlag('--rounds', values.rounds)];

/** After a hand-over: long enough for a look of every controller that could want to replace something. */
const settleMs = 40_000;
const patienceMs = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'try-takeover-'));
const children = new Set<ChildProcess>();

function start(name: string, [program, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = clock.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (clock.now() > deadline) throw new Error(`it did not come true that ${what}; logs are in ${folder}`);
    await clock.sleep(200);
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
};

const uidsOf = async <T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
): Promise<Set<string>> => new Set((await listAll(client, type)).items.map(({ metadata }) => metadata.uid ?? ''));

const readHolder = async (client: KubernetesClient): Promise<string> =>
  (await client.get(leases, leaseKey))?.spec?.holderIdentity ?? '';

/** One pod a node: none of the nodes may be emptied, and none is too many. */
async function makeWorkload(client: KubernetesClient, clusterName: string): Promise<void> {
  const tags = { 'karpenter.sh/discovery': clusterName };
  await client.create(ec2NodeClasses, {
    metadata: { name: 'default' },
    spec: {
      role: `KarpenterNodeRole-${clusterName}`,
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags }],
      securityGroupSelectorTerms: [{ tags }],
    },
  });
  await client.create(nodePools, {
    metadata: { name: 'default' },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
          expireAfter: 'Never',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '10s' },
    },
  });
  const labels = { app: 'web' };
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  };
  await client.create(deployments, {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: nodeCount,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { affinity, containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: '1' } } }] },
      },
    },
  });
}

async function startSandbox(): Promise<Readonly<Record<string, string>>> {
  const readyFile = join(folder, 'ready.json');
  const flags = ['--no-controller', '--kubernetes-version', '1.34', '--ready-file', readyFile];
  start('sandbox', [...nodewright, 'sandbox', ...flags], {});
  return until('the sandbox is ready', async () =>
    existsSync(readyFile) ? (JSON.parse(readFileSync(readyFile, 'utf8')) as Record<string, string>) : undefined,
  );
}

/** What a pod of either controller would have in its environment. */
function environmentOf(exported: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    ...exported,
    AWS_EC2_METADATA_DISABLED: 'true',
    SYSTEM_NAMESPACE: namespace,
    LEADER_ELECTION_NAMESPACE: namespace,
    INTERRUPTION_QUEUE: exported['CLUSTER_NAME'],
    METRICS_PORT: '0',
    HEALTH_PROBE_PORT: '0',
  };
}

async function listRunningPods(client: KubernetesClient): Promise<ReadonlySet<string>> {
  const { items } = await listAll(client, pods, { namespace: 'default' });
  return new Set(items.filter(({ status }) => status?.phase === 'Running').map(({ metadata }) => metadata.uid ?? ''));
}

/** Until every pod runs, and every NodeClaim is ready. */
async function waitUntilQuiet(client: KubernetesClient): Promise<void> {
  await until(`${nodeCount} pods run`, async () =>
    (await listRunningPods(client)).size === nodeCount ? true : undefined,
  );
  await until('every NodeClaim is ready', async () => {
    const { items } = await listAll(client, nodeClaims);
    return items.length >= nodeCount && items.every((claim) => isConditionTrue(claim, 'Ready')) ? true : undefined;
  });
  await clock.sleep(settleMs);
}

/** What must be the same after a hand-over. */
const describeFleet = async (client: KubernetesClient) => ({
  claims: await uidsOf(client, nodeClaims),
  nodes: await uidsOf(client, nodes),
  pods: await listRunningPods(client),
});

const countGone = (before: ReadonlySet<string>, after: ReadonlySet<string>): number =>
  [...before].filter((uid) => !after.has(uid)).length;

/** Ends one controller while the other one waits for the Lease. */
async function handOverOnce(
  client: KubernetesClient,
  leader: ChildProcess,
  startNext: () => ChildProcess,
): Promise<{ readonly next: ChildProcess; readonly seconds: number }> {
  const next = startNext();
  await clock.sleep(5_000);
  const held = await readHolder(client);
  const startedAt = clock.now();
  await end(leader);
  await until('the other controller holds the Lease', async () => {
    const holder = await readHolder(client);
    return holder !== '' && holder !== held ? holder : undefined;
  });
  return { next, seconds: (clock.now() - startedAt) / 1_000 };
}

const printRow = (cells: readonly (string | number)[]): void => {
  const widths = [7, 12, 12, 9, 7, 10, 6, 4];
  console.log(
    cells
      .map((cell, at) => String(cell).padEnd(widths[at] ?? 0))
      .join('')
      .trimEnd(),
  );
};

async function run(program: string): Promise<boolean> {
  const exported = await startSandbox();
  const environment = environmentOf(exported);
  const { transport } = await kubeConfigCluster({ file: exported['KUBECONFIG'] ?? '' });
  const client = kubernetesClient({ transport, gate, userAgent: 'try-takeover' });
  const controllers = {
    Karpenter: () => start('karpenter', [program], environment),
    Nodewright: () => start('nodewright', [...nodewright, 'controller'], environment),
  } as const;
  let leader = controllers.Karpenter();
  await makeWorkload(client, exported['CLUSTER_NAME'] ?? '');
  await waitUntilQuiet(client);
  printRow(['round', 'from', 'to', 'seconds', 'nodes', 'replaced', 'pods', 'lost']);
  let isClean = true;
  for (let turn = 0; turn < 2 * rounds; turn++) {
    const [from, to] = turn % 2 === 0 ? (['Karpenter', 'Nodewright'] as const) : (['Nodewright', 'Karpenter'] as const);
    const before = await describeFleet(client);
    const { next, seconds } = await handOverOnce(client, leader, controllers[to]);
    leader = next;
    await clock.sleep(settleMs);
    const after = await describeFleet(client);
    const replaced = Math.max(countGone(before.claims, after.claims), countGone(before.nodes, after.nodes));
    const lost = countGone(before.pods, after.pods);
    isClean &&= replaced === 0 && lost === 0 && after.claims.size === before.claims.size;
    printRow([
      1 + Math.floor(turn / 2),
      from,
      to,
      seconds.toFixed(1),
      after.nodes.size,
      replaced,
      after.pods.size,
      lost,
    ]);
  }
  return isClean;
}

try {
  process.exitCode = (await run(karpenter)) ? 0 : 1;
  if (process.exitCode === 0) rmSync(folder, { recursive: true });
} finally {
  for (const child of children) child.kill('SIGKILL');
}
