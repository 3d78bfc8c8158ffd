import { awsLabels, type NodeClaim, type NodePool } from '@nodewright/apis';
import { admitsAll } from './admits.ts';
import { requirementsFrom } from '../instance-types/requirements.ts';

/** What a launch can ask for. */
export type LaunchTenancy = 'default' | 'dedicated';

type Asked = Parameters<typeof admitsAll>[1];

/** Shared hardware where the claim admits it, else dedicated hardware. */
export const chooseTenancy = ({ spec }: NodeClaim): LaunchTenancy =>
  admitsTenancy(spec.requirements, 'default') ? 'default' : 'dedicated';

/** Whether a NodePool asks something of the tenancy that dedicated hardware meets. */
export const asksForDedicated = ({ spec: { template } }: NodePool): boolean =>
  tenancyTerms(template.spec.requirements ?? []).length > 0 &&
  admitsTenancy(template.spec.requirements ?? [], 'dedicated');

const admitsTenancy = (asked: Asked, tenancy: LaunchTenancy): boolean =>
  admitsAll(requirementsFrom([[awsLabels.instanceTenancy, [tenancy]]]), tenancyTerms(asked));

const tenancyTerms = (asked: Asked): Asked => asked.filter(({ key }) => key === awsLabels.instanceTenancy);
