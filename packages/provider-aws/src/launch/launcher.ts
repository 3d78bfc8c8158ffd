import { createHash } from 'node:crypto';
import {
  CreateFleetCommand,
  type CreateFleetError,
  type CreateFleetInstance,
  type CreateFleetRequest,
} from '@aws-sdk/client-ec2';
import type { DeniedLaunch } from '../calls/provider-counters.ts';
import { awsTags, type Instant, karpenterAnnotations, minutes } from '@nodewright/apis';
import type { InstanceType, Offering } from '@nodewright/engine';
import type { Instance, LaunchOutcome, LaunchRequest } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import { classifyError, awsCodeOf, isEndpointError } from '../calls/error-codes.ts';
import type { ReservationLookup } from '../found/capacity-reservations/capacity-reservations.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterLookup } from '../control-plane/cluster.ts';
import type { InstanceProfiles } from './instance-profiles.ts';
import type { LaunchTemplateStore } from './templates/launch-templates.ts';
import { partitionOfOffering } from '../found/placement-groups/partition.ts';
import type { Subnets } from '../found/subnets.ts';
import { forbiddenTag, launchTags } from '../tags.ts';
import { ensureClaimTemplates } from './claim-templates.ts';
import type { DescribedInstances } from '../instances/described-instances.ts';
import { isUnfulfillable, fleetOutcomeOf, refusalReason, rememberUnavailable } from './fleet/fleet-errors.ts';
import { fleetRequest } from './fleet/fleet-request.ts';
import { typeAsLaunched } from '../node-settings/fabric-adapters.ts';
import { providerIdOf } from '../instances/instance.ts';
import { chooseLaunch, type LaunchChoice } from './options/launch-options.ts';
import type { LaunchOption } from './options/launch-option.ts';
import { chooseTenancy } from './options/tenancy.ts';
import type { InstanceTypes } from '../market/types/instance-types.ts';
import type { UnavailableOfferings } from '../market/unavailable-offerings.ts';

export type LauncherDeps = {
  readonly context: AwsContext;
  readonly cluster: ClusterLookup;
  readonly templates: LaunchTemplateStore;
  readonly types: Pick<InstanceTypes, 'kubeletOf'>;
  readonly profiles: InstanceProfiles;
  readonly subnets: Subnets;
  readonly unavailable: UnavailableOfferings;
  readonly reservations: ReservationLookup;
  readonly described: DescribedInstances;
};

const instancesSettledAfterMs = minutes(1);

const nothingToBuy = 'all requested instance types were unavailable during launch';

/** Turns a claim into an instance, with one fleet of one. */
export class Launcher {
  readonly #deps: LauncherDeps;
  /** When each used client token was first refused, for as long as a claim may try to launch. */
  readonly #refusedSince: ExpiringCache<Instant>;

  constructor(deps: LauncherDeps) {
    this.#deps = deps;
    this.#refusedSince = new ExpiringCache(deps.context.clock, minutes(5));
  }

  async launch(request: LaunchRequest, signal: AbortSignal): Promise<LaunchOutcome> {
    const tag = forbiddenTag(request.nodeClass);
    if (tag !== undefined)
      return { kind: 'nodeClassNotReady', message: `tag ${tag} of EC2NodeClass is set by the controller` };
    const choice = chooseLaunch(request, this.#deps.unavailable);
    if (choice === undefined) return { kind: 'insufficientCapacity', message: nothingToBuy };
    const outcome = await this.#launch(request, choice, signal).catch((error: unknown) => this.#refusal(error, choice));
    if (outcome.kind === 'refused') await this.#mend(outcome.reason, request, signal);
    return outcome;
  }

  /** Creates again what was deleted outside of the controller, so that the next attempt finds it. */
  async #mend(reason: string, { nodeClass }: LaunchRequest, signal: AbortSignal): Promise<void> {
    if (reason === 'LaunchTemplateNotFound') this.#deps.templates.forgetAll();
    if (reason === 'InstanceProfileNameInvalid') await this.#deps.profiles.ensureAnew(nodeClass, signal);
  }

