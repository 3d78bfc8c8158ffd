import { CreateCapacityReservationCommand, CreatePlacementGroupCommand } from '@aws-sdk/client-ec2';
import { type Deployment, type NodeClaim, pods } from '@nodewright/apis';
import { createAwsClients, createAwsCloud, inProcessRequestHandler } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { clusterName, deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';

const label = {
  tenancy: 'karpenter.k8s.aws/instance-tenancy',
  partition: 'karpenter.k8s.aws/placement-group-partition',
  reservation: 'karpenter.k8s.aws/capacity-reservation-id',
  capacityType: 'karpenter.sh/capacity-type',
  zone: 'topology.kubernetes.io/zone',
  zoneId: 'topology.k8s.aws/zone-id',
};

type World = Awaited<ReturnType<typeof imageWorld>>;

async function makeReservation({ call }: World): Promise<string> {
  const request = {
    InstanceType: 'm5.large' as const,
    InstancePlatform: 'Linux/UNIX' as const,
    InstanceCount: 8,
    AvailabilityZone: 'us-east-1b',
    InstanceMatchCriteria: 'targeted' as const,
  };
  const made = await call(({ ec2 }, options) => ec2.send(new CreateCapacityReservationCommand(request), options));
  return made.CapacityReservation?.CapacityReservationId ?? '';
}

const makePartitions = ({ call }: World) =>
  call(({ ec2 }, options) =>
    ec2.send(
      new CreatePlacementGroupCommand({ GroupName: 'racks', Strategy: 'partition', PartitionCount: 3 }),
      options,
    ),
  );

function poolForEverything() {
  const pool = nodePoolOf();
  const { template } = pool.spec;
  const requirements = template.spec.requirements.map((each) =>
    each.key === label.capacityType ? { ...each, values: ['spot', 'on-demand', 'reserved'] } : each,
  );
  requirements.push({ key: 'example.com/app', operator: 'Exists' });
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } };
}

const asking = (name: string, nodeSelector: Readonly<Record<string, string>>): Deployment => {
  const deployment = deploymentOf(1, nodeSelector);
  const { template } = deployment.spec;
  const metadata = { labels: { app: name } };
  return {
    ...deployment,
    metadata: { ...deployment.metadata, name },
    spec: { ...deployment.spec, selector: { matchLabels: metadata.labels }, template: { ...template, metadata } },
  };
};

/** What EC2 says of the instance of a claim, by label. */
function describedLabels({ aws }: World, { status }: NodeClaim): Readonly<Record<string, string | undefined>> {
  const instance = aws.ec2.instances.get(status?.providerID?.split('/').at(-1) ?? '');
  return {
    [label.tenancy]: instance?.settings.tenancy,
    [label.partition]: String(instance?.partition),
    [label.zone]: instance?.zone,
  };
}

test('a pod that asks for one value of a label gets one node with it, whichever label its type leaves open', async () => {
  const world = await imageWorld({ start: '2024-02-02T12:00:00Z' });
  await makePartitions(world);
  const id = await makeReservation(world);
  const wishes = {
    dedicated: { [label.tenancy]: 'dedicated' },
    shared: { [label.tenancy]: 'default' },
    third: { [label.partition]: '3' },
    spot: { [label.capacityType]: 'spot' },
    bought: { [label.capacityType]: 'on-demand' },
    reserved: { [label.reservation]: id },
    there: { [label.zone]: 'us-east-1c' },
    here: { [label.zoneId]: 'use1-az2' },
  };
  await world.apply(
    nodeClassWith({
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      capacityReservationSelectorTerms: [{ id }],
      placementGroupSelector: { name: 'racks' },
    }),
    poolForEverything(),
    ...Object.entries(wishes).map(([name, wish]) => asking(name, { ...wish, ...onItsOwn(name) })),
  );
  await world.pass(5);

  const claims = await world.claims();
  expect(claims).toHaveLength(Object.keys(wishes).length);
  const bound = (await world.time.finish(world.admin.list(pods, { namespace: 'default' }))).items;
  expect(bound.map(({ status }) => status?.phase)).toEqual(claims.map(() => 'Running'));

  const several = await openLabels(world);
  expect(several.size).toBeGreaterThanOrEqual(5);
  for (const claim of claims) {
    const { labels = {} } = claim.metadata;
    for (const [key, values] of several) expect.soft(values, `${claim.metadata.name} ${key}`).toContain(labels[key]);
    expect.soft(labels).toMatchObject(describedLabels(world, claim));
  }
  await world.end();
});

/** A node of its own for each pod: a custom label whose value the pod alone asks for. */
const onItsOwn = (name: string) => ({ 'example.com/app': name });

/** The labels for which the type offers several values, without those that only reserved capacity has. */
async function openLabels(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  const nodeClass = await world.nodeClass();
  if (nodeClass === undefined) throw new Error('there is no NodeClass');
  const { gate, clock } = world.time;
  const cloud = createAwsCloud({
    clock,
    gate,
    random: seededRandom(2),
    clusterName,
    region: 'us-east-1',
    clients: createAwsClients({
      region: 'us-east-1',
      requestHandler: inProcessRequestHandler(gate, world.aws.handle),
    }),
  });
  const types = await world.time.finish(cloud.instanceTypes.list(nodeClass, new AbortController().signal));
  const type = types.find(({ name }) => name === 'm5.large');
  const open = [...(type?.requirements ?? [])].filter(([, { values }]) => values.size > 1);
  return new Map(open.map(([key, { values }]) => [key, [...values]]));
}
