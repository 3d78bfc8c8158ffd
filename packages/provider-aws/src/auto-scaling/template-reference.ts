import type {
  AutoScalingGroup,
  LaunchTemplateSpecification,
  UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import type { Market, ScalingGroup } from '@nodewright/ports';

/** How a group names its template: a version may be a number, `$Latest` or `$Default`. */
export type GroupTemplateReference = {
  readonly template: { readonly LaunchTemplateId: string } | { readonly LaunchTemplateName: string };
  readonly version: string;
};

/** The launch template of a group or of its mixed instances policy; `undefined` for a launch configuration. */
export const findTemplateReference = (group: AutoScalingGroup): GroupTemplateReference | undefined =>
  referenceIn(group.LaunchTemplate ?? group.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification);

function referenceIn(specification: LaunchTemplateSpecification | undefined): GroupTemplateReference | undefined {
  const { LaunchTemplateId, LaunchTemplateName, Version: version = '$Default' } = specification ?? {};
  if (LaunchTemplateId !== undefined) return { template: { LaunchTemplateId }, version };
  return LaunchTemplateName === undefined ? undefined : { template: { LaunchTemplateName }, version };
}

/** By the policy of the group, where it has one, else by its template. */
export function boughtBy(
  { MixedInstancesPolicy: policy }: AutoScalingGroup,
  market: Market | undefined,
): ScalingGroup['bought'] {
  if (market === undefined) return {};
  if (policy === undefined) return { [market]: 100 };
  const { OnDemandPercentageAboveBaseCapacity: onDemand = 100 } = policy.InstancesDistribution ?? {};
  return { ...(onDemand > 0 ? { onDemand } : {}), ...(onDemand < 100 ? { spot: 100 - onDemand } : {}) };
}

/** Instance types that launch from a template of their own: another image for the group does not reach them. */
export function typesWithOwnTemplate(group: AutoScalingGroup): readonly string[] {
  const own = findTemplateReference(group);
  const overrides = group.MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? [];
  return overrides
    .filter(({ LaunchTemplateSpecification: specification }) => {
      const reference = referenceIn(specification);
      return reference !== undefined && !isSameTemplate(reference, own);
    })
    .map(({ InstanceType = 'any type' }) => InstanceType)
    .toSorted();
}

const isSameTemplate = (a: GroupTemplateReference, b: GroupTemplateReference | undefined): boolean =>
  JSON.stringify(a.template) === JSON.stringify(b?.template);

/**
 * The request's part that points the group at another version, where it has its template: of a policy all has to
 * be said again, since what is left out would be taken away.
 */
export function pointedAt(group: AutoScalingGroup, Version: string): Partial<UpdateAutoScalingGroupType> | undefined {
  const reference = findTemplateReference(group);
  if (reference === undefined) return undefined;
  const LaunchTemplateSpecification = { ...reference.template, Version };
  if (group.LaunchTemplate !== undefined) return { LaunchTemplate: LaunchTemplateSpecification };
  const { LaunchTemplate: { Overrides = [] } = {}, ...policy } = group.MixedInstancesPolicy ?? {};
  const moved = Overrides.map(({ LaunchTemplateSpecification: specification, ...override }) => {
    const own = referenceIn(specification);
    if (own === undefined) return override;
    const version = isSameTemplate(own, reference) ? Version : own.version;
    return { ...override, LaunchTemplateSpecification: { ...own.template, Version: version } };
  });
  return {
    MixedInstancesPolicy: { ...policy, LaunchTemplate: { LaunchTemplateSpecification, Overrides: moved } },
  };
}
