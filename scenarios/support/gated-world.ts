import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  capacityBuffers,
  convertToVersion,
  deployments,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  type KubernetesObject,
  nodeClaims,
  nodeOverlays,
  nodePools,
  nodes,
  pods,
  podTemplates,
  type ResourceType,
} from '@nodewright/apis';
import { parseManifests, seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { readSchedulingSettings } from '../../packages/cli/src/controller/scheduling-settings.ts';
import { createEmbeddedWorld } from '../../packages/cli/src/world/embedded-world.ts';
import { manifest } from './manifests.ts';

const kinds: readonly ResourceType[] = [
  nodePools,
  ec2NodeClasses,
  nodeOverlays,
  capacityBuffers,
  podTemplates,
  deployments,
];

/** A manifest of the examples, by folder and file. */
export const example = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../examples', path), 'utf8');

/** A sandbox with the walkthrough's NodePool and NodeClass, and the operator inside with gates as `--feature-gates` sets them; on virtual time. */
export async function gatedWorld(featureGates: string) {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const world = await createEmbeddedWorld({
    way: 'direct',
    clock: time.clock,
    gate: time.gate,
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: '1.29',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    controller: true,
    scheduling: readSchedulingSettings({ featureGates }, {}),
  });
  await time.finish(world.start());
  const { admin, aws } = world.sandbox;
  const apply = async (text: string): Promise<void> => {
    for (const written of parseManifests(text, 'manifest')) {
      const type = kinds.find(({ kind }) => kind === written.kind);
      if (type === undefined) throw new Error(`no type for kind ${written.kind}`);
      await time.finish(admin.create(type, inNamespace(current(written), type)));
    }
  };
  await apply(manifest('basic.yaml'));
  return {
    aws,
    admin,
    time,
    apply,
    pass: (minutes: number) => time.run(instant(time.clock.now() + minutes * 60_000)),
    claims: async () => (await time.finish(admin.list(nodeClaims))).items,
    nodes: async () => (await time.finish(admin.list(nodes))).items,
    pods: async () => (await time.finish(admin.list(pods, { namespace: 'default' }))).items,
    end: () => time.finish(world.stop()),
  };
}

const current = (object: KubernetesObject): KubernetesObject =>
  object.apiVersion?.endsWith('/v1beta1') && object.apiVersion.startsWith('karpenter.')
    ? convertToVersion(object, object.apiVersion.replace('/v1beta1', '/v1'))
    : object;

const inNamespace = (object: KubernetesObject, { namespaced }: ResourceType): KubernetesObject =>
  namespaced ? { ...object, metadata: { namespace: 'default', ...object.metadata } } : object;
