import {
  type EC2NodeClass,
  type ImageRule,
  type Instant,
  type NodeSelectorRequirement,
  byTextOf,
} from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import { readNodeClassImages } from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import { withClassHash } from './would-be-objects.ts';

/** An EC2NodeClass with what its selectors would find now, and what could be launched from it. */
export type FoundClass = {
  readonly nodeClass: EC2NodeClass;
  readonly images: readonly SelectedImage[];
  readonly withheld: readonly (readonly NodeSelectorRequirement[])[];
  readonly instanceTypes: readonly InstanceType[];
  /** Why nothing can be launched. */
  readonly problem?: string;
};

export type SelectedImage = { readonly id: string; readonly name: string; readonly release?: string };

export type ClassSources = {
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'instanceTypes' | 'controlPlane'>;
  readonly rules: readonly ImageRule[];
  readonly now: Instant;
  /** Another minor than the control plane's. */
  readonly kubernetesVersion?: string;
};

/** Looks up what the controller would look up for this spec, and decides as it would. Nothing is written. */
export async function lookUpClass(
  nodeClass: EC2NodeClass,
  { cloud, rules, now, kubernetesVersion }: ClassSources,
  signal: AbortSignal,
): Promise<FoundClass> {
  const asked = { cloud, now, rules, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) };
  const { decision, images } = await readNodeClassImages(nodeClass, asked, signal);
  const subnets = await cloud.nodeClasses.subnets(nodeClass, signal);
  const securityGroups = await cloud.nodeClasses.securityGroups(nodeClass, signal);
  const found = withClassHash({
    ...nodeClass,
    status: {
      ...nodeClass.status,
      ...(decision.problem === undefined || decision.problem.reason === 'AMINotFound'
        ? { amis: decision.selected }
        : {}),
      subnets: subnets.map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId })),
      securityGroups: securityGroups.map(({ id, name }) => ({ id, name })),
    },
  });
  const releases = new Map(images.map(({ id, version }) => [id, version]));
  const missing = subnets.length === 0 ? 'no subnet' : securityGroups.length === 0 ? 'no security group' : undefined;
  const problem = decision.problem?.message ?? (missing === undefined ? undefined : `its selector finds ${missing}`);
  return {
    nodeClass: found,
    images: [...new Map(decision.selected.map((image) => [image.id, image])).values()]
      .toSorted(byTextOf(({ id }) => id))
      .map(({ id, name = '' }) => {
        const release = releases.get(id);
        return { id, name, ...(release === undefined ? {} : { release }) };
      }),
    withheld: decision.withheld,
    instanceTypes: subnets.length === 0 ? [] : await cloud.instanceTypes.list(found, signal),
    ...(problem === undefined ? {} : { problem }),
  };
}
