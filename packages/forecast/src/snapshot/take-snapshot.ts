import {
  byTextOf,
  ec2NodeClasses,
  type EC2NodeClass,
  type Instant,
  nodeClaims,
  nodes,
  outOfCapacityOn,
  pods,
  toTimestamp,
} from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { type AccountQuestion, readAccount, type UnreadPart } from '@nodewright/provider-aws';
import type { KubernetesClient } from '@nodewright/runtime';
import { type Observations, observeBoots, observeBootTimes, observeReadiness } from './observations.ts';
import { type ClusterObjects, snapshotObjects, readClusterObjects } from './read-cluster-objects.ts';
import { listGroupImages } from './group-images.ts';
import { readSnapshotImages } from './read-images.ts';
import { readOfferedTypes } from './read-offered-types.ts';
import type { ImagesOfMinor, Snapshot } from './snapshot.ts';
import { noteUnread } from './unread.ts';
import { aliasFamilyByImage } from './family-by-image.ts';

export type SnapshotSources = Omit<AccountQuestion, 'unregistered' | 'profiles'> & {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'instanceTypes' | 'controlPlane'>;
  readonly now: Instant;
};

/** Reads a cluster and its account. It only lists and describes; what it may not read is named in the snapshot. */
export async function takeSnapshot(sources: SnapshotSources, signal: AbortSignal): Promise<Snapshot> {
  const { client, cloud, clusterName, now } = sources;
  const unread: UnreadPart[] = [];
  const orUnread = noteUnread(unread, signal);
  const kubernetes = await readClusterObjects(client, orUnread);
  const classes = snapshotObjects(kubernetes, ec2NodeClasses);
  const claims = snapshotObjects(kubernetes, nodeClaims);
  const kubernetesVersion = await cloud.controlPlane.kubernetesVersion(signal);
  const account = await readAccount(
    { ...sources, unregistered: unregisteredInstances(kubernetes), profiles: profilesOf(classes) },
    signal,
  );
  const { unread: unreadOfAccount, ...aws } = account;
  const groups = listGroupImages(kubernetes, account);
  const images = await readSnapshotImages(
    { cloud, nodeClasses: classes, claims, kubernetesVersion, groups, orUnread },
    signal,
  );
  const types = await readOfferedTypes({ cloud, classes, account, orUnread }, signal);
  return {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'Snapshot',
    takenAt: toTimestamp(now),
    clusterName,
    kubernetesVersion,
    kubernetes,
    aws: { ...aws, types, images },
    observed: observationsOf(kubernetes, images),
    unread: [...unread, ...unreadOfAccount].toSorted(byTextOf(({ what }) => what)),
  };
}

/** Instances whose claim is launched and has no node yet. */
function unregisteredInstances(kubernetes: ClusterObjects): readonly string[] {
  const registered = new Set(snapshotObjects(kubernetes, nodes).flatMap(({ spec }) => spec?.providerID ?? []));
  return snapshotObjects(kubernetes, nodeClaims).flatMap(({ status }) => {
    const providerId = status?.providerID;
    if (providerId === undefined || registered.has(providerId)) return [];
    return providerId.split('/').at(-1) ?? [];
  });
}

const profilesOf = (classes: readonly EC2NodeClass[]): readonly string[] =>
  classes.flatMap(({ status, spec }) => status?.instanceProfile ?? spec.instanceProfile ?? []);

function observationsOf(kubernetes: ClusterObjects, images: readonly ImagesOfMinor[]): Observations {
  const claims = snapshotObjects(kubernetes, nodeClaims);
  return {
    secondsToRegistered: observeBootTimes(claims, 'Registered'),
    secondsToInitialized: observeBootTimes(claims, 'Initialized'),
    boots: observeBoots(claims, aliasFamilyByImage(images)),
    secondsToReady: observeReadiness(snapshotObjects(kubernetes, pods)),
    refusedLaunches: snapshotObjects(kubernetes, ec2NodeClasses).flatMap(outOfCapacityOn),
  };
}
