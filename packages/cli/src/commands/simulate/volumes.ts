import {
  type KubernetesObject,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  byTextOf,
  inOrder,
  inReverse,
} from '@nodewright/apis';
import {
  attachedVolumes,
  type AttachedVolume,
  podName,
  volumeAlternatives,
  type VolumeFacts,
} from '@nodewright/engine';
import type { Requirements } from '@nodewright/requirements';
import { claimsOfWorkload, isWorkload } from './workload-pods.ts';

const volumeManifestsOfKind = <T extends KubernetesObject>(
  objects: readonly KubernetesObject[],
  kind: string,
): readonly T[] => objects.filter((object) => object.kind === kind) as unknown as readonly T[];

const isDefaultClass = 'storageclass.kubernetes.io/is-default-class';

/** A class that no manifest describes: EBS volumes that are made where their pod goes. */
const assumedClass = (name: string): StorageClass => ({
  metadata: { name },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
});

/** What manifests say of volumes; claims of StatefulSets and of ephemeral volumes come with their pods. */
export function volumeFactsIn(objects: readonly KubernetesObject[], pods: readonly Pod[]): VolumeFacts {
  const classes = volumeManifestsOfKind<StorageClass>(objects, 'StorageClass');
  const [defaultClass] = classes
    .filter(({ metadata }) => metadata.annotations?.[isDefaultClass] === 'true')
    .toSorted(youngestClassFirst);
  const claims = new Map(
    [
      ...objects.filter(isWorkload).flatMap(claimsOfWorkload),
      ...pods.flatMap(claimsOfEphemeralVolumes),
      ...volumeManifestsOfKind<PersistentVolumeClaim>(objects, 'PersistentVolumeClaim'),
    ].map((claim) => [
      `${claim.metadata.namespace ?? 'default'}/${claim.metadata.name}`,
      withClass(claim, defaultClass?.metadata.name ?? 'default'),
    ]),
  );
  const volumes = new Map(
    volumeManifestsOfKind<PersistentVolume>(objects, 'PersistentVolume').map((volume) => [
      volume.metadata.name,
      volume,
    ]),
  );
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.find(({ metadata }) => metadata.name === name) ?? assumedClass(name),
  };
}

/** Of several default classes the youngest counts, then the first by name. */
const youngestClassFirst = inOrder<StorageClass>(
  inReverse(byTextOf(({ metadata }) => metadata.creationTimestamp ?? '')),
  byTextOf(({ metadata }) => metadata.name),
);

/** A claim without a class gets the default one when it is created. */
const withClass = (claim: PersistentVolumeClaim, name: string): PersistentVolumeClaim =>
  claim.spec?.storageClassName === undefined && (claim.spec?.volumeName ?? '') === ''
    ? { ...claim, spec: { ...claim.spec, storageClassName: name } }
    : claim;

type EphemeralSource = { readonly volumeClaimTemplate?: Pick<PersistentVolumeClaim, 'spec'> };

const claimsOfEphemeralVolumes = ({ metadata, spec }: Pod): readonly PersistentVolumeClaim[] =>
  (spec.volumes ?? []).flatMap(({ name, ephemeral }) => {
    const template = (ephemeral as EphemeralSource | undefined)?.volumeClaimTemplate;
    if (template === undefined) return [];
    const namespace = metadata.namespace ?? 'default';
    return [{ metadata: { name: `${metadata.name}-${name}`, namespace }, ...template }];
  });

/** What the volumes of pods ask, by pod; those without claims are not listed. */
export const simulatedVolumes = (
  pods: readonly Pod[],
  facts: VolumeFacts,
): {
  readonly volumeRequirements: ReadonlyMap<string, readonly Requirements[]>;
  readonly attachedVolumes: ReadonlyMap<string, readonly AttachedVolume[]>;
} => ({
  volumeRequirements: new Map(
    pods.flatMap((pod) => {
      const alternatives = volumeAlternatives(pod, facts);
      return alternatives === undefined ? [] : [[podName(pod), alternatives] as const];
    }),
  ),
  attachedVolumes: new Map(
    pods.map((pod) => [podName(pod), attachedVolumes(pod, facts)] as const).filter(([, all]) => all.length > 0),
  ),
});
