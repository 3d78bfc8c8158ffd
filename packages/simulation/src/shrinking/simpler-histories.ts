import type { ClusterPlan, History, PoolPlan, WorkloadPlan } from '../histories/history.ts';

/** Histories that are one change simpler, the greatest changes first. */
export const simplerHistories = (history: History): readonly History[] => [
  ...shorterHistories(history),
  ...simplerClusters(history.cluster).map((cluster) => ({ ...history, cluster })),
];

function shorterHistories(history: History): readonly History[] {
  const last = Math.ceil(history.steps.at(-1)?.at ?? 0);
  return [last, last + 60, last + 360]
    .filter((minutes) => minutes < history.minutes)
    .map((minutes) => ({ ...history, minutes }));
}

function simplerClusters(cluster: ClusterPlan): readonly ClusterPlan[] {
  const { pools, workloads, operators } = cluster;
  return [
    ...(operators > 1 ? [{ ...cluster, operators: 1 }] : []),
    ...clustersWithSimplerPolicy(cluster),
    ...workloads.map((_, nth) => ({ ...cluster, workloads: workloads.toSpliced(nth, 1) })).filter(isPopulated),
    ...pools.flatMap(({ name }) => clustersWithoutPool(cluster, name)),
    ...workloads.flatMap((workload, nth) =>
      simplerWorkloads(workload).map((simpler) => ({ ...cluster, workloads: workloads.with(nth, simpler) })),
    ),
    ...pools.flatMap((pool, nth) =>
      simplerPools(pool).map((simpler) => ({ ...cluster, pools: pools.with(nth, simpler) })),
    ),
  ];
}

const isPopulated = ({ workloads }: ClusterPlan): boolean => workloads.some(({ kind }) => kind !== 'DaemonSet');

function clustersWithSimplerPolicy({ policy, ...cluster }: ClusterPlan): readonly ClusterPlan[] {
  if (policy === undefined) return [];
  const { preset, waves } = policy;
  const plain = { preset, ...(waves !== undefined && { waves }) };
  const isPlain = Object.keys(policy).length === Object.keys(plain).length;
  return [cluster, ...(isPlain ? [] : [{ ...cluster, policy: plain }])];
}

/** A pool may go when no workload is bound to it. */
function clustersWithoutPool(cluster: ClusterPlan, name: string): readonly ClusterPlan[] {
  const pools = cluster.pools.filter((pool) => pool.name !== name);
  return pools.length === 0 || cluster.workloads.some(({ pool }) => pool === name) ? [] : [{ ...cluster, pools }];
}

function simplerWorkloads(workload: WorkloadPlan): readonly WorkloadPlan[] {
  const { maxUnavailable, spread, isProtected, pool, ...plain } = workload;
  const simpler: WorkloadPlan[] = [];
  if (workload.replicas > 1) simpler.push({ ...workload, replicas: Math.floor(workload.replicas / 2) });
  if (maxUnavailable !== undefined || spread !== undefined || isProtected !== undefined)
    simpler.push({ ...plain, ...(pool !== undefined && { pool }) });
  if (workload.kind === 'StatefulSet') simpler.push({ ...workload, kind: 'Deployment' });
  return simpler;
}

function simplerPools(pool: PoolPlan): readonly PoolPlan[] {
  const { cpuLimit, terminationGracePeriod, ...plain } = pool;
  const simpler: PoolPlan[] = [];
  if (cpuLimit !== undefined)
    simpler.push({ ...plain, ...(terminationGracePeriod !== undefined && { terminationGracePeriod }) });
  if (terminationGracePeriod !== undefined) simpler.push({ ...plain, ...(cpuLimit !== undefined && { cpuLimit }) });
  if (pool.budgets.length > 1) simpler.push({ ...pool, budgets: pool.budgets.slice(0, 1) });
  if (pool.sizes.length > 1) simpler.push({ ...pool, sizes: pool.sizes.slice(0, 1) });
  if (pool.capacityTypes.length > 1) simpler.push({ ...pool, capacityTypes: ['on-demand'] });
  if (pool.expireAfter !== 'Never') simpler.push({ ...pool, expireAfter: 'Never' });
  return simpler;
}
