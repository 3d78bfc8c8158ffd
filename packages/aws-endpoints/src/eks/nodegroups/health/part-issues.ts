import type { Issue } from '@aws-sdk/client-eks';
import { typeNamed } from '../../../catalogue/catalogue.ts';
import type { EksNodeGroup } from '../node-group.ts';
import { buildIssue, type HealthSurroundings } from './issue.ts';

/** What nodes are made with and may be gone: role, profile, subnets, security groups, image, types; and their labels. */
export const partIssues = (group: EksNodeGroup, around: HealthSurroundings): readonly Issue[] => [
  ...identityIssues(group, around),
  ...networkIssues(group, around),
  ...imageIssues(group, around),
  ...typeIssues(group, around),
  ...labelIssues(group),
];

function identityIssues({ nodeRole, resources }: EksNodeGroup, { iam }: HealthSurroundings): readonly Issue[] {
  const role = nodeRole.split('/').at(-1) ?? '';
  const profile = resources?.templateName ?? '';
  return [
    ...(iam.roles().some(({ name }) => name === role)
      ? []
      : [buildIssue('IamNodeRoleNotFound', `The node role ${nodeRole} is gone.`, [nodeRole])]),
    ...(iam.findProfile(profile) === undefined
      ? [buildIssue('IamInstanceProfileNotFound', `The instance profile ${profile} of the group is gone.`, [profile])]
      : []),
  ];
}

function networkIssues(group: EksNodeGroup, { ec2 }: HealthSurroundings): readonly Issue[] {
  const { subnets, securityGroups } = ec2.network;
  const lost = group.subnetIds.filter((id) => !subnets.some((subnet) => subnet.id === id));
  const missing = groupsOfTemplate(group, ec2).filter((id) => !securityGroups.some((each) => each.id === id));
  return [
    ...(lost.length === 0
      ? []
      : [buildIssue('Ec2SubnetNotFound', `Subnets of the group are gone: ${lost.join(', ')}.`, lost)]),
    ...(missing.length === 0
      ? []
      : [
          buildIssue(
            'Ec2SecurityGroupNotFound',
            `Security groups of the group are gone: ${missing.join(', ')}.`,
            missing,
          ),
        ]),
  ];
}

function groupsOfTemplate(group: EksNodeGroup, ec2: HealthSurroundings['ec2']): readonly string[] {
  return ownTemplateData(group, ec2)?.SecurityGroupIds ?? [];
}

/** What the template says that EKS keeps for the group. */
function ownTemplateData({ resources }: EksNodeGroup, { templates }: HealthSurroundings['ec2']) {
  const own = templates.all().find(({ id }) => id === resources?.templateId);
  return own?.versions.find(({ number }) => String(number) === resources?.pointer)?.data;
}

/** Only of an image of the customer's own: what EKS recommends no more is no fault of the group. */
function imageIssues({ amiType, imageId }: EksNodeGroup, { ec2 }: HealthSurroundings): readonly Issue[] {
  if (amiType !== 'CUSTOM' || ec2.images.withIds([imageId], ec2.clock.now()).length > 0) return [];
  return [
    buildIssue('AmiIdNotFound', `The AMI ${imageId} of the group was deregistered, or is not shared any more.`, [
      imageId,
    ]),
  ];
}

function typeIssues(group: EksNodeGroup, { ec2 }: HealthSurroundings): readonly Issue[] {
  const { instanceTypes = [] } = group;
  const ofTemplate = ownTemplateData(group, ec2)?.InstanceType;
  const types = ofTemplate === undefined ? instanceTypes : [...instanceTypes, ofTemplate];
  const unknown = types.filter((name) => typeNamed(name) === undefined);
  if (unknown.length === 0) return [];
  return [buildIssue('Ec2InstanceTypeDoesNotExist', `The region has no instance type ${unknown.join(', ')}.`, unknown)];
}

const labelName = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
const labelValuePattern = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;

function labelIssues({ labels }: EksNodeGroup): readonly Issue[] {
  const bad = Object.entries(labels).filter(([key, value]) => !labelName.test(key) || !labelValuePattern.test(value));
  if (bad.length === 0) return [];
  const said = bad.map(([key, value]) => `${key}=${value}`);
  return [
    buildIssue('KubernetesLabelInvalid', `The API server refuses labels of the group: ${said.join(', ')}.`, said),
  ];
}
