import type { ServiceQuota } from '@aws-sdk/client-service-quotas';
import { arnOf } from '../account.ts';
import type { VcpuQuota } from '../catalogue/vcpu-quotas.ts';

type Whose = {
  readonly region: string;
  /** Undefined for what a new account has. */
  readonly accountId?: string;
};

export function quotaOnTheWire(quota: VcpuQuota, value: number, { region, accountId = '' }: Whose): ServiceQuota {
  return {
    ServiceCode: ec2.ServiceCode,
    ServiceName: ec2.ServiceName,
    QuotaArn: arnOf({ region, id: accountId }, 'servicequotas', `ec2/${quota.code}`),
    QuotaCode: quota.code,
    QuotaName: quota.name,
    Value: value,
    Unit: 'None',
    Adjustable: true,
    GlobalQuota: false,
    QuotaAppliedAtLevel: 'ACCOUNT',
  };
}

/** The one service whose quotas are told. */
export const ec2 = { ServiceCode: 'ec2', ServiceName: 'Amazon Elastic Compute Cloud (Amazon EC2)' } as const;
