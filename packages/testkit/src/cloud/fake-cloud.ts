import type { Instant } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type {
  Cloud,
  FoundImage,
  FoundReservation,
  FoundSubnet,
  ImageQuery,
  UnhealthyInstance,
} from '@nodewright/ports';
import { FakeInstances } from './fake-instances.ts';
import type { FakeInterruptions } from './fake-interruptions.ts';
import { FakeManagedGroups } from './fake-managed-groups.ts';
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
  /** The next calls of this lookup fail with the error; none for health. */
  breakLookup(lookup: 'images' | 'subnets' | 'instanceTypes' | 'instanceHealth', error: Error | undefined): void;
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
  let unhealthy: readonly UnhealthyInstance[] = [];
  let version = kubernetesVersion;
  const answer = async <T>(lookup: string, value: T): Promise<T> => {
    const error = broken.get(lookup);
    if (error !== undefined) throw error;
    return value;
  };
  return {
    fleet,
    cleanedUp,
    instances: fleet,
    instanceTypes: { list: () => answer('instanceTypes', instanceTypes) },
    nodeClasses: {
      subnets: () => answer('subnets', subnets),
      securityGroups: () => answer('securityGroups', [{ id: 'sg-nodes', name: 'nodes' }]),
      capacityReservations: () => answer('capacityReservations', reservations),
      placementGroup: ({ spec: { placementGroupSelector: asked } }) =>
        answer('placementGroup', asked?.id === undefined ? undefined : { id: asked.id, strategy: 'cluster' }),
      images: (query) => answer('images', { images: images(query), foundAt: now() }),
      ensureInstanceProfile: ({ spec }) => answer('profile', spec.instanceProfile ?? `profile-of-${spec.role ?? ''}`),
      cleanUp: async ({ metadata }) => void cleanedUp.push(metadata.name),
      validate: () => answer('validate', { kind: 'valid' }),
    },
    capacityReservations: {
      named: (ids) =>
        answer(
          'capacityReservations',
          reservations.filter(({ id }) => ids.includes(id)),
        ),
    },
    capacity: {
      spotTakenBack: ({ instanceType, zone }) => void takenBack.push(`spot ${instanceType} ${zone}`),
      reservationTakenBack: (id) => void takenBack.push(id),
    },
    takenBack,
    instanceHealth: { unhealthy: () => answer('instanceHealth', unhealthy) },
    repairPolicies: [{ conditionType: 'NetworkingReady', status: 'False', tolerationMs: 30 * 60_000 }],
    ...(options.interruptions && { interruptions: options.interruptions }),
    managedGroups: new FakeManagedGroups(now),
    scalingGroups: new FakeScalingGroups(now),
    controlPlane: { kubernetesVersion: () => answer('controlPlane', version) },
    upgradeControlPlane: (to) => void (version = to),
    setReservations: (found) => void (reservations = found),
    setUnhealthy: (found) => void (unhealthy = found),
    breakLookup: (lookup, error) => void (error === undefined ? broken.delete(lookup) : broken.set(lookup, error)),
  };
}
