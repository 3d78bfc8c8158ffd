import { byTextOf, type Instant, byNumberOf, inOrder } from '@nodewright/apis';
import { requirementsIntersect, parseRequirements } from '@nodewright/requirements';
import type { InstanceType, Offering } from '@nodewright/engine';
import {
  CloudError,
  type Instance,
  type InstancePort,
  type InstancePresence,
  type LaunchOutcome,
  type LaunchRequest,
} from '@nodewright/ports';

/** Instances in memory. A launch repeated with the same claim and attempt returns what it returned before. */
export class FakeInstances implements InstancePort {
  readonly #now: () => Instant;
  readonly #instances = new Map<string, Instance>();
  /** What EC2 still describes as terminated. */
  readonly #ended = new Set<string>();
  readonly #hidden = new Set<string>();
  readonly #answers = new Map<string, LaunchOutcome>();
  readonly #refusals: LaunchOutcome[] = [];
  readonly #listeners: ((instance: Instance, request: LaunchRequest) => void)[] = [];
  #answerTo: (request: LaunchRequest) => LaunchOutcome | undefined = () => undefined;
  #launches = 0;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Every launch that was asked for, repeated ones too. */
  readonly requests: LaunchRequest[] = [];

  onLaunch(listener: (instance: Instance, request: LaunchRequest) => void): void {
    this.#listeners.push(listener);
  }

  /** The next new launch ends like this. */
  refuseNext(outcome: LaunchOutcome): void {
    this.#refusals.push(outcome);
  }

  /** New launches end as the answer says, as long as it says something. */
  refuse(answer: (request: LaunchRequest) => LaunchOutcome | undefined): void {
    this.#answerTo = answer;
  }

  /** As if it had been launched before. */
  put(instance: Instance): void {
    this.#instances.set(instance.providerId, instance);
  }

  /** As if it were terminated from outside. */
  lose(providerId: string): void {
    this.#end(providerId);
  }

  /** As if reads of EC2 lagged: what exists is not described until it is shown again. */
  hide(providerId: string): void {
    this.#hidden.add(providerId);
  }

  show(providerId: string): void {
    this.#hidden.delete(providerId);
  }

  /** As if EC2 said from now on that it is in this reservation, or in none. */
  moveToReservation(providerId: string, reservationId: string | undefined): void {
    const instance = this.#instances.get(providerId);
    if (instance === undefined) return;
    const { reservationId: _left, ...rest } = instance;
    const bought: Pick<Instance, 'capacityType' | 'reservationId'> =
      reservationId === undefined ? { capacityType: 'on-demand' } : { capacityType: 'reserved', reservationId };
    this.#instances.set(providerId, { ...rest, ...bought });
  }

  get running(): readonly Instance[] {
    return [...this.#instances.values()].filter(({ state }) => state === 'running');
  }

  async launch(request: LaunchRequest, signal?: AbortSignal): Promise<LaunchOutcome> {
    signal?.throwIfAborted();
    this.requests.push(request);
    const token = `${request.claim.metadata.uid ?? ''}/${request.attempt}`;
    const answered = this.#answers.get(token);
    if (answered !== undefined) return answered;
    const outcome = this.#refusals.shift() ?? this.#answerTo(request) ?? this.#launchCheapest(request);
    this.#answers.set(token, outcome);
    return outcome;
  }

  async get(providerId: string): Promise<Instance | undefined> {
    return this.#hidden.has(providerId) ? undefined : this.#instances.get(providerId);
  }

  lastSeen(providerId: string): Promise<Instance | undefined> {
    return this.get(providerId);
  }

  async checkPresence(providerId: string): Promise<InstancePresence> {
    if (this.#hidden.has(providerId)) return 'unknown';
    if (this.#instances.has(providerId)) return 'present';
    return this.#ended.has(providerId) || !isProviderId(providerId) ? 'ended' : 'unknown';
  }

  async list(signal?: AbortSignal): Promise<readonly Instance[]> {
    signal?.throwIfAborted();
    const shown = [...this.#instances.values()].filter(({ providerId }) => !this.#hidden.has(providerId));
    return shown.toSorted(byTextOf(({ id }) => id));
  }

  /** The first call begins the end, the next finds it done. */
  async terminate(providerId: string): Promise<'terminating' | 'gone' | 'unknown'> {
    const instance = this.#instances.get(providerId);
    const isEnded = this.#ended.has(providerId) || !isProviderId(providerId);
    if (instance === undefined) return isEnded && !this.#hidden.has(providerId) ? 'gone' : 'unknown';
    if (instance.state === 'shutting-down') {
      this.#end(providerId);
      return this.#hidden.has(providerId) ? 'unknown' : 'gone';
    }
    this.#instances.set(providerId, { ...instance, state: 'shutting-down' });
    return this.#hidden.has(providerId) ? 'unknown' : 'terminating';
  }

  async tag(providerId: string, tags: Readonly<Record<string, string>>): Promise<void> {
    if (!isProviderId(providerId)) return;
    const instance = this.#instances.get(providerId);
    if (instance === undefined) {
      const code = 'InvalidInstanceID.NotFound';
      throw new CloudError(`${code}: there is no instance ${providerId}`, { code, retry: 'backOff' });
    }
    this.#instances.set(providerId, { ...instance, tags: { ...instance.tags, ...tags } });
  }

  #end(providerId: string): void {
    if (this.#instances.delete(providerId)) this.#ended.add(providerId);
  }

  #launchCheapest(request: LaunchRequest): LaunchOutcome {
    const [choice] = choicesOf(request);
    const [image] = request.images;
    if (choice === undefined || image === undefined) {
      return { kind: 'insufficientCapacity', message: 'nothing suits the claim' };
    }
    this.#launches += 1;
    const instance = this.#instanceOf(request, { ...choice, imageId: image.id });
    this.#instances.set(instance.providerId, instance);
    for (const listener of this.#listeners) listener(instance, request);
    return { kind: 'launched', instance, instanceType: choice.type, offering: choice.offering };
  }

  #instanceOf({ claim }: LaunchRequest, { type, offering, imageId }: Choice & { readonly imageId: string }): Instance {
    const id = `i-${String(this.#launches).padStart(17, '0')}`;
    return {
      id,
      providerId: `aws:///${offering.zone}/${id}`,
      instanceType: type.name,
      zone: offering.zone,
      capacityType: offering.capacityType,
      imageId,
      privateDnsName: `ip-192-168-0-${this.#launches}.ec2.internal`,
      state: 'running',
      launchedAt: this.#now(),
      tags: { 'karpenter.sh/nodeclaim': claim.metadata.name },
      subnetId: `subnet-${offering.zone.at(-1) ?? ''}`,
      tenancy: 'default',
      securityGroupIds: ['sg-nodes'],
    };
  }
}

const isProviderId = (text: string): boolean => /^aws:\/\/\/[^/]+\/i-[^/]+$/.test(text);

type Choice = { readonly type: InstanceType; readonly offering: Offering };

/** Cheapest first. */
function choicesOf({ claim, instanceTypes }: LaunchRequest): readonly Choice[] {
  const requirements = parseRequirements(claim.spec.requirements);
  return instanceTypes
    .flatMap((type) => type.offerings.map((offering) => ({ type, offering })))
    .filter(({ offering }) => offering.available && requirementsIntersect(requirements, offering.requirements))
    .toSorted(
      inOrder(
        byNumberOf(({ offering }) => offering.priceMicroUsdPerHour),
        byTextOf(({ type }) => type.name),
      ),
    );
}
