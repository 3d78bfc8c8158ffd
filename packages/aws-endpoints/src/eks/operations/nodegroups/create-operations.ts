import type {
  CreateNodegroupRequest,
  CreateNodegroupResponse,
  DeleteNodegroupRequest,
  DeleteNodegroupResponse,
} from '@aws-sdk/client-eks';
import { noSuchSubnet } from '../../../ec2/errors.ts';
import { releaseVersionOf } from '../../../releases/release-version.ts';
import { type GroupPlace, invalidParameter, invalidRequest, inUse, writeErrorOfService } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import {
  type AmiType,
  amiTypes,
  defaultAmiType,
  findReleaseLine,
  findReleaseVersion,
  releasesFor,
} from '../../nodegroups/ami-types.ts';
import {
  checkGroupLabels,
  checkLabelValues,
  checkTaints,
  groupPlaceOf,
  scalingOf,
  readUpdateConfig,
} from '../../nodegroups/check-settings.ts';
import { checkTypesArchitecture, checkTypesExist, checkMachines } from '../../nodegroups/check-machines.ts';
import { checkNodeRole } from '../../nodegroups/check-node-role.ts';
import { checkNodeRepair, checkWarmPool } from '../../nodegroups/check-upkeep.ts';
import { writeNodegroup } from '../../nodegroups/group-on-the-wire.ts';
import { findNodegroup } from './groups-of.ts';
import type { ClientToken, EksNodeGroup, Software } from '../../nodegroups/node-group.ts';
import { checkSource, checkSourceUserData, sourceOf } from '../../nodegroups/source-template.ts';

export function createNodegroup(eks: Eks, request: CreateNodegroupRequest): CreateNodegroupResponse {
  const { clusters } = eks;
  const cluster = clusters.cluster(request.clusterName ?? '');
  const { name: clusterName } = cluster;
  const nodeGroups = eks.groupsOf(clusterName);
  const name = request.nodegroupName ?? '';
  const place = { clusterName, nodegroupName: name };
  const status = clusters.statusOf(cluster);
  if (status !== 'ACTIVE') {
    throw invalidRequest(place, `Cluster ${clusterName} is ${status}, must be ACTIVE to get a nodegroup`);
  }
  if (!eks.runsNodesOf(clusterName)) {
    const message = `The nodes of cluster ${eks.clusterName} join the API server of a kubeconfig; cluster ${clusterName} has none to join.`;
    throw invalidRequest(place, message);
  }
  const asked = readCreateToken(request);
  const before = nodeGroups.find(name);
  if (asked !== undefined && before?.asked?.token === asked.token) {
    if (before.asked.body === asked.body) return { nodegroup: writeNodegroup(before, nodeGroups) };
    throw invalidParameter(place, `clientRequestToken ${asked.token} was used for another request before.`);
  }
  if (before !== undefined) {
    throw inUse(place, `NodeGroup already exists with name ${name} and cluster name ${clusterName}`);
  }
  const made = nodeGroups.create({ ...readNewNodeGroup(eks, request, place), ...(asked && { asked }) });
  return { nodegroup: writeNodegroup(made, nodeGroups) };
}

const readCreateToken = (request: CreateNodegroupRequest): ClientToken | undefined =>
  request.clientRequestToken === undefined
    ? undefined
    : { token: request.clientRequestToken, body: JSON.stringify(request) };

type NewNodeGroup = Parameters<Eks['nodeGroups']['create']>[0];

function readNewNodeGroup(eks: Eks, request: CreateNodegroupRequest, place: Required<GroupPlace>): NewNodeGroup {
  checkGroupName(request, place);
  checkGroupPlaces(eks, request, place);
  checkMachines(request, place);
  checkGroupLabels(request.labels ?? {}, place);
  checkLabelValues(request.labels ?? {}, place);
  checkTaints(request.taints ?? [], place);
  checkNodeRepair(request.nodeRepairConfig, place);
  const software = softwareFor(eks, request, place);
  checkWarmPool(request.warmPoolConfig, software.amiType, place);
  checkSshKey(eks, request, place);
  const scaling = scalingOf(request.scalingConfig, { min: 1, max: 2, desired: 2 }, place);
  return {
    name: place.nodegroupName,
    ...software,
    capacityType: request.capacityType ?? 'ON_DEMAND',
    scaling,
    subnetIds: request.subnets ?? [],
    nodeRole: request.nodeRole ?? '',
    labels: request.labels ?? {},
    taints: request.taints ?? [],
    tags: request.tags ?? {},
    updateConfig: readUpdateConfig(
      request.updateConfig,
      { before: { maxUnavailable: 1 }, maxSize: scaling.max },
      place,
    ),
    ...(request.remoteAccess !== undefined && { remoteAccess: request.remoteAccess }),
    ...(request.nodeRepairConfig !== undefined && { nodeRepairConfig: request.nodeRepairConfig }),
    ...(request.warmPoolConfig !== undefined && { warmPoolConfig: request.warmPoolConfig }),
  };
}

function checkGroupName({ nodegroupName: name = '' }: CreateNodegroupRequest, place: GroupPlace): void {
  if (name.length > 63) throw invalidParameter(place, "nodegroupName can't be longer than 63 characters!");
  if (/^[0-9A-Za-z][\w-]*$/.test(name)) return;
  throw invalidParameter(
    place,
    `The nodegroupName "${name}" is invalid: it has letters, digits, hyphens and underscores, a letter or digit first`,
  );
}