  async #launch(request: LaunchRequest, choice: LaunchChoice, signal: AbortSignal): Promise<LaunchOutcome> {
    const { claim, nodeClass } = request;
    const { context, subnets } = this.#deps;
    const tags = launchTags(nodeClass, claim, context.clusterName);
    const templateOf = await ensureClaimTemplates(this.#deps, { request, choice, tags, signal });
    const fleet = fleetRequest({
      choice,
      subnets: await subnets.perZone(nodeClass, signal),
      templateOf,
      tags: { ...tags, [awsTags.nodeClaim]: claim.metadata.name },
      clientToken: clientToken(request),
      inOrder: claim.metadata.annotations?.[karpenterAnnotations.priceOverlayApplied] === 'true',
      ...(nodeClass.spec.context === undefined ? {} : { context: nodeClass.spec.context }),
    });
    if (fleet === undefined) return { kind: 'insufficientCapacity', message: 'no zone of the claim has a subnet' };
    return this.#create(fleet, { request, choice, signal });
  }

  async #create(fleet: CreateFleetRequest, launch: Launch): Promise<LaunchOutcome> {
    const { context, unavailable, reservations } = this.#deps;
    try {
      const { Instances = [], Errors = [] } = await context.call(
        (options) => context.clients.ec2.send(new CreateFleetCommand(fleet), options),
        launch.signal,
        { tokens: { CreateFleet: 1, 'launched instances': 1 } },
      );
      const found = rememberUnavailable(Errors, launch.choice, { unavailable, reservations });
      for (const failed of listFailedLaunches(Errors, launch)) context.counters.launchFailed(failed);
      const [granted] = Instances;
      return granted === undefined ? fleetOutcomeOf(Errors, found) : this.#launched(granted, fleet, launch);
    } catch (error) {
      if (classifyError(error) === 'idempotencyMismatch') return this.#adopted(error, launch);
      throw error;
    }
  }

  /**
   * EC2 refuses a client token with other contents: an earlier call used it, with other prices or templates. The
   * instance of that call, if there is one, carries the claim's tag.
   */
  async #adopted(mismatch: unknown, { request, signal }: Launch): Promise<LaunchOutcome> {
    const instance = await this.#deps.described.ofClaim(request.claim.metadata.name, signal);
    const instanceType = request.instanceTypes.find(({ name }) => name === instance?.instanceType);
    const offering = instanceType?.offerings.find(
      (offered) =>
        offered.zone === instance?.zone &&
        offered.capacityType === instance.capacityType &&
        (offered.reservation === undefined || offered.reservation.id === instance.reservationId) &&
        partitionOfOffering(offered) === instance.partition,
    );
    if (instance !== undefined && instanceType !== undefined && offering !== undefined) {
      return { kind: 'launched', instance, instanceType: typeGiven(instanceType, request), offering };
    }
    if (instance !== undefined || this.#mayStillAppear(request)) throw mismatch;
    return {
      kind: 'refused',
      reason: 'LaunchFailed',
      message: 'an earlier launch with the same token brought no instance',
    };
  }

  /**
   * EC2 describes an instance some time after the launch. The time of the call that used the token is unknown, so the
   * wait starts at the first refusal.
   */
  #mayStillAppear(request: LaunchRequest): boolean {
    const token = clientToken(request);
    const now = this.#deps.context.clock.now();
    const since = this.#refusedSince.get(token) ?? now;
    this.#refusedSince.set(token, since);
    return now < since + instancesSettledAfterMs;
  }

  #launched(granted: CreateFleetInstance, fleet: CreateFleetRequest, launch: Launch): LaunchOutcome {
    const option = optionOf(granted, launch.choice);
    const id = granted.InstanceIds?.[0];
    if (option === undefined || id === undefined) throw new Error('EC2 granted an instance that was not asked for');
    const overrides = granted.LaunchTemplateAndOverrides?.Overrides;
    if (overrides?.SubnetId !== undefined)
      this.#deps.subnets.took(overrides.SubnetId, option.type.capacity['pods'] ?? 0);
    const { type, offering } = option;
    if (offering.reservation !== undefined) this.#deps.reservations.launched(id, offering.reservation.id);
    return {
      kind: 'launched',
      instance: this.#instance({ id, option, fleet, overrides }, launch),
      instanceType: typeGiven(type, launch.request),
      offering,
    };
  }

  #instance({ id, option, fleet, overrides }: Granted, { request }: Launch): Instance {
    const { type, offering, image } = option;
    const { SubnetId } = overrides ?? {};
    const tags = fleet.TagSpecifications?.find(({ ResourceType }) => ResourceType === 'instance')?.Tags ?? [];
    return {
      id,
      providerId: providerIdOf(offering.zone, id),
      instanceType: type.name,
      zone: offering.zone,
      capacityType: offering.capacityType,
      ...(offering.reservation === undefined ? {} : { reservationId: offering.reservation.id }),
      ...partitionIn(offering),
      tenancy: chooseTenancy(request.claim),
      imageId: image.id,
      privateDnsName: '',
      state: 'pending',
      launchedAt: this.#deps.context.clock.now(),
      tags: Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value])),
      ...(SubnetId === undefined ? {} : { subnetId: SubnetId }),
      securityGroupIds: (request.nodeClass.status?.securityGroups ?? []).map(({ id }) => id),
    };
  }

  /** Refusals that a caller tells from one another; everything else stays an error. */
  #refusal(error: unknown, { capacityType }: LaunchChoice): LaunchOutcome {
    if (!(error instanceof Error)) throw error;
    const failed = { zone: '', zoneId: '', capacityType, reason: awsCodeOf(error) };
    this.#deps.context.counters.launchFailed(failed);
    if (error instanceof SyntaxError)
      return { kind: 'refused', reason: 'LaunchFailed', message: error.message, mayRepeat: true };
    const message = `${awsCodeOf(error)}: ${error.message}`;
    if (isUnfulfillable(awsCodeOf(error))) return { kind: 'insufficientCapacity', message };
    const reason = refusalReason(message);
    if (reason === 'LaunchFailed' || isEndpointError(error)) throw error;
    return { kind: 'refused', reason, message, mayRepeat: true };
  }
}

