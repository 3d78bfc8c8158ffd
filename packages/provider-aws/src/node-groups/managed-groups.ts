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
import { codeOf, isNotFound } from '../calls/error-codes.ts';
import { isUnknownOperation } from '../calls/unknown-operations.ts';
import type { AwsContext } from '../context.ts';
import { allPages } from '../calls/pages.ts';
import { describedGroup, describedUpdate } from './described-group.ts';
import { releaseOf } from './releases.ts';

/** The managed node groups of the cluster. */
export const managedGroups = (context: AwsContext): ManagedGroupPort => ({
  list: (signal) => list(context, signal),
  describe: (group, signal) => describe(context, group, signal),
  startUpdate: ({ group, target, force, token }, signal) =>
    started(
      context.call((options) => {
        const what =
          target.kind === 'release'
            ? { version: target.kubernetesVersion, releaseVersion: target.release }
            : { launchTemplate: { id: target.id, version: target.version } };
        const request = { ...named(context, group), ...what, force, clientRequestToken: token };
        return context.clients.eks.send(new UpdateNodegroupVersionCommand(request), options);
      }, signal),
    ),
  configure: ({ group, config, token }, signal) =>
    started(
      context.call((options) => {
        const updateConfig = configFor(config);
        const request = { ...named(context, group), updateConfig, clientRequestToken: token };
        return context.clients.eks.send(new UpdateNodegroupConfigCommand(request), options);
      }, signal),
    ),
  describeUpdate: (group, id, signal) => describeUpdate(context, { group, id }, signal),
  updateUnderWay: (group, signal) => updateUnderWay(context, group, signal),
  releaseOf: (question, signal) => releaseOf(context, question, signal),
});

const named = ({ clusterName }: AwsContext, group: string) => ({ clusterName, nodegroupName: group });

/** None where EKS does not know the cluster: then it runs somewhere else. */
async function list({ call, clients, clusterName }: AwsContext, signal: AbortSignal): Promise<readonly string[]> {
  const pages = await ifFound(() =>
    allPages(async (nextToken) => {
      const answer = await call(
        (options) => clients.eks.send(new ListNodegroupsCommand({ clusterName, nextToken }), options),
        signal,
      );
      return { names: answer.nodegroups ?? [], NextToken: answer.nextToken };
    }),
  );
  return (pages ?? []).flatMap(({ names }) => names).toSorted();
}

const describe = (context: AwsContext, group: string, signal: AbortSignal): Promise<ManagedGroup | undefined> =>
  ifFound(async () => {
    const { nodegroup } = await context.call(
      (options) => context.clients.eks.send(new DescribeNodegroupCommand(named(context, group)), options),
      signal,
    );
    return nodegroup === undefined ? undefined : describedGroup(nodegroup);
  });

const describeUpdate = (
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
async function updateUnderWay(
  context: AwsContext,
  group: string,
  signal: AbortSignal,
): Promise<SeenUpdate | undefined> {
  const pages = await allPages(async (nextToken) => {
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
    const update = await describeUpdate(context, { group, id }, signal);
    if (update?.status === 'InProgress') return update;
  }
  return undefined;
}

const configFor = ({ strategy, maxUnavailable, maxUnavailablePercentage }: GroupUpdateConfig) => ({
  ...(strategy === undefined ? {} : { updateStrategy: strategy }),
  ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  ...(maxUnavailablePercentage === undefined ? {} : { maxUnavailablePercentage }),
});

const refusals = new Set([
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
    const code = codeOf(error);
    if (!(error instanceof Error)) throw error;
    if (code === 'ResourceInUseException') return { kind: 'busy', message: error.message };
    if (refusals.has(code)) return { kind: 'refused', message: `${code}: ${error.message}` };
    if (isUnknownOperation(error))
      return { kind: 'refused', message: `EKS is not served here as far as that: ${error.message}` };
    throw error;
  }
}

async function ifFound<T>(lookup: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await lookup();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
