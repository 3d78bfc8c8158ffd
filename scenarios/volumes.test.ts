import {
  ec2NodeClasses,
  kubernetesLabels,
  nodeClaims,
  nodePools,
  nodes,
  persistentVolumes,
  type Pod,
  pods,
  type ResourceType,
  type StatefulSet,
  statefulSets,
  volumeAttachments,
} from '@nodewright/apis';
import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { nodeClass, nodePool } from './support/fleet-story.ts';
import { forceWorld, type ForceWorld } from './support/force-world.ts';
import { expectNothingLost } from './support/troubles.ts';

const minute = 60_000;
const pool = { name: 'databases', nodes: 3, budget: '1' };

/** Three databases on nodes and in zones of their own, each with a volume. */
const databases: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: {
        nodeSelector: { team: pool.name },
        containers: [{ name: 'db', image: 'db:1', resources: { requests: { cpu: 1 } } }],
        topologySpreadConstraints: [
          {
            topologyKey: kubernetesLabels.zone,
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'db' } },
          },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
      },
    ],
  },
};

type Place = { readonly pod: string; readonly node: string; readonly zone: string; readonly volume: string };

async function places({ apply, client }: ForceWorld): Promise<readonly Place[]> {
  const running = (await apply(client.list(pods, { namespace: 'default' }))).items.filter(isRunning);
  const zones = new Map(
    (await apply(client.list(nodes))).items.map(({ metadata }) => [
      metadata.name,
      metadata.labels?.[kubernetesLabels.zone] ?? '',
    ]),
  );
  const volumes = new Map(
    (await apply(client.list(persistentVolumes))).items.map(({ metadata, spec }) => [
      spec?.claimRef?.name,
      metadata.name,
    ]),
  );
  return running.map(({ metadata, spec }) => ({
    pod: metadata.name,
    node: spec.nodeName ?? '',
    zone: zones.get(spec.nodeName ?? '') ?? '',
    volume: volumes.get(`data-${metadata.name}`) ?? '',
  }));
}

const isRunning = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running';

test('databases keep their volumes, and so their zones, when their nodes are rolled', async () => {
  const world = await forceWorld({ seed: 3, fate: () => 'arrives' });
  const { apply, client, time, until } = world;
  await apply(client.create(ec2NodeClasses, nodeClass));
  await apply(client.create(nodePools, nodePool(pool)));
  await apply(client.create(statefulSets as ResourceType, databases));
  const allRun = async (): Promise<boolean> => (await places(world)).length === 3;
  await until('three databases', allRun, instant(time.clock.now() + 10 * minute));
  const before = await places(world);
  expect(new Set(before.map(({ zone }) => zone)).size).toBe(3);
  const old = new Set((await apply(client.list(nodeClaims))).items.map(({ metadata }) => metadata.name));

  await world.upgrade('1.29');
  const isRolled = async (): Promise<boolean> => {
    const claims = (await apply(client.list(nodeClaims))).items;
    return (await allRun()) && claims.length === 3 && claims.every(({ metadata }) => !old.has(metadata.name));
  };
  await until('three new nodes', isRolled, instant(time.clock.now() + 60 * minute));
  const after = await places(world);
  const kept = ({ pod, zone, volume }: Place): object => ({ pod, zone, volume });
  expect(after.map(kept)).toEqual(before.map(kept));
  expect(after.filter(({ node }) => before.some((place) => place.node === node))).toEqual([]);
  const attached = (await apply(client.list(volumeAttachments))).items.map(({ spec }) => spec.nodeName);
  expect(new Set(attached)).toEqual(new Set(after.map(({ node }) => node)));
  await expectNothingLost(world);
});
