import { conditionOf, deployments, karpenterLabels, kubernetesLabels, nodePools, nodes } from '@nodewright/apis';
import type { NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { gatedWorld } from './support/gated-world.ts';

type World = Awaited<ReturnType<typeof gatedWorld>>;

const container = `
      terminationGracePeriodSeconds: 5
      nodeSelector: { team: my-team }
      containers:
        - name: web
          image: public.ecr.aws/eks-distro/kubernetes/pause:3.7
          resources: { requests: { cpu: 500m, memory: 256Mi } }`;

/** Pods of half a core. */
const web = (replicas: number, more = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:${container}${more}
`;

const oneToANode = `
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: DoNotSchedule
          labelSelector: { matchLabels: { app: web } }`;

const change = (world: World, spec: object) =>
  world.time.finish(
    world.admin.patch(deployments, { name: 'web', namespace: 'default' }, { type: 'merge', patch: { spec } }),
  );

const runningPods = async (world: World) => (await world.pods()).filter(({ status }) => status?.phase === 'Running');

const boughtAs = ({ metadata: { name, labels = {} } }: NodeClaim): string =>
  [name, labels[kubernetesLabels.instanceType], labels[karpenterLabels.capacityType]].join(' ');

const clusterNow = async (world: World) => (await world.claims()).map(boughtAs).toSorted();

test('a cluster that is larger than its pods need shrinks until they fit just so, and stays as it is', async () => {
  const world = await gatedWorld('');
  await world.apply(web(8, oneToANode));
  await world.pass(3);
  expect(await world.claims()).toHaveLength(8);
  await change(world, { template: { spec: { topologySpreadConstraints: null } } });
  let fewest = Infinity;
  for (let passed = 0; passed < 10; passed += 0.5) {
    await world.pass(0.5);
    fewest = Math.min(fewest, (await runningPods(world)).length);
  }
  // Half a core each: three of them fit beside the daemons of a node with two cores.
  const shrunk = await clusterNow(world);
  expect(shrunk).toHaveLength(3);
  expect(await runningPods(world)).toHaveLength(8);
  expect(fewest).toBeGreaterThanOrEqual(4);
  await world.pass(180);
  expect(await clusterNow(world)).toEqual(shrunk);
  await world.end();
});

test('a node on demand whose pods have gone gives way to a smaller one with the same image', async () => {
  const world = await gatedWorld('');
  const onDemand = { key: karpenterLabels.capacityType, operator: 'In', values: ['on-demand'] };
  const patch = { spec: { template: { spec: { requirements: [onDemand] } } } };
  await world.time.finish(world.admin.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.apply(web(30));
  await world.pass(3);
  const [large, second] = await world.claims();
  expect(second).toBeUndefined();
  await change(world, { replicas: 2 });
  let mostReady = 0;
  for (let passed = 0; passed < 8; passed += 1) {
    await world.pass(1);
    const ready = (await world.nodes()).filter(({ spec }) => spec?.unschedulable !== true);
    mostReady = Math.max(mostReady, ready.length);
    expect((await runningPods(world)).length).toBeGreaterThanOrEqual(1);
  }
  const [small, none] = await world.claims();
  expect(none).toBeUndefined();
  expect(mostReady).toBe(2);
  expect(small && boughtAs(small)).not.toBe(large && boughtAs(large));
  expect(small?.status?.imageID).toBe(large?.status?.imageID);
  expect(small && conditionOf(small, 'Ready')?.status).toBe('True');
  expect((await world.time.finish(world.admin.list(nodes))).items).toHaveLength(1);
  await world.end();
});
