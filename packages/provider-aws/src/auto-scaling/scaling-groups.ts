import {
  CompleteLifecycleActionCommand,
  DescribeAutoScalingGroupsCommand,
  RecordLifecycleActionHeartbeatCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { awsTags } from '@nodewright/apis';
import { CloudError, type ScalingGroupPort } from '@nodewright/ports';
import { awsCodeOf, isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';
import { describedScalingGroup, findGroup } from './described-scaling-group.ts';
import { groupMemory, type GroupMemory } from './group-memory.ts';
import { instanceQuota } from './instance-quota.ts';
import { pointedAt } from './template-reference.ts';
import { resizeScalingGroup } from './resize.ts';
import { createTemplateVersion } from './templates.ts';

/** Whether the network ends at the VPC: then Service Quotas cannot be asked. */
type ScalingGroupReach = { readonly isolatedVpc: boolean };

/** Auto Scaling groups, as far as their nodes can be replaced. */
export const scalingGroups = (bare: AwsContext, reach: ScalingGroupReach): ScalingGroupPort =>
  createScalingGroupPort({ ...bare, memory: groupMemory(bare.clock) }, reach);

const createScalingGroupPort = (
  context: AwsContext & { readonly memory: GroupMemory },
  reach: ScalingGroupReach,
): ScalingGroupPort => ({
  list: (signal) => listScalingGroups(context, signal),
  describe: async (name, signal) => {
    const group = await findGroup(context, name, signal);
    return group === undefined ? undefined : describedScalingGroup(context, group, signal);
  },
  quota: (question, signal) => instanceQuota(context, { ...question, ...reach }, signal),
  createTemplateVersion: (request, signal) => createTemplateVersion(context, request, signal),
  pointAt: (name, version, signal) => pointAt(context, { name, version }, signal),
  resize: (name, size, signal) => resizeScalingGroup(context, { name, ...size }, signal),
  suspend: async (name, processes, signal) => {
    const request = { AutoScalingGroupName: name, ScalingProcesses: [...processes] };
    await context.call(
      (options) => context.clients.autoScaling.send(new SuspendProcessesCommand(request), options),
      signal,
    );
  },
  resume: async (name, processes, signal) => {
    const request = { AutoScalingGroupName: name, ScalingProcesses: [...processes] };
    await context.call(
      (options) => context.clients.autoScaling.send(new ResumeProcessesCommand(request), options),
      signal,
    );
  },
  answerHook: (request, signal) => answerHook(context, request, signal),
  discard: (id, signal) => discard(context, id, signal),
  terminate: (id, options, signal) => terminateGroupInstance(context, { id, ...options }, signal),
});

const eksNodeGroupTag = 'eks:nodegroup-name';

async function listScalingGroups(
  { call, clients, clusterName }: AwsContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = { Filters: [{ Name: 'tag-key', Values: [awsTags.cluster(clusterName)] }] };
  const pages = await readAllPages((NextToken) =>
    call(
      (options) => clients.autoScaling.send(new DescribeAutoScalingGroupsCommand({ ...request, NextToken }), options),
      signal,
    ),
  );
  return pages
    .flatMap(({ AutoScalingGroups = [] }) => AutoScalingGroups)
    .filter(({ Tags = [] }) => Tags.every(({ Key }) => Key !== eksNodeGroupTag))
    .map(({ AutoScalingGroupName = '' }) => AutoScalingGroupName)
    .toSorted();
}

async function pointAt(
  context: AwsContext,
  { name, version }: { readonly name: string; readonly version: string },
  signal: AbortSignal,
): Promise<void> {
  const group = await findGroup(context, name, signal);
  const place = group === undefined ? undefined : pointedAt(group, version);
  if (place === undefined) {
    const message = `the Auto Scaling group ${name} launches from no launch template`;
    throw new CloudError(message, { code: 'NoLaunchTemplate', retry: 'backOff' });
  }
  const request = { AutoScalingGroupName: name, ...place };
  await context.call(
    (options) => context.clients.autoScaling.send(new UpdateAutoScalingGroupCommand(request), options),
    signal,
  );
}

async function terminateGroupInstance(
  { call, clients }: AwsContext,
  { id, decrement }: { readonly id: string; readonly decrement: boolean },
  signal: AbortSignal,
): Promise<void> {
  const request = { InstanceId: id, ShouldDecrementDesiredCapacity: decrement };
  try {
    await call(
      (options) => clients.autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(request), options),
      signal,
    );
  } catch (error) {
    if (!isUnknownInstance(error)) throw error;
  }
}

/** Auto Scaling ends no warm instances when it is asked to. */
async function discard({ call, clients }: AwsContext, id: string, signal: AbortSignal): Promise<void> {
  const command = new TerminateInstancesCommand({ InstanceIds: [id] });
  try {
    await call((options) => clients.ec2.send(command, options), signal);
  } catch (error) {
    if (!isAwsNotFound(error)) throw error;
  }
}

async function answerHook(
  { call, clients }: AwsContext,
  { group, hook, instanceId, answer }: Parameters<ScalingGroupPort['answerHook']>[0],
  signal: AbortSignal,
): Promise<void> {
  const action = { AutoScalingGroupName: group, LifecycleHookName: hook, InstanceId: instanceId };
  const { autoScaling } = clients;
  try {
    await call<object>(
      (options) =>
        answer === 'heartbeat'
          ? autoScaling.send(new RecordLifecycleActionHeartbeatCommand(action), options)
          : autoScaling.send(
              new CompleteLifecycleActionCommand({ ...action, LifecycleActionResult: 'CONTINUE' }),
              options,
            ),
      signal,
    );
  } catch (error) {
    if (!isNotWaiting(error)) throw error;
  }
}

/** The API has no code of its own for what is not there. */
const isInvalid = (error: unknown): error is Error => error instanceof Error && awsCodeOf(error) === 'ValidationError';

const isUnknownInstance = (error: unknown): boolean => isInvalid(error) && /not found/i.test(error.message);

const isNotWaiting = (error: unknown): boolean =>
  isInvalid(error) && /no active lifecycle action|not found/i.test(error.message);
