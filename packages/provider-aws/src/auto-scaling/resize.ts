import { type AutoScalingGroup, UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import type { AwsContext } from '../context.ts';
import { findGroup } from './described-scaling-group.ts';
import { pointedAt, findTemplateReference } from './template-reference.ts';

type GroupSize = { readonly max: number; readonly desired: number };

/**
 * What a request leaves out stays as it is, says AWS. There are emulators that take a policy away which is not
 * said again, and the template with it; then it is said again.
 */
export async function resizeScalingGroup(
  context: AwsContext,
  { name, max, desired }: GroupSize & { readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const before = await findGroup(context, name, signal);
  await send(context, { AutoScalingGroupName: name, MaxSize: max, DesiredCapacity: desired }, signal);
  if (before?.MixedInstancesPolicy === undefined) return;
  const after = await findGroup(context, name, signal);
  if (after !== undefined && findTemplateReference(after) === undefined)
    await giveBack(context, { name, before }, signal);
}

async function giveBack(
  context: AwsContext,
  { name, before }: { readonly name: string; readonly before: AutoScalingGroup },
  signal: AbortSignal,
): Promise<void> {
  const version = findTemplateReference(before)?.version;
  const policy = version === undefined ? undefined : pointedAt(before, version);
  if (policy === undefined) return;
  context.log.warn('the endpoint dropped the mixed instances policy of a group whose size was set; it is set again', {
    group: name,
  });
  await send(context, { AutoScalingGroupName: name, ...policy }, signal);
}

const send = (
  { call, clients }: AwsContext,
  request: ConstructorParameters<typeof UpdateAutoScalingGroupCommand>[0],
  signal: AbortSignal,
): Promise<unknown> =>
  call((options) => clients.autoScaling.send(new UpdateAutoScalingGroupCommand(request), options), signal);
