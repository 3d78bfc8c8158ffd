import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import type { InstanceQuota, Market } from '@nodewright/ports';
import { awsCodeOf } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { listRunningInstances } from '../quotas/running-instances.ts';
import { limitOn, marketOfInstance } from '../quotas/limits-on-instances.ts';
import { listProcessorCounts } from './processors.ts';

type QuotaQuestion = { readonly types: readonly string[]; readonly market: Market; readonly isolatedVpc: boolean };

/** By the largest of the types; nothing where AWS knows none of them. */
export async function instanceQuota(
  context: AwsContext,
  { types, market, isolatedVpc }: QuotaQuestion,
  signal: AbortSignal,
): Promise<InstanceQuota | undefined> {
  const sizes = await listProcessorCounts(context, types, signal);
  const [largest] = [...sizes].toSorted(
    inOrder(
      inReverse(byNumberOf(([, count]) => count)),
      byTextOf(([type]) => type),
    ),
  );
  const limit = largest === undefined ? undefined : limitOn(largest[0], market);
  if (largest === undefined || limit === undefined) return undefined;
  const room = isolatedVpc ? unreachable : await roomIn(context, { code: limit.code, market }, signal);
  return { ...limit, vcpusPerInstance: largest[1], room };
}

const unreachable = { kind: 'unknown', why: 'ISOLATED_VPC is set' } as const;

type Limit = { readonly code: string; readonly market: Market };

/** The quota is optional: without the permission to read limits everything else works. */
async function roomIn(context: AwsContext, limit: Limit, signal: AbortSignal): Promise<InstanceQuota['room']> {
  try {
    const value = await readQuotaValue(context, limit, signal);
    if (value === undefined) return { kind: 'unknown', why: 'Service Quotas names no value' };
    return { kind: 'known', limit: value, used: await usedOf(context, limit, signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'unknown', why: `${awsCodeOf(error)}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function readQuotaValue({ call, clients }: AwsContext, { code }: Limit, signal: AbortSignal) {
  const request = { ServiceCode: 'ec2', QuotaCode: code };
  const { Quota } = await call(
    (options) => clients.serviceQuotas.send(new GetServiceQuotaCommand(request), options),
    signal,
  );
  return Quota?.Value;
}

/** vCPUs of what runs in the account and counts against the limit. */
async function usedOf(context: AwsContext, { code, market }: Limit, signal: AbortSignal): Promise<number> {
  const counted = (await listRunningInstances(context, signal)).flatMap((instance) => {
    const { InstanceType: type } = instance;
    return type !== undefined && marketOfInstance(instance) === market && limitOn(type, market)?.code === code
      ? [type]
      : [];
  });
  const sizes = await listProcessorCounts(context, [...new Set(counted)].toSorted(), signal);
  return counted.reduce((sum, type) => sum + (sizes.get(type) ?? 0), 0);
}
