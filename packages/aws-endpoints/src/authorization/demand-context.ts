import { type AwsAccount, arnOf } from '../account.ts';
import type { TagSet } from '../ec2/tags.ts';
import type { AccessDemand, ConditionContext } from './iam-policy.ts';

/** What one call says about one resource. */
export type DemandFacts = {
  /** The tags of the resource. A resource that does not exist yet has none. */
  readonly resourceTags?: TagSet;
  /** The tags that the call puts on the resource. */
  readonly requestTags?: TagSet;
  /** Further keys with one value. */
  readonly keys?: Readonly<Record<string, string>>;
};

/** Makes demands of one call: action, resource, facts. */
export type MakeDemand = (action: string, resource: string, facts?: DemandFacts) => AccessDemand;

/** Global services of AWS are in this region of their partition. */
const globalServices: ReadonlySet<string> = new Set(['iam', 'pricing', 'sts']);

/** Who calls, in which account. */
export type DemandCaller = { readonly account: AwsAccount; readonly principal: string };

export const demandMaker =
  ({ account, principal }: DemandCaller): MakeDemand =>
  (action, resource, facts = {}) => {
    const isGlobal = globalServices.has(action.split(':', 1).join(''));
    const region = isGlobal ? globalRegionOf(account.region) : account.region;
    const common = {
      'aws:RequestedRegion': region,
      'aws:PrincipalArn': principal,
      'aws:PrincipalAccount': account.id,
      'aws:ResourceAccount': account.id,
      'aws:SecureTransport': 'true',
      ...(isGlobal ? {} : { 'ec2:Region': region }),
      ...facts.keys,
    };
    return { action, resource, context: contextOf(common, facts) };
  };

const globalRegionOf = (region: string): string =>
  region.startsWith('cn-') ? 'cn-north-1' : region.startsWith('us-gov-') ? 'us-gov-west-1' : 'us-east-1';

function contextOf(common: Readonly<Record<string, string>>, facts: DemandFacts): ConditionContext {
  const { resourceTags = {}, requestTags = {} } = facts;
  const tagKeys = Object.keys(requestTags);
  const single = [
    ...Object.entries(common),
    ...Object.entries(resourceTags).flatMap(([key, value]) => [
      [`aws:ResourceTag/${key}`, value] as const,
      [`ec2:ResourceTag/${key}`, value] as const,
      [`autoscaling:ResourceTag/${key}`, value] as const,
    ]),
    ...Object.entries(requestTags).map(([key, value]) => [`aws:RequestTag/${key}`, value] as const),
  ];
  const context = new Map<string, readonly string[]>(single.map(([key, value]) => [key.toLowerCase(), [value]]));
  if (tagKeys.length > 0) context.set('aws:tagkeys', tagKeys);
  return context;
}

/** The ARN of a resource of EC2. Images and public snapshots belong to no account of the policy. */
export const ec2ArnOf = (account: AwsAccount, kind: string, id: string): string =>
  arnOf(kind === 'image' || kind === 'snapshot' ? { ...account, id: '' } : account, 'ec2', `${kind}/${id}`);
