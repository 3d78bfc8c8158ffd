import {
  type EksNodeGroup,
  type GroupUpdate,
  type NodegroupResources,
  type NodegroupStatus,
  type Software,
  softwareConfiguration,
} from '../eks/nodegroups/node-group.ts';
import type { AccountFacts } from './account-facts.ts';
import type { ManagedGroupFacts, ScalingGroupFacts } from './group-facts.ts';
import { resumeGroupUpdate } from './resume-group-update.ts';

type RestoredManagedGroup = { readonly group: EksNodeGroup; readonly update?: GroupUpdate };
type TemplateFacts = AccountFacts['launchTemplates'][number];

/** The group as EKS would have kept it, with the version update that is under way. */
export function restoredManagedGroup(
  facts: ManagedGroupFacts,
  account: Pick<AccountFacts, 'scalingGroups' | 'launchTemplates' | 'updateStages' | 'now'>,
): RestoredManagedGroup {
  const { update, scalingGroup, status, ...rest } = facts;
  const { scalingGroups = [], launchTemplates } = account;
  const scaling = scalingGroups.find(({ name }) => name === scalingGroup);
  const template = launchTemplates.find(({ id }) => id === scaling?.template.id);
  const images = imagesByVersion(template);
  const pointed = images.get(scaling?.template.version ?? '') ?? '';
  const before = update === undefined ? pointed : (imageBefore(scaling, images) ?? pointed);
  const software = softwareBefore(facts, before);
  const goal = update === undefined ? undefined : softwareWanted(facts, pointed);
  const group: EksNodeGroup = {
    ...rest,
    ...software,
    uuid: facts.arn.split('/').at(-1) ?? '',
    status: restoredStatus(status, goal),
    draining: {},
    ...(scaling && template && { resources: restoredResources({ scaling, template, images, software, goal }) }),
  };
  return { group, ...(goal && { update: resumeGroupUpdate(facts, { goal, group, scaling, ...account }) }) };
}

const imagesByVersion = (template: TemplateFacts | undefined): ReadonlyMap<string, string> =>
  new Map(
    (template?.versions ?? []).map(({ number, data }) => [
      String(number),
      (data as { readonly ImageId?: string }).ImageId ?? '',
    ]),
  );

/** The image of the instances that are of another version than the one that is launched now. */
function imageBefore(scaling: ScalingGroupFacts | undefined, images: ReadonlyMap<string, string>): string | undefined {
  const old = scaling?.instances.find(({ template }) => template.version !== scaling.template.version);
  return old === undefined ? undefined : images.get(old.template.version);
}

const softwareBefore = ({ version, releaseVersion, source }: ManagedGroupFacts, imageId: string): Software => ({
  version,
  releaseVersion,
  imageId,
  ...(source && { source }),
});

/** What the update makes of the group, by its parameters. */
function softwareWanted({ update, source, ...facts }: ManagedGroupFacts, imageId: string): Software {
  const { Version: version, ReleaseVersion: release, LaunchTemplateVersion: templateVersion } = update?.params ?? {};
  return {
    version: version ?? facts.version,
    releaseVersion: release ?? imageId,
    imageId,
    ...(source && { source: { ...source, version: templateVersion ?? source.version } }),
  };
}

/** What is wrong with a group is found again; an update of its settings counts as done. */
function restoredStatus(status: string, goal: Software | undefined): NodegroupStatus {
  if (goal !== undefined) return 'UPDATING';
  return status === 'DEGRADED' || status === 'UPDATING' ? 'ACTIVE' : (status as NodegroupStatus);
}

type ResourceFacts = {
  readonly scaling: ScalingGroupFacts;
  readonly template: TemplateFacts;
  readonly images: ReadonlyMap<string, string>;
  readonly software: Software;
  readonly goal: Software | undefined;
};

function restoredResources({ scaling, template, images, software, goal }: ResourceFacts): NodegroupResources {
  const pointer = scaling.template.version;
  const configurationOf = (version: string, imageId: string): string => {
    if (version === pointer) return softwareConfiguration(goal ?? software);
    if (software.source === undefined) return imageId;
    return goal === undefined ? `version ${version}` : softwareConfiguration(software);
  };
  return {
    groupName: scaling.name,
    templateId: template.id,
    templateName: template.name,
    configurations: Object.fromEntries(
      [...images].map(([version, imageId]) => [version, configurationOf(version, imageId)]),
    ),
    pointer,
  };
}
