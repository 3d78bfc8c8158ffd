import {
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  ListNodegroupsCommand,
  ListUpdatesCommand,
  UpdateNodegroupConfigCommand,
  UpdateNodegroupVersionCommand,
  type Update,
} from '@aws-sdk/client-eks';
import type { GroupUpdateConfig, ManagedGroup, ManagedGroupPort, SeenUpdate, StartOutcome } from '@nodewright/ports';
import { awsCodeOf, isAwsNotFound } from '../calls/error-codes.ts';
import { isUnknownOperation } from '../calls/unknown-operations.ts';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';
import { describedGroup, describedUpdate } from './described-group.ts';
import { releaseOf } from './releases.ts';

/** The managed node groups of the cluster. */
export const managedGroups = (context: AwsContext): ManagedGroupPort => ({
  list: (signal) => listManagedGroups(context, signal),
  describe: (group, signal) => describeManagedGroup(context, group, signal),
  startUpdate: ({ group, target, force, token }, signal) =>
    started(
      context.call((options) => {
        const what =
          target.kind === 'release'
            ? { version: target.kubernetesVersion, releaseVersion: target.release }
            : { launchTemplate: { id: target.id, version: target.version } };
        const request = { ...nodeGroupInput(context, group), ...what, force, clientRequestToken: token };
        return context.clients.eks.send(new UpdateNodegroupVersionCommand(request), options);
      }, signal),
    ),
  configure: ({ group, config, token }, signal) =>
    started(
      context.call((options) => {
        const updateConfig = configFor(config);
        const request = { ...nodeGroupInput(context, group), updateConfig, clientRequestToken: token };
        return context.clients.eks.send(new UpdateNodegroupConfigCommand(request), options);
      }, signal),
    ),
  describeUpdate: (group, id, signal) => describeManagedUpdate(context, { group, id }, signal),
  updateUnderWay: (group, signal) => findUpdateUnderWay(context, group, signal),
  releaseOf: (question, signal) => releaseOf(context, question, signal),
});

const nodeGroupInput = ({ clusterName }: AwsContext, group: string) => ({ clusterName, nodegroupName: group });

/** None where EKS does not know the cluster: then it runs somewhere else. */
async function listManagedGroups(
  { call, clients, clusterName }: AwsContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const pages = await ifFound(() =>
    readAllPages(async (nextToken) => {
      const answer = await call(
        (options) => clients.eks.send(new ListNodegroupsCommand({ clusterName, nextToken }), options),
        signal,
      );
      return { names: answer.nodegroups ?? [], NextToken: answer.nextToken };
    }),
  );
  return (pages ?? []).flatMap(({ names }) => names).toSorted();
}

const describeManagedGroup = (
  context: AwsContext,
  group: string,
  signal: AbortSignal,
): Promise<ManagedGroup | undefined> =>
  ifFound(async () => {
    const { nodegroup } = await context.call(
      (options) => context.clients.eks.send(new DescribeNodegroupCommand(nodeGroupInput(context, group)), options),
      signal,
    );
    return nodegroup === undefined ? undefined : describedGroup(nodegroup);
  });

const describeManagedUpdate = (
  context: AwsContext,
  { group, id }: { readonly group: string; readonly id: string },
  signal: AbortSignal,
): Promise<SeenUpdate | undefined> =>
  ifFound(async () => {
    const { update } = await context.call(
      (options) =>
        context.clients.eks.send(
          new DescribeUpdateCommand({ name: context.clusterName, nodegroupName: group, updateId: id }),
          options,
        ),
      signal,
    );
    return update === undefined ? undefined : describedUpdate(update);
  });

/** The order of the list is not promised, so every update is looked at. */
async function findUpdateUnderWay(
  context: AwsContext,
  group: string,
  signal: AbortSignal,
): Promise<SeenUpdate | undefined> {
  const pages = await readAllPages(async (nextToken) => {
    const answer = await context.call(
      (options) =>
        context.clients.eks.send(
          new ListUpdatesCommand({ name: context.clusterName, nodegroupName: group, nextToken }),
          options,
        ),
      signal,
    );
    return { ids: answer.updateIds ?? [], NextToken: answer.nextToken };
  });
  for (const id of pages.flatMap(({ ids }) => ids)) {
    const update = await describeManagedUpdate(context, { group, id }, signal);
    if (update?.status === 'InProgress') return update;
  }
  return undefined;
}

const configFor = ({ strategy, maxUnavailable, maxUnavailablePercentage }: GroupUpdateConfig) => ({
  ...(strategy === undefined ? {} : { updateStrategy: strategy }),
  ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  ...(maxUnavailablePercentage === undefined ? {} : { maxUnavailablePercentage }),
});

const refusedUpdateErrors = new Set([
  'InvalidParameterException',
  'InvalidRequestException',
  'ClientException',
  'ResourceNotFoundException',
  'BadRequestException',
]);

async function started(call: Promise<{ readonly update?: Update | undefined }>): Promise<StartOutcome> {
  try {
    const { update } = await call;
    return { kind: 'started', updateId: update?.id ?? '' };
  } catch (error) {
    const code = awsCodeOf(error);
    if (!(error instanceof Error)) throw error;
    if (code === 'ResourceInUseException') return { kind: 'busy', message: error.message };
    if (refusedUpdateErrors.has(code)) return { kind: 'refused', message: `${code}: ${error.message}` };
    if (isUnknownOperation(error))
      return { kind: 'refused', message: `EKS is not served here as far as that: ${error.message}` };
    throw error;
  }
}

async function ifFound<T>(lookup: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await lookup();
  } catch (error) {
    if (isAwsNotFound(error)) return undefined;
    throw error;
  }
}
