import { awsLabels, type NodeClaim, type NodePool, type RequirementWithMinValues } from '@nodewright/apis';
import { allowsValue, allowAnything, parseRequirements } from '@nodewright/requirements';

/** What a launch can ask for. */
export type LaunchTenancy = 'default' | 'dedicated';

type WrittenRequirements = readonly RequirementWithMinValues[];

/** Shared hardware where the claim admits it, else dedicated hardware. */
export const chooseTenancy = ({ spec }: NodeClaim): LaunchTenancy =>
  admitsTenancy(spec.requirements, 'default') ? 'default' : 'dedicated';

/** Whether a NodePool names the tenancy in its requirements, and dedicated hardware meets them. */
export const asksForDedicated = ({ spec: { template } }: NodePool): boolean =>
  tenancyRequirement(template.spec.requirements ?? []) !== undefined &&
  admitsTenancy(template.spec.requirements ?? [], 'dedicated');

const admitsTenancy = (written: WrittenRequirements, tenancy: LaunchTenancy): boolean =>
  allowsValue(tenancyRequirement(written) ?? allowAnything(awsLabels.instanceTenancy), tenancy);

const tenancyRequirement = (written: WrittenRequirements) => parseRequirements(written).get(awsLabels.instanceTenancy);
