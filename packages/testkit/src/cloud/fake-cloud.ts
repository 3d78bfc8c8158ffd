import { byTextOf, type Instant, minutes, type VcpuRoom } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import {
  type BoughtKind,
  type Cloud,
  CloudError,
  type FoundImage,
  type FoundReservation,
  type FoundSubnet,
  type ImageQuery,
  type NodeMemory,
  type UnhealthyInstance,
} from '@nodewright/ports';
import { FakeInstances } from './fake-instances.ts';
import type { FakeInterruptions } from './fake-interruptions.ts';
import { FakeMarket } from './fake-market.ts';
import { FakeManagedGroups } from './fake-managed-groups.ts';
import { FakeParameters } from './fake-parameters.ts';
import { FakeScalingGroups } from './fake-scaling-groups.ts';

export type FakeCloudOptions = {
  readonly now: () => Instant;
  readonly instanceTypes: readonly InstanceType[];
  /** The images that a query finds. */
  readonly images: (query: ImageQuery) => readonly FoundImage[];
  readonly kubernetesVersion?: string;
  readonly capacityReservations?: readonly FoundReservation[];
  /** The queue of interruption messages; none without. */
  readonly interruptions?: FakeInterruptions;
  /** Parameters that other clusters share. */
  readonly parameters?: FakeParameters;
};

/** A cloud in memory: one subnet per zone, one security group, everything granted unless told otherwise. */
export type FakeCloud = Cloud & {
  readonly fleet: FakeInstances;
  readonly managedGroups: FakeManagedGroups;
  readonly scalingGroups: FakeScalingGroups;
  upgradeControlPlane(kubernetesVersion: string): void;
  /** What lookups of capacity reservations find from now on. */
  setReservations(found: readonly FoundReservation[]): void;
  /** What health checks find from now on. */
  setUnhealthy(found: readonly UnhealthyInstance[]): void;
  /** What was heard to be taken back: `spot m5.large us-east-1a`, `cr-1`. */
  readonly takenBack: readonly string[];
  /** How much memory nodes were said to have. */
  readonly memoriesSeen: readonly NodeMemory[];
  /** The next calls of this lookup fail with the error; none for health. */
  breakLookup(
    lookup: 'images' | 'subnets' | 'quotas' | 'instanceTypes' | 'instanceHealth',
    error: Error | undefined,
  ): void;
  /** So many addresses each subnet has left from now on. */
  leaveAddresses(each: number): void;
  /** So many vCPUs the account may run beyond what it runs, from now on; before that the number is unknown. */
  leaveVcpus(free: number): void;
  /** NodeClasses that were cleaned up after. */
  readonly cleanedUp: readonly string[];
};

const subnets: readonly FoundSubnet[] = ['a', 'b', 'c'].map((zone, index) => ({
  id: `subnet-${zone}`,
  zone: `us-east-1${zone}`,
  zoneId: `use1-az${index + 1}`,
  freeAddresses: 250 - index,
}));

export function fakeCloud(options: FakeCloudOptions): FakeCloud {
  const { now, instanceTypes, images, kubernetesVersion = '1.28' } = options;
  let reservations = options.capacityReservations ?? [];
  const fleet = new FakeInstances(now);
  const broken = new Map<string, Error>();
  const cleanedUp: string[] = [];
  const takenBack: string[] = [];
  const memoriesSeen: NodeMemory[] = [];
  let unhealthy: readonly UnhealthyInstance[] = [];
  let version = kubernetesVersion;
  let seenSubnets = subnets;
  let freeVcpus: number | undefined;
  const answer = async <T>(lookup: string, signal: AbortSignal, value: T): Promise<T> => {
    signal.throwIfAborted();
    const error = broken.get(lookup);
    if (error !== undefined) throw error;
    return value;
  };
  const market = new FakeMarket(now, instanceTypes);
  return {
    fleet,
    cleanedUp,
    instances: fleet,
    instanceTypes: {
      list: async (nodeClass, signal) => {
        if ((nodeClass.status?.subnets ?? []).length === 0) throw noSubnets(nodeClass.metadata.name);
        return answer('instanceTypes', signal, market.list());
      },
      named: (names, signal) => answer('instanceTypes', signal, market.named(names)),
    },
    nodeClasses: {
      subnets: (_, signal) => answer('subnets', signal, seenSubnets),
      securityGroups: (_, signal) => answer('securityGroups', signal, [{ id: 'sg-nodes', name: 'nodes' }]),
      capacityReservations: (_, signal) => answer('capacityReservations', signal, reservations),
      placementGroup: ({ spec: { placementGroupSelector: asked } }, signal) =>
        answer('placementGroup', signal, asked?.id === undefined ? undefined : { id: asked.id, strategy: 'cluster' }),
      images: (query, signal) => answer('images', signal, { images: images(query), foundAt: now() }),
      ensureInstanceProfile: ({ spec }, signal) =>
        answer('profile', signal, spec.instanceProfile ?? `profile-of-${spec.role ?? ''}`),
      cleanUp: async ({ metadata }) => void cleanedUp.push(metadata.name),
      validate: (_nodeClass, _pools, signal) => answer('validate', signal, { kind: 'valid' }),
    },
    capacityReservations: {
      named: (ids, signal) => {
        const named = reservations.filter(({ id }) => ids.includes(id));
        return answer('capacityReservations', signal, named.toSorted(byTextOf(({ id }) => id)));
      },
    },
    capacity: {
      spotTakenBack: ({ instanceType, zone }) => {
        takenBack.push(`spot ${instanceType} ${zone}`);
        market.takeSpotBack(instanceType, zone);
      },
      reservationTakenBack: (id) => void takenBack.push(id),
      nodeMemorySeen: (seen) => void memoriesSeen.push(seen),
    },
    takenBack,
    memoriesSeen,
    instanceHealth: { unhealthy: (signal) => answer('instanceHealth', signal, unhealthy) },
    repairPolicies: [{ conditionType: 'NetworkingReady', status: 'False', tolerationMs: minutes(30) }],
    ...(options.interruptions && { interruptions: options.interruptions }),
    managedGroups: new FakeManagedGroups(now),
    scalingGroups: new FakeScalingGroups(now),
    quotas: {
      roomFor: (kinds, signal) => {
        const counted = kinds.filter(({ capacityType }) => capacityType === 'on-demand');
        return answer(
          'quotas',
          signal,
          freeVcpus === undefined || counted.length === 0 ? [] : [aVcpuRoom(freeVcpus, counted)],
        );
      },
    },
    leaveVcpus: (free) => void (freeVcpus = free),
    parameters: options.parameters ?? new FakeParameters(),
    controlPlane: { kubernetesVersion: (signal) => answer('controlPlane', signal, version) },
    upgradeControlPlane: (to) => void (version = to),
    setReservations: (found) => void (reservations = found),
    leaveAddresses: (each) => void (seenSubnets = subnets.map((subnet) => ({ ...subnet, freeAddresses: each }))),
    setUnhealthy: (found) => void (unhealthy = found),
    breakLookup: (lookup, error) => void (error === undefined ? broken.delete(lookup) : broken.set(lookup, error)),
  };
}

const aVcpuRoom = (free: number, counted: readonly BoughtKind[]): VcpuRoom => ({
  code: 'L-1216C47A',
  name: 'Running On-Demand Standard instances',
  limit: 64,
  free,
  counted: [...counted],
});

const noSubnets = (name: string): CloudError =>
  new CloudError(`EC2NodeClass ${name} has no subnets yet`, { code: 'SubnetsNotResolved', retry: 'backOff' });
