import type { Issue } from '@aws-sdk/client-eks';
import type { AutoScalingGroupRecord } from '../../../autoscaling/group/group.ts';
import type { EksNodeGroup } from '../node-group.ts';
import { buildIssue, type HealthSurroundings } from './issue.ts';
import { terminateHook } from '../own-hooks.ts';

type Templates = HealthSurroundings['ec2']['templates'];

/** EKS's own template, the version the Auto Scaling group uses, and the customer's template. */
export function templateIssues(
  group: EksNodeGroup,
  scaling: AutoScalingGroupRecord,
  { ec2 }: HealthSurroundings,
): readonly Issue[] {
  const { templates } = ec2;
  const id = group.resources?.templateId ?? '';
  const own = templates.all().find((template) => template.id === id);
  if (own === undefined) {
    return [
      buildIssue('Ec2LaunchTemplateNotFound', `The launch template ${id} that EKS made for the group is gone.`, [id]),
    ];
  }
  return [
    ...edited(group, scaling),
    ...listTemplateMismatches(group, scaling, templates),
    ...sourceIssues(group, templates),
  ];
}

/** Another template, or other subnets, than EKS gave it. */
function edited({ resources, subnetIds }: EksNodeGroup, scaling: AutoScalingGroupRecord): readonly Issue[] {
  const problems = [
    ...(scaling.template.id === resources?.templateId
      ? []
      : [`it launches from ${scaling.template.id || scaling.template.name}, EKS expects ${resources?.templateId}`]),
    ...(scaling.subnetIds.some((id) => subnetIds.includes(id)) ? [] : ['none of its subnets is one of the group']),
    ...(scaling.hooks.some(({ name }) => name === terminateHook) ? [] : [`${terminateHook} is missing`]),
  ];
  if (problems.length === 0) return [];
  const message = `The Auto Scaling group was changed to something EKS cannot run: ${problems.join('; ')}.`;
  return [buildIssue('AutoScalingGroupInvalidConfiguration', message, [scaling.name])];
}

function listTemplateMismatches(
  { resources }: EksNodeGroup,
  { template }: AutoScalingGroupRecord,
  templates: Templates,
): readonly Issue[] {
  if (resources === undefined || template.id !== resources.templateId) return [];
  const versions = templates.find({ LaunchTemplateId: template.id }).versions.map(({ number }) => String(number));
  const isThere = versions.includes(resources.pointer);
  if (template.version === resources.pointer && isThere) return [];
  const uses = isThere ? `uses version ${template.version}` : `uses a version that is gone`;
  const message = `The Auto Scaling group ${uses} of ${template.id}; EKS expects version ${resources.pointer}.`;
  return [buildIssue('Ec2LaunchTemplateVersionMismatch', message, [template.id])];
}

function sourceIssues({ source }: EksNodeGroup, templates: Templates): readonly Issue[] {
  if (source === undefined) return [];
  const found = templates.all().find(({ id }) => id === source.id);
  if (found?.versions.some(({ number }) => String(number) === source.version) === true) return [];
  const what = found === undefined ? '' : `version ${source.version} of `;
  const message = `${what === '' ? 'The' : `The ${what}`.trimEnd()} launch template ${source.id} of the group is gone.`;
  return [buildIssue('SourceEc2LaunchTemplateNotFound', message, [source.id])];
}
