import { RunInstancesCommand, type RunInstancesRequest } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';
import { codeOf, meaningOf } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { nodeClassTags, tagList } from '../tags.ts';

export type DryRunOutcome =
  | { readonly kind: 'permitted' }
  /** EC2 is busy or at fault: nothing is known. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Asks EC2 whether it would run an instance of the NodeClass, in each subnet until it would in one. */
export async function dryRun(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  signal: AbortSignal,
): Promise<DryRunOutcome> {
  let first: DryRunOutcome = { kind: 'unknown' };
  for (const [index, { id }] of (nodeClass.status?.subnets ?? []).entries()) {
    const outcome = await dryRunIn(id, { context, nodeClass, signal });
    if (outcome.kind === 'permitted') return outcome;
    if (index === 0) first = outcome;
  }
  return first;
}

type Asking = { readonly context: AwsContext; readonly nodeClass: EC2NodeClass; readonly signal: AbortSignal };

async function dryRunIn(SubnetId: string, { context, nodeClass, signal }: Asking): Promise<DryRunOutcome> {
  const { call, clients } = context;
  try {
    // Given, because the SDK would draw one by chance.
    const ClientToken = `${nodeClass.metadata.uid ?? nodeClass.metadata.name}-${SubnetId}`.slice(0, 64);
    const command = new RunInstancesCommand({ ...runRequest(context, nodeClass), SubnetId, ClientToken });
    await call((options) => clients.ec2.send(command, options), signal);
    return { kind: 'permitted' };
  } catch (error) {
    if (codeOf(error) === 'DryRunOperation') return { kind: 'permitted' };
    if (['throttled', 'serverFault'].includes(meaningOf(error))) return { kind: 'unknown' };
    if (!(error instanceof Error) || !('$metadata' in error)) throw error;
    return { kind: 'refused', code: codeOf(error), message: error.message };
  }
}

/** All that a launch makes: policies may allow nothing without the cluster's tag. */
const tagged = ['instance', 'volume', 'network-interface'] as const;

function runRequest({ clusterName }: AwsContext, nodeClass: EC2NodeClass): RunInstancesRequest {
  const { amis = [], securityGroups = [], instanceProfile } = nodeClass.status ?? {};
  const [ami] = amis;
  const isArm = ami?.requirements.some(({ key, values }) => key === 'kubernetes.io/arch' && values?.includes('arm64'));
  const Tags = tagList(nodeClassTags(nodeClass, clusterName));
  return {
    DryRun: true,
    MinCount: 1,
    MaxCount: 1,
    InstanceType: isArm ? 'm6g.large' : 'm5.large',
    ImageId: ami?.id,
    SecurityGroupIds: securityGroups.map(({ id }) => id),
    ...(instanceProfile === undefined ? {} : { IamInstanceProfile: { Name: instanceProfile } }),
    TagSpecifications: tagged.map((ResourceType) => ({ ResourceType, Tags })),
  };
}