function checkSshKey({ nodeGroups }: Eks, { remoteAccess }: CreateNodegroupRequest, place: GroupPlace): void {
  const key = remoteAccess?.ec2SshKey;
  if (key === undefined || nodeGroups.deps.ec2.keyPairs.all().some(({ name }) => name === key)) return;
  throw invalidParameter(place, `The key pair '${key}' does not exist`);
}

function checkGroupPlaces({ network, nodeGroups }: Eks, request: CreateNodegroupRequest, place: GroupPlace): void {
  const subnets = request.subnets ?? [];
  if (subnets.length === 0) throw invalidParameter(place, 'subnets: at least one is needed');
  const unknown = subnets.find((id) => !network.subnets.some((subnet) => subnet.id === id));
  if (unknown !== undefined) throw invalidParameter(place, writeErrorOfService('AmazonEC2', noSuchSubnet(unknown)));
  checkNodeRole(request.nodeRole ?? '', nodeGroups.deps.iam, place);
}

type ChosenSoftware = Software & { readonly amiType: AmiType } & Pick<
    Partial<EksNodeGroup>,
    'instanceTypes' | 'diskSize'
  >;

/** Which image, which types, which disk: from the request, the customer's template, or the defaults. */
function softwareFor(eks: Eks, request: CreateNodegroupRequest, place: Required<GroupPlace>): ChosenSoftware {
  const { ec2, releases, clock } = eks.nodeGroups.deps;
  const { version } = eks.clusters.cluster(place.clusterName);
  if (request.version !== undefined && request.version !== version) {
    throw invalidParameter(place, `version is ${request.version}, a new group has the cluster's version ${version}`);
  }
  const source = request.launchTemplate && sourceOf(request.launchTemplate, ec2, place);
  if (source !== undefined) checkSource(source, ec2, place);
  const data = source && ec2.templates.version({ LaunchTemplateId: source.id, Version: source.version }).data;
  if (source !== undefined) checkBesideTemplate(request, data?.InstanceType, place);
  const types = data?.InstanceType === undefined ? { instanceTypes: request.instanceTypes ?? ['t3.medium'] } : {};
  const disk =
    source === undefined
      ? { diskSize: request.diskSize ?? (request.amiType?.startsWith('WINDOWS') === true ? 50 : 20) }
      : {};
  const from = source === undefined ? {} : { source };
  if (data?.ImageId !== undefined) {
    checkOwnImage(request, place);
    checkTypesExist(types.instanceTypes ?? [], place);
    return { amiType: 'CUSTOM', version, releaseVersion: data.ImageId, imageId: data.ImageId, ...from, ...types };
  }
  const amiType = amiTypeOf(request, version, place);
  if (source !== undefined) checkSourceUserData(source, amiType, ec2, place);
  checkTypesExist(types.instanceTypes ?? [], place);
  checkTypesArchitecture(types.instanceTypes ?? [data?.InstanceType ?? ''], amiType, place);
  const builds = releasesFor({ amiType, version, now: clock.now() }, releases);
  const build = request.releaseVersion === undefined ? builds[0] : findReleaseVersion(builds, request.releaseVersion);
  if (build === undefined) {
    const which =
      request.releaseVersion === undefined
        ? `There is no release of AMI type ${amiType} for kubernetes version ${version}`
        : `Requested release version ${request.releaseVersion} is not valid for kubernetes version ${version} and AMI type ${amiType}`;
    throw invalidParameter(place, which);
  }
  return {
    amiType,
    version,
    releaseVersion: releaseVersionOf(build),
    imageId: build.imageId,
    ...from,
    ...types,
    ...disk,
  };
}

function amiTypeOf(request: CreateNodegroupRequest, version: string, place: GroupPlace): AmiType {
  const { amiType = defaultAmiType(version) } = request;
  if (findReleaseLine(amiType) !== undefined) return amiType;
  throw invalidParameter(
    place,
    `amiType is ${amiType}, must be one of ${amiTypes.join(', ')}; CUSTOM needs a launch template with an image`,
  );
}

function checkBesideTemplate(
  request: CreateNodegroupRequest,
  templatesType: string | undefined,
  place: GroupPlace,
): void {
  if (request.diskSize !== undefined)
    throw invalidParameter(place, 'Disk size must be specified within the launch template.');
  if (request.remoteAccess !== undefined)
    throw invalidParameter(place, 'Remote access configuration cannot be specified with a launch template.');
  if (templatesType !== undefined && request.instanceTypes !== undefined) {
    throw invalidRequest(place, 'Cannot specify instance types in launch template and API request');
  }
}

function checkOwnImage({ amiType, version, releaseVersion }: CreateNodegroupRequest, place: GroupPlace): void {
  if (amiType !== undefined && amiType !== 'CUSTOM') {
    throw invalidParameter(
      place,
      `amiType is ${amiType}; with an image in the launch template it is CUSTOM or left out`,
    );
  }
  if (version === undefined && releaseVersion === undefined) return;
  throw invalidParameter(
    place,
    'You cannot specify version or releaseVersion with a custom AMI in the launch template.',
  );
}

/** A group that is being updated has to finish first. */
export function deleteNodegroup(eks: Eks, request: DeleteNodegroupRequest): DeleteNodegroupResponse {
  const { nodeGroups, group } = findNodegroup(eks, request);
  if (group.status === 'UPDATING') {
    throw inUse(
      groupPlaceOf(nodeGroups.deps.cluster().name, group),
      `Nodegroup ${group.name} is UPDATING, wait for its update to end`,
    );
  }
  const deleting = nodeGroups.keep({ ...group, status: 'DELETING', modifiedAt: nodeGroups.deps.clock.now() });
  return { nodegroup: writeNodegroup(deleting, nodeGroups) };
}
