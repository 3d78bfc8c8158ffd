import {
  CreateFleetCommand,
  type CreateFleetRequest,
  RunInstancesCommand,
  type RunInstancesRequest,
  type _InstanceType,
} from '@aws-sdk/client-ec2';
import { awsTags, type EC2NodeClass, type NodeClaim } from '@nodewright/apis';
import { callOnce } from '../calls/call-aws.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterLookup } from '../control-plane/cluster.ts';
import { amiFamilyOfNodeClass } from '../node-settings/kubelet-settings.ts';
import { launchTemplateData, type TemplateInput } from '../launch/templates/launch-template-data.ts';
import type { InstanceTypes } from '../market/types/instance-types.ts';
import type { LaunchTemplateStore } from '../launch/templates/launch-templates.ts';
import { nodeClassTags, toAwsTagList } from '../tags.ts';
import { bootLabels, bootTaints, customUserData, userData } from '../launch/user-data/user-data.ts';
import { trialOutcomeOf, type TrialOutcome } from './trial-outcome.ts';
import type { TrialType } from './trial-type.ts';

export type TrialDeps = {
  readonly context: AwsContext;
  readonly cluster: ClusterLookup;
  readonly templates: LaunchTemplateStore;
  readonly types: Pick<InstanceTypes, 'kubeletOf'>;
};

export type Trial = TrialType & {
  readonly nodeClass: EC2NodeClass;
  readonly tenancy: 'default' | 'dedicated';
};

/**
 * Goes the way of a launch without launching: makes a template, as launches do, and asks whether EC2 would accept a
 * fleet of it, and an instance in one subnet after the other until it would in one.
 * @throws SyntaxError when `spec.userData` is not of the family's form
 */
export async function tryLaunch(deps: TrialDeps, trial: Trial, signal: AbortSignal): Promise<TrialOutcome> {
  const input = await templateInput(deps, trial, signal);
  let template = '';
  const made = await trialOutcomeOf('CreateLaunchTemplate', async () => {
    template = await deps.templates.ensure(input, signal);
  });
  if (made.kind !== 'permitted') return made;
  const fleet = await trialOutcomeOf('CreateFleet', () => dryFleet(deps.context, { trial, template, input }, signal));
  return fleet.kind === 'permitted' ? tryInstances(deps.context, { trial, input }, signal) : fleet;
}

/** When no subnet would do, what the first one says counts. */
async function tryInstances(context: AwsContext, asked: TrialRequest, signal: AbortSignal): Promise<TrialOutcome> {
  let first: TrialOutcome = { kind: 'unknown' };
  for (const [index, { id }] of (asked.trial.nodeClass.status?.subnets ?? []).entries()) {
    const outcome = await trialOutcomeOf('RunInstances', () => dryRun(context, { ...asked, subnet: id }, signal));
    if (outcome.kind === 'permitted') return outcome;
    if (index === 0) first = outcome;
  }
  return first;
}

async function templateInput(
  { context, cluster: lookup, types }: TrialDeps,
  { nodeClass, type, image, tenancy }: Trial,
  signal: AbortSignal,
): Promise<TemplateInput> {
  const family = amiFamilyOfNodeClass(nodeClass);
  const { instanceStorePolicy } = nodeClass.spec;
  const cluster = await lookup.access(signal);
  const text = userData(family, {
    clusterName: context.clusterName,
    cluster,
    labels: bootLabels(nobodysClaim, family, 'on-demand'),
    taints: bootTaints(nobodysClaim),
    maxPods: type.capacity['pods'] ?? 0,
    kubelet: await types.kubeletOf(nodeClass, type.name, signal),
    ...(instanceStorePolicy === undefined ? {} : { instanceStorePolicy }),
    ...customUserData(nodeClass),
  });
  const tags = { ...nodeClassTags(nodeClass, context.clusterName), [awsTags.nodePool]: trialPool };
  return {
    nodeClass,
    family,
    imageId: image.id,
    userData: text,
    capacityType: 'on-demand',
    tenancy,
    ipFamily: cluster.ipFamily,
    region: context.region,
    fabricAdapters: 0,
    tags,
    reservations: 'notOurs',
  };
}

/** Policies may allow nothing without the tag of a NodePool, and a trial is for all of them. */
const trialPool = 'validation';

const nobodysClaim: NodeClaim = {
  metadata: { name: 'validation' },
  spec: { nodeClassRef: { group: '', kind: '', name: '' }, requirements: [] },
};

type TrialRequest = { readonly trial: Trial; readonly input: TemplateInput };

async function dryFleet(
  { call, clients }: AwsContext,
  { trial, template, input }: TrialRequest & { readonly template: string },
  signal: AbortSignal,
): Promise<void> {
  const { nodeClass, type, image } = trial;
  const Tags = toAwsTagList(input.tags);
  const request: CreateFleetRequest = {
    DryRun: true,
    Type: 'instant',
    // Given, because the SDK would draw one by chance.
    ClientToken: trialTokenOf(nodeClass, 'fleet'),
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
    OnDemandOptions: { AllocationStrategy: 'lowest-price' },
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: template, Version: '$Latest' },
        Overrides: (nodeClass.status?.subnets ?? []).map(({ id, zone }) => ({
          InstanceType: type.name as _InstanceType,
          SubnetId: id,
          ImageId: image.id,
          AvailabilityZone: zone,
        })),
      },
    ],
    TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((ResourceType) => ({ ResourceType, Tags })),
  };
  await call((options) => clients.ec2.send(new CreateFleetCommand(request), options), signal, callOnce);
}

/** All that a launch makes: policies may allow nothing without the cluster's tag. */
const taggedTrialResources = ['instance', 'volume', 'network-interface'] as const;

async function dryRun(
  { call, clients }: AwsContext,
  { trial, input, subnet }: TrialRequest & { readonly subnet: string },
  signal: AbortSignal,
): Promise<void> {
  const { nodeClass, type, image, tenancy } = trial;
  const { UserData, BlockDeviceMappings, MetadataOptions } = launchTemplateData(input);
  const { securityGroups = [], instanceProfile } = nodeClass.status ?? {};
  const Tags = toAwsTagList(input.tags);
  const request = {
    DryRun: true,
    ClientToken: trialTokenOf(nodeClass, subnet),
    MinCount: 1,
    MaxCount: 1,
    InstanceType: type.name as _InstanceType,
    ImageId: image.id,
    SubnetId: subnet,
    SecurityGroupIds: securityGroups.map(({ id }) => id),
    Placement: { Tenancy: tenancy },
    UserData,
    ...(BlockDeviceMappings === undefined ? {} : { BlockDeviceMappings }),
    ...(MetadataOptions === undefined ? {} : { MetadataOptions }),
    ...(instanceProfile === undefined ? {} : { IamInstanceProfile: { Name: instanceProfile } }),
    TagSpecifications: taggedTrialResources.map((ResourceType) => ({ ResourceType, Tags })),
  } satisfies RunInstancesRequest;
  await call((options) => clients.ec2.send(new RunInstancesCommand(request), options), signal, callOnce);
}

const trialTokenOf = ({ metadata }: EC2NodeClass, what: string): string =>
  `${metadata.uid ?? metadata.name}-${what}`.slice(0, 64);