const typeGiven = (type: InstanceType, { claim, nodeClass }: LaunchRequest): InstanceType =>
  typeAsLaunched(type, claim, (nodeClass.spec.networkInterfaces ?? []).length > 0);

function partitionIn(offering: Offering): Pick<Instance, 'partition'> {
  const partition = partitionOfOffering(offering);
  return partition === undefined ? {} : { partition };
}

type Launch = { readonly request: LaunchRequest; readonly choice: LaunchChoice; readonly signal: AbortSignal };

/** The places that a fleet did not get its instance in. */
const listFailedLaunches = (
  errors: readonly CreateFleetError[],
  { choice: { capacityType }, request: { nodeClass } }: Launch,
): readonly DeniedLaunch[] =>
  errors.map(({ ErrorCode: reason = '', LaunchTemplateAndOverrides }) => {
    const zone = LaunchTemplateAndOverrides?.Overrides?.AvailabilityZone ?? '';
    const subnet = nodeClass.status?.subnets?.find((each) => each.zone === zone);
    return { zone, zoneId: subnet?.zoneID ?? '', capacityType, reason };
  });

type Granted = {
  readonly id: string;
  readonly option: LaunchOption;
  readonly fleet: CreateFleetRequest;
  readonly overrides: NonNullable<CreateFleetInstance['LaunchTemplateAndOverrides']>['Overrides'];
};

/** Derived from what is stored on the claim, so that a repeated call after a restart is the same call. */
const clientToken = ({ claim, attempt }: LaunchRequest): string =>
  createHash('sha256').update(`${claim.metadata.uid} ${attempt}`).digest('hex');

function optionOf(
  { InstanceType, LaunchTemplateAndOverrides }: CreateFleetInstance,
  choice: LaunchChoice,
): LaunchOption | undefined {
  const overrides = LaunchTemplateAndOverrides?.Overrides;
  const name = InstanceType ?? overrides?.InstanceType;
  const zone = overrides?.AvailabilityZone;
  return choice.options.find(({ type, offering }) => type.name === name && offering.zone === zone);
}
