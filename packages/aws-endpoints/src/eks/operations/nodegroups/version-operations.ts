import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { UpdateNodegroupVersionRequest, UpdateNodegroupVersionResponse } from '@aws-sdk/client-eks';
import { releaseVersionOf } from '../../../releases/release-version.ts';
import { type GroupPlace, invalidParameter, invalidRequest, inUse } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import type { NodeGroups } from '../../nodegroups/node-groups.ts';
import { minorOfRelease, findReleaseVersion, releasesFor } from '../../nodegroups/ami-types.ts';
import { checkTypesArchitecture } from '../../nodegroups/check-machines.ts';
import { groupPlaceOf } from '../../nodegroups/check-settings.ts';
import { groupUpdateOnTheWire } from '../../nodegroups/group-on-the-wire.ts';
import { findNodegroup } from './groups-of.ts';
import { blockingIssue, listGroupIssues } from '../../nodegroups/health/issues-of.ts';
import type { GroupUpdate, EksNodeGroup, Software, SourceTemplate } from '../../nodegroups/node-group.ts';
import { checkSource, checkSourceUserData, sourceOf } from '../../nodegroups/source-template.ts';

export function updateNodegroupVersion(
  eks: Eks,
  request: UpdateNodegroupVersionRequest,
): UpdateNodegroupVersionResponse {
  const { nodeGroups, group } = findNodegroup(eks, request);
  const update = nodeGroups.once(request.clientRequestToken, request, (about) => {
    const { name: clusterName } = nodeGroups.deps.cluster();
    const place = groupPlaceOf(clusterName, group);
    checkReadiness(nodeGroups, group, place);
    const { version: clusterVersion } = eks.clusters.cluster(clusterName);
    const goal = readTargetSoftware({ nodeGroups, clusterVersion }, group, request, place);
    return nodeGroups.begin(group, {
      ...about,
      type: 'VersionUpdate',
      params: listVersionParams(group, goal),
      goal,
      force: request.force ?? false,
    });
  });
  return { update: groupUpdateOnTheWire(update) };
}

/** @throws AwsError unless the group can be updated now */
export function checkReadiness(nodeGroups: NodeGroups, group: EksNodeGroup, place: GroupPlace): void {
  if (group.status !== 'ACTIVE') {
    const running = nodeGroups.running(group.name);
    const because = running === undefined ? `is ${group.status}` : `currently has update ${running.id} in progress`;
    throw inUse(place, `Nodegroup cannot be updated as it ${because}`);
  }
  const issue = blockingIssue(listGroupIssues(group, nodeGroups.deps));
  if (issue === undefined) return;
  throw invalidRequest(
    place,
    `Nodegroup has health issues other than [ AsgInstanceLaunchFailures, InstanceLimitExceeded, InsufficientFreeAddresses, ClusterUnreachable ]: ${issue.code}: ${issue.message}`,
  );
}

/** The groups of a cluster, and the minor of its control plane. */
type GroupsAndVersion = { readonly nodeGroups: NodeGroups; readonly clusterVersion: string };

function readTargetSoftware(
  cluster: GroupsAndVersion,
  group: EksNodeGroup,
  request: UpdateNodegroupVersionRequest,
  place: GroupPlace,
): Software {
  const { ec2 } = cluster.nodeGroups.deps;
  const source = nextSource(cluster, group, request, place);
  const image = source && ec2.templates.version({ LaunchTemplateId: source.id, Version: source.version }).data.ImageId;
  if ((image !== undefined) !== (group.amiType === 'CUSTOM')) {
    throw invalidParameter(
      place,
      'A group cannot change between an image in its launch template and an EKS optimized one: create a new group.',
    );
  }
  const from = source === undefined ? {} : { source };
  if (image !== undefined) return { version: cluster.clusterVersion, releaseVersion: image, imageId: image, ...from };
  return { ...readReleaseBuild(cluster, group, request, place), ...from };
}

