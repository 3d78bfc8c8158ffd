import type { Instance } from '@aws-sdk/client-ec2';
import type { Market } from '@nodewright/ports';

/** A limit of the account on running instances, as Service Quotas names it. */
export type LimitOnInstances = { readonly name: string; readonly code: string };

type QuotaLimits = {
  /** How the names of instance types begin. */
  readonly types: RegExp;
  readonly onDemand: LimitOnInstances;
  readonly spot?: LimitOnInstances;
};

const limit = (name: string, code: string): LimitOnInstances => ({ name, code });

/** @see https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html */
const specialFamilyLimits: readonly QuotaLimits[] = [
  {
    types: /^(gr?\d|vt)/,
    onDemand: limit('Running On-Demand G and VT instances', 'L-DB2E81BA'),
    spot: limit('All G and VT Spot Instance Requests', 'L-3819A6DF'),
  },
  {
    types: /^p5/,
    onDemand: limit('Running On-Demand P instances', 'L-417A185B'),
    spot: limit('All P5 Spot Instance Requests', 'L-C4BD4855'),
  },
  {
    types: /^p\d/,
    onDemand: limit('Running On-Demand P instances', 'L-417A185B'),
    spot: limit('All P4, P3 and P2 Spot Instance Requests', 'L-7212CCBC'),
  },
  {
    types: /^x\d/,
    onDemand: limit('Running On-Demand X instances', 'L-7295265B'),
    spot: limit('All X Spot Instance Requests', 'L-E3A00192'),
  },
  {
    types: /^f\d/,
    onDemand: limit('Running On-Demand F instances', 'L-74FC7D96'),
    spot: limit('All F Spot Instance Requests', 'L-88CF9481'),
  },
  {
    types: /^inf/,
    onDemand: limit('Running On-Demand Inf instances', 'L-1945791B'),
    spot: limit('All Inf Spot Instance Requests', 'L-B5D1601B'),
  },
  {
    types: /^trn/,
    onDemand: limit('Running On-Demand Trn instances', 'L-2C3B7624'),
    spot: limit('All Trn Spot Instance Requests', 'L-6B0D517C'),
  },
  {
    types: /^dl/,
    onDemand: limit('Running On-Demand DL instances', 'L-6E869C2A'),
    spot: limit('All DL Spot Instance Requests', 'L-85EED4F7'),
  },
  { types: /^u(-|\d)/, onDemand: limit('Running On-Demand High Memory instances', 'L-43DA4232') },
  { types: /^hpc/, onDemand: limit('Running On-Demand HPC instances', 'L-F7808C92') },
];

const standardFamilyLimits: Omit<QuotaLimits, 'types'> = {
  onDemand: limit('Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances', 'L-1216C47A'),
  spot: limit('All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests', 'L-34B43A08'),
};

/** The limit that instances of a type count against; nothing for types that are not sold that way. */
export const limitOn = (type: string, market: Market): LimitOnInstances | undefined =>
  (specialFamilyLimits.find(({ types }) => types.test(type)) ?? standardFamilyLimits)[market];

/** Capacity blocks and dedicated hosts are paid for and limited by themselves. */
export function marketOfInstance({ InstanceLifecycle, Placement }: Instance): Market | undefined {
  if (InstanceLifecycle === 'spot') return 'spot';
  return InstanceLifecycle === undefined && Placement?.Tenancy !== 'host' ? 'onDemand' : undefined;
}
