import { ec2NodeClasses, fromTimestamp, type KubernetesObject, type Node, nodes, readOwn } from '@nodewright/apis';
import { type InstanceFacts, type ReleaseHistory, restoredAccountMaps } from '@nodewright/aws-endpoints';
import type { ReadInstance } from '@nodewright/provider-aws';
import type { Ledger } from '@nodewright/runtime';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { alignRevisions } from './align-revisions.ts';
import { filledLedger } from './filled-ledger.ts';
import { readUpdateStages } from './read-update-stages.ts';
import { ownImagesOf } from './restored-releases.ts';
import { makeSystemObjects } from './system-objects.ts';

/** What the embedded EKS would have kept of the cluster, had the cluster been one of its own. */
export async function restoredLedger(snapshot: Snapshot, releases: ReleaseHistory): Promise<Ledger> {
  const { aws, clusterName, kubernetesVersion } = snapshot;
  const kubernetes = alignRevisions(snapshot.kubernetes);
  const families = familyByImage(releases);
  const nodesById = new Map(snapshotObjects(kubernetes, nodes).map((node) => [idOfNodesInstance(node), node]));
  const classes = snapshotObjects(kubernetes, ec2NodeClasses);
  const userData = userDataByVersion(aws.launchTemplates);
  const account = restoredAccountMaps({
    ...aws,
    clusterName,
    kubernetesVersion,
    now: fromTimestamp(snapshot.takenAt),
    instances: aws.instances.map((instance) => factsOf(instance, nodesById.get(instance.id), userData)),
    roles: classes.flatMap(({ spec }) => spec.role?.split('/').at(-1) ?? []),
    images: ownImagesOf(snapshot),
    familyOf: (imageId) => families.get(imageId),
    updateStages: readUpdateStages(kubernetes),
  });
  const objects = Object.entries(kubernetes).map(
    ([resource, all]) =>
      [`kubernetes/${resource}`, new Map(all.map((object) => [storedKeyText(object), object]))] as const,
  );
  const system = await makeSystemObjects(snapshot);
  return filledLedger(new Map<string, ReadonlyMap<string, unknown>>([...system, ...account, ...objects]));
}

const familyByImage = (releases: ReleaseHistory) =>
  new Map(
    releases.minors.flatMap((minor) => releases.of(minor).map(({ imageId, family }) => [imageId, family] as const)),
  );

const storedKeyText = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const idOfNodesInstance = ({ spec }: Node): string => spec?.providerID?.split('/').at(-1) ?? '';

/** A registered node goes on telling what it told, under its name. */
function factsOf(instance: ReadInstance, node: Node | undefined, userData: UserDataByVersion): InstanceFacts {
  if (node?.status === undefined) return withTemplateUserData(instance, userData);
  const { addresses, allocatable, capacity, nodeInfo } = node.status;
  return {
    ...instance,
    privateDnsName: node.metadata.name,
    reports: {
      ...(addresses === undefined ? {} : { addresses }),
      ...(allocatable === undefined ? {} : { allocatable }),
      ...(capacity === undefined ? {} : { capacity }),
      ...(nodeInfo === undefined ? {} : { nodeInfo }),
    },
  };
}

/** Base64, by the id of a launch template and the number of its version. */
type UserDataByVersion = ReadonlyMap<string, string>;

const userDataByVersion = (templates: Snapshot['aws']['launchTemplates']): UserDataByVersion =>
  new Map(
    templates.flatMap(({ id, versions = [] }) =>
      versions.flatMap(({ number, data }) => {
        const { UserData } = data as { readonly UserData?: string };
        return UserData === undefined ? [] : [[`${id} ${number}`, UserData] as const];
      }),
    ),
  );

/** An instance of a group that is no node yet boots with what its template says. */
function withTemplateUserData(instance: ReadInstance, userData: UserDataByVersion): InstanceFacts {
  const id = readOwn(instance.tags, 'aws:ec2launchtemplate:id');
  const found = userData.get(`${id} ${readOwn(instance.tags, 'aws:ec2launchtemplate:version')}`);
  return instance.userData !== undefined || found === undefined ? instance : { ...instance, userData: found };
}