/** The version of the customer's template, for a group that was created with one. */
function nextSource(
  { nodeGroups }: GroupsAndVersion,
  group: EksNodeGroup,
  request: UpdateNodegroupVersionRequest,
  place: GroupPlace,
): SourceTemplate | undefined {
  const { launchTemplate: asked, version, releaseVersion } = request;
  if (group.amiType === 'CUSTOM' && (version !== undefined || releaseVersion !== undefined)) {
    throw invalidParameter(
      place,
      'You cannot specify version or releaseVersion for a group with a custom AMI; update its launch template.',
    );
  }
  if (asked === undefined) {
    if (group.amiType === 'CUSTOM')
      throw invalidParameter(place, 'A group with a custom AMI is updated with launchTemplate, and a version of it');
    return group.source;
  }
  if (group.source === undefined)
    throw invalidRequest(place, 'The group was created without a launch template, and cannot get one');
  const { ec2 } = nodeGroups.deps;
  const source = sourceOf(asked, ec2, place);
  if (source.id !== group.source.id) {
    throw invalidRequest(place, `The group was created with launch template ${group.source.id}, not with ${source.id}`);
  }
  checkSource(source, ec2, place);
  checkSourceUserData(source, group.amiType, ec2, place);
  checkTemplateType(group, ec2.templates.version({ LaunchTemplateId: source.id, Version: source.version }).data, place);
  return source;
}

/** A group whose template names the type of its machines has none of its own. */
function checkTemplateType(
  group: EksNodeGroup,
  { InstanceType: type }: RequestLaunchTemplateData,
  place: GroupPlace,
): void {
  if (group.instanceTypes !== undefined) return;
  if (type === undefined)
    throw invalidParameter(place, 'The launch template names no instance type, and the group was created without one');
  checkTypesArchitecture([type], group.amiType, place);
}

const minorNumber = (version: string): number => Number(version.split('.')[1]);

/** The release asked for, or the recommended one of the minor asked for, or of the group's own. */
function readReleaseBuild(
  cluster: GroupsAndVersion,
  group: EksNodeGroup,
  request: UpdateNodegroupVersionRequest,
  place: GroupPlace,
): Software {
  const { releases, clock } = cluster.nodeGroups.deps;
  const version = request.version ?? group.version;
  checkMinor(cluster, group, version, place);
  const asked = request.releaseVersion;
  const minor = asked === undefined ? undefined : minorOfRelease(asked);
  if (minor !== undefined && minor !== version) {
    throw invalidParameter(place, `Requested release version ${asked} is not valid for kubernetes version ${version}`);
  }
  const builds = releasesFor({ amiType: group.amiType, version, now: clock.now() }, releases);
  const build = asked === undefined ? builds[0] : findReleaseVersion(builds, asked);
  if (build === undefined) {
    throw invalidParameter(
      place,
      `Requested release version ${asked ?? 'recommended'} does not exist for ${group.amiType} and kubernetes version ${version}`,
    );
  }
  return { version, releaseVersion: releaseVersionOf(build), imageId: build.imageId };
}

/** Up to the cluster's minor; one down as long as the cluster is not more than one above it. */
function checkMinor(
  { clusterVersion }: GroupsAndVersion,
  group: EksNodeGroup,
  version: string,
  place: GroupPlace,
): void {
  if (!/^1\.\d+$/.test(version))
    throw invalidParameter(place, `version is ${version}, must be a minor version such as ${group.version}`);
  if (minorNumber(version) > minorNumber(clusterVersion)) {
    throw invalidParameter(
      place,
      `Nodegroup Kubernetes version ${version} can't be greater than cluster version ${clusterVersion}`,
    );
  }
  const isDown = minorNumber(version) < minorNumber(group.version);
  if (isDown && minorNumber(clusterVersion) - minorNumber(version) > 1) {
    throw invalidParameter(
      place,
      `Nodegroup Kubernetes version ${version} is more than one minor below cluster version ${clusterVersion}`,
    );
  }
}

function listVersionParams(
  { amiType }: EksNodeGroup,
  { version, releaseVersion, source }: Software,
): GroupUpdate['params'] {
  const build = [
    { type: 'Version' as const, value: version },
    { type: 'ReleaseVersion' as const, value: releaseVersion },
  ];
  const template =
    source === undefined
      ? []
      : [
          { type: 'LaunchTemplateName' as const, value: source.name },
          { type: 'LaunchTemplateVersion' as const, value: source.version },
        ];
  return amiType === 'CUSTOM' ? template : [...build, ...template];
}
