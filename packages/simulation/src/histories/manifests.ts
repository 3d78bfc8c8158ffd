import {
  type DaemonSet,
  type Deployment,
  type EC2NodeClass,
  instant,
  minutes,
  type NodePool,
  type NodeRolloutPolicy,
  type NodeRolloutPolicySpec,
  type Pod,
  type PodDisruptionBudget,
  type StatefulSet,
  toTimestamp,
} from '@nodewright/apis';
import {
  simulationStart,
  type SimulatedFamily,
  type SimulatedPolicy,
  type PoolPlan,
  type WorkloadPlan,
} from './history.ts';

const poolLabel = 'simulation/pool';

/** The class of a family; its name is the family's. */
export function classManifest(family: SimulatedFamily, clusterName: string): EC2NodeClass {
  const byTag = [{ tags: { 'karpenter.sh/discovery': clusterName } }];
  return {
    metadata: { name: family },
    spec: {
      role: `KarpenterNodeRole-${clusterName}`,
      amiSelectorTerms: [{ alias: `${family}@latest` }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  };
}

export const poolManifest = (plan: PoolPlan): NodePool => ({
  metadata: { name: plan.name },
  spec: {
    ...(plan.cpuLimit !== undefined && { limits: { cpu: String(plan.cpuLimit) } }),
    disruption: {
      budgets: plan.budgets.map(({ reasons, ...budget }) => ({ ...budget, ...(reasons && { reasons: [...reasons] }) })),
      consolidationPolicy: plan.consolidationPolicy,
      consolidateAfter: plan.consolidateAfter,
    },
    template: {
      metadata: { labels: { [poolLabel]: plan.name } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: plan.family },
        expireAfter: plan.expireAfter,
        ...(plan.terminationGracePeriod !== undefined && { terminationGracePeriod: plan.terminationGracePeriod }),
        requirements: [
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm'] },
          { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: [...plan.sizes] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: [...plan.capacityTypes] },
        ],
      },
    },
  },
});

export function workloadManifest(plan: WorkloadPlan): Deployment | StatefulSet | DaemonSet {
  const { name, replicas, kind } = plan;
  const selector = { matchLabels: { app: name } };
  const common = { apiVersion: 'apps/v1', metadata: { name, namespace: 'default' } };
  const template = { metadata: podMetadata(plan), spec: podSpec(plan) };
  if (kind === 'DaemonSet') return { ...common, kind, spec: { selector, template } };
  return {
    ...common,
    kind,
    spec: { replicas, selector, template, ...(kind === 'StatefulSet' && { serviceName: name }) },
  };
}

const podMetadata = ({ name, isProtected = false }: WorkloadPlan) => ({
  labels: { app: name },
  ...(isProtected && { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
});

function podSpec({ name, pool, cpuMillis, graceSeconds, spread }: WorkloadPlan): Pod['spec'] {
  const requests = { cpu: `${cpuMillis}m`, memory: `${Math.ceil(cpuMillis / 2)}Mi` };
  return {
    ...(pool !== undefined && { nodeSelector: { [poolLabel]: pool } }),
    terminationGracePeriodSeconds: graceSeconds,
    ...(spread !== undefined && {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: spread === 'zone' ? 'topology.kubernetes.io/zone' : 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway' as const,
          labelSelector: { matchLabels: { app: name } },
        },
      ],
    }),
    containers: [{ name: 'app', image: 'pause', resources: { requests } }],
  };
}

export const simulatedPolicyName = 'simulated';

export function policyManifest(plan: SimulatedPolicy): NodeRolloutPolicy {
  const { preset, mode, waves, onHalt, newTarget, window, maxAge, blackout, isPromoted } = plan;
  const { failureBudget, variants, withoutEvidence } = plan;
  const { maxPerHour, maxSurge, minInterval, order } = plan;
  const pace = {
    ...(maxPerHour !== undefined && { maxPerHour }),
    ...(maxSurge !== undefined && { maxSurge }),
    ...(minInterval !== undefined && { minInterval }),
    ...(order !== undefined && { order }),
  };
  const health = {
    ...(failureBudget !== undefined && { failureBudget }),
    ...(variants !== undefined && { variants }),
    ...(withoutEvidence !== undefined && { withoutEvidence }),
  };
  return {
    metadata: { name: simulatedPolicyName },
    spec: {
      preset,
      ...(mode !== undefined && { mode }),
      ...(waves !== undefined && {
        waves: waves.map((wave, index) => waveManifest(wave, plan.isApproved === true && index === waves.length - 1)),
      }),
      ...(onHalt !== undefined && { onHalt }),
      ...(newTarget !== undefined && { newTarget }),
      pace,
      ...(window !== undefined && { windows: [window] }),
      ...(maxAge !== undefined && { maxAge }),
      health,
      ...(blackout !== undefined && { blackouts: [blackoutManifest(blackout)] }),
      ...(isPromoted && {
        promotion: { publish: { configMap: ownRecord }, require: [{ from: { configMap: upstreamRecord } }] },
      }),
    },
  };
}

/** Where another cluster publishes what it has proven, and where this one does. */
export const upstreamRecord = { namespace: 'kube-system', name: 'upstream-evidence' };
const ownRecord = { namespace: 'kube-system', name: 'evidence' };

const waveManifest = (
  { nodes, ...rest }: NonNullable<SimulatedPolicy['waves']>[number],
  isApproved: boolean,
): NonNullable<NodeRolloutPolicySpec['waves']>[number] => ({
  ...rest,
  nodes: nodes.endsWith('%') ? nodes : Number(nodes),
  ...(isApproved && { approval: 'Manual' }),
});

/** Times of a calendar have no zone of their own. */
const blackoutManifest = ({ from, to }: NonNullable<SimulatedPolicy['blackout']>) => ({
  from: calendarTimeOf(from),
  to: calendarTimeOf(to),
  timeZone: 'UTC',
  reason: 'the history says so',
});

const calendarTimeOf = (minute: number): string =>
  toTimestamp(instant(simulationStart + minutes(minute))).replace('Z', '');

export const budgetManifest = ({ name }: WorkloadPlan, maxUnavailable: number): PodDisruptionBudget => ({
  metadata: { name, namespace: 'default' },
  spec: { maxUnavailable, selector: { matchLabels: { app: name } } },
});
