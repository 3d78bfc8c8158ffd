import { apiVersionOf, type KubernetesObject, type ResourceType } from '@nodewright/apis';
import { obeyReleaseRequest, updateNodegroupVersion } from '@nodewright/aws-endpoints';
import { snapshotKinds } from '../snapshot/kinds.ts';
import type { ForecastWorld } from '../world/forecast-world.ts';

/** What is done to the cluster in a forecast. Nothing of it: what will happen anyway. */
export type ForecastChange = {
  /** With the defaults that an API server fills in. */
  readonly manifests: readonly KubernetesObject[];
  readonly releases: readonly ForecastRelease[];
  /** The minor to which the control plane is upgraded. */
  readonly kubernetesVersion?: string;
  /** Managed node groups that EKS is asked to update. */
  readonly groupUpdates?: readonly ForecastGroupUpdate[];
};

export type ForecastGroupUpdate = {
  readonly group: string;
  /** `1.31.2-20250212` [the one that EKS recommends for the minor of the group]. */
  readonly release?: string;
};

/** A release that comes out: every build of a family, or of what else is given. */
export type ForecastRelease = {
  readonly family: string;
  readonly version: string;
  /** How its nodes behave [healthy]. */
  readonly behavior?: string;
};

/** Does to the world what the change says, at the instant at which its clock stands. */
export async function makeChange(
  { admin, aws, time }: ForecastWorld,
  { manifests, releases, kubernetesVersion, groupUpdates = [] }: ForecastChange,
): Promise<void> {
  const minor = aws.eks.controlPlane.version;
  for (const release of releases)
    obeyReleaseRequest({ ...release }, { store: aws.releases, minor, now: time.clock.now() });
  for (const manifest of manifests) await time.finish(applyManifest(admin, manifest));
  const { clusterName } = aws.eks;
  for (const { group, release } of groupUpdates)
    updateNodegroupVersion(aws.eks, {
      clusterName,
      nodegroupName: group,
      ...(release === undefined ? {} : { releaseVersion: release }),
    });
  if (kubernetesVersion === undefined) return;
  const params = [{ type: 'Version' as const, value: kubernetesVersion }];
  aws.eks.clusters.begin(clusterName, {
    type: 'VersionUpdate',
    params,
    change: { version: kubernetesVersion },
  });
}

/** The kind of a manifest, where forecasts know it. */
export const kindOfManifest = ({ apiVersion, kind }: KubernetesObject): ResourceType | undefined =>
  snapshotKinds.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);

/** Creates the object, or puts the spec of the manifest, its labels and annotations over what stands there. */
async function applyManifest(admin: ForecastWorld['admin'], manifest: KubernetesObject): Promise<void> {
  const type = kindOfManifest(manifest);
  if (type === undefined) return;
  const { name, namespace = 'default', labels, annotations } = manifest.metadata;
  const key = type.namespaced ? { namespace, name } : { name };
  const standing = await admin.get(type, key);
  if (standing === undefined) {
    const own = {
      name,
      ...(type.namespaced ? { namespace } : {}),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    };
    await admin.create(type, { ...manifestWithoutStatus(manifest), metadata: own });
    return;
  }
  await admin.update(type, {
    ...standing,
    ...manifestWithoutStatus(manifest),
    metadata: {
      ...standing.metadata,
      labels: { ...standing.metadata.labels, ...labels },
      annotations: { ...standing.metadata.annotations, ...annotations },
    },
  });
}

function manifestWithoutStatus(manifest: KubernetesObject): KubernetesObject {
  const { status: _, ...rest } = manifest as KubernetesObject & { readonly status?: unknown };
  return rest;
}
