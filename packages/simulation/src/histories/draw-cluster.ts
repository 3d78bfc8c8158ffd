import type { Random } from '@nodewright/runtime';
import type { BudgetPlan, ClusterPlan, PoolPlan, WorkloadPlan } from './history.ts';

/** Draws a cluster whose pods need about `nodes` nodes. */
export function drawCluster(random: Random, nodes: number): ClusterPlan {
  const pools = Array.from({ length: 1 + random.integer(2) }, (_, nth) => drawPool(random, `pool-${nth + 1}`, nodes));
  const workloads: WorkloadPlan[] = [];
  for (let left = nodes * cpuOfNode; left > 0 && workloads.length < 5;) {
    const workload = drawWorkload(random, { name: `app-${workloads.length + 1}`, pools, left });
    workloads.push(workload);
    left -= workload.replicas * workload.cpuMillis;
  }
  if (random.next() < 0.5) workloads.push(agent);
  return {
    kubernetesVersion: random.pick(['1.30', '1.31']),
    operators: random.next() < 0.4 ? 2 : 1,
    pools,
    workloads,
  };
}

const cpuOfNode = 1_500;

const agent: WorkloadPlan = { name: 'agent', kind: 'DaemonSet', replicas: 0, cpuMillis: 50, graceSeconds: 1 };

/** Chances are uneven: what people write most comes most. */
const drawPool = (random: Random, name: string, nodes: number): PoolPlan => ({
  name,
  family: random.pick(['al2023', 'al2023', 'bottlerocket']),
  capacityTypes: random.pick([['on-demand'], ['spot', 'on-demand'], ['spot']]),
  sizes: random.pick([['2'], ['2', '4'], ['2', '4', '8']]),
  budgets: drawBudgets(random),
  consolidationPolicy: random.pick(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'WhenEmptyOrUnderutilized', 'Balanced']),
  consolidateAfter: random.pick(['0s', '30s', '10m', '1h', 'Never']),
  expireAfter: random.pick(['720h', '720h', 'Never', '12h', '30h']),
  ...(random.next() < 0.35 && { terminationGracePeriod: random.pick(['5m', '30m', '3h']) }),
  ...(random.next() < 0.3 && { cpuLimit: nodes * 4 + 8 }),
});

export function drawBudgets(random: Random): readonly BudgetPlan[] {
  const common: BudgetPlan = { nodes: random.pick(['1', '1', '2', '10%', '50%', '100%']) };
  const chance = random.next();
  if (chance < 0.6) return [common];
  if (chance < 0.8) return [common, drawWindow(random)];
  return [common, { nodes: random.pick(['0', '1']), reasons: [random.pick(['Drifted', 'Empty', 'Underutilized'])] }];
}

/** Hours in which nothing, or little, may go. */
const drawWindow = (random: Random): BudgetPlan => ({
  nodes: random.pick(['0', '1']),
  schedule: `${random.integer(60)} ${random.integer(24)} * * *`,
  duration: random.pick(['30m', '2h', '8h']),
});

type Demand = { readonly name: string; readonly pools: readonly PoolPlan[]; readonly left: number };

function drawWorkload(random: Random, { name, pools, left }: Demand): WorkloadPlan {
  const cpuMillis = random.pick([100, 250, 500, 900, 1_300]);
  const replicas = Math.max(1, Math.min(8, 1 + random.integer(Math.ceil(left / cpuMillis))));
  return {
    name,
    kind: random.next() < 0.2 ? 'StatefulSet' : 'Deployment',
    ...(random.next() < 0.6 && { pool: random.pick(pools).name }),
    replicas,
    cpuMillis,
    graceSeconds: random.pick([0, 5, 30, 120]),
    ...(random.next() < 0.6 && { maxUnavailable: 1 + random.integer(2) }),
    ...(random.next() < 0.1 && { isProtected: true }),
    ...(random.next() < 0.4 && { spread: random.pick(['zone', 'hostname'] as const) }),
  };
}
