import { CancelCapacityReservationCommand, CreateCapacityReservationCommand } from '@aws-sdk/client-ec2';
import { conditionOf, type KubernetesObject } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';

const reservationLabel = /^karpenter\.k8s\.aws\/capacity-reservation-/;

const boughtAs = ({ metadata: { labels = {} } }: KubernetesObject) => ({
  capacityType: labels['karpenter.sh/capacity-type'],
  reservation: labels['karpenter.k8s.aws/capacity-reservation-id'],
  traces: Object.keys(labels).filter((key) => reservationLabel.test(key)).length,
});

/** A pool that takes reserved capacity before any other. */
function poolOf() {
  const pool = nodePoolOf();
  const { template } = pool.spec;
  const requirements = template.spec.requirements.map((each) =>
    each.key === 'karpenter.sh/capacity-type' ? { ...each, values: ['reserved', 'on-demand'] } : each,
  );
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } };
}

test('a node outlives the reservation that is cancelled under it, as on-demand', async () => {
  const world = await imageWorld({ start: '2024-02-02T12:00:00Z' });
  const made = await world.call(({ ec2 }, options) =>
    ec2.send(
      new CreateCapacityReservationCommand({
        InstanceType: 'm5.large',
        InstancePlatform: 'Linux/UNIX',
        InstanceCount: 1,
        AvailabilityZone: 'us-east-1b',
        InstanceMatchCriteria: 'targeted',
      }),
      options,
    ),
  );
  const id = made.CapacityReservation?.CapacityReservationId ?? '';
  const terms = { amiSelectorTerms: [{ alias: 'al2@latest' }], capacityReservationSelectorTerms: [{ id }] };
  await world.apply(nodeClassWith(terms), poolOf(), deploymentOf(1));
  await world.pass(10);
  const both = async () => {
    const nodes = (await world.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']);
    return [...(await world.claims()), ...nodes].map(boughtAs);
  };
  const reserved = { capacityType: 'reserved', reservation: id, traces: 3 };
  expect(await both()).toEqual([reserved, reserved]);

  await world.call(({ ec2 }, options) =>
    ec2.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }), options),
  );
  await world.pass(2);
  const onDemand = { capacityType: 'on-demand', reservation: undefined, traces: 0 };
  expect(await both()).toEqual([onDemand, onDemand]);
  await world.pass(10);
  expect((await world.claims()).map((claim) => conditionOf(claim, 'Drifted')?.status)).toEqual([undefined]);
  expect((await world.nodeClass())?.status?.capacityReservations ?? []).toEqual([]);
  expect(world.launched()).toHaveLength(1);
  await world.end();
});
