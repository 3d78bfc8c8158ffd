import { hours, instant, type Instant, seconds } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import type { BootedMachine, MachineBehavior, MachineListener } from '../machine.ts';
import { AwsError } from '../codec/aws-error.ts';
import { noFreeAddresses, noSuchSubnet } from './errors.ts';
import { AddressPool } from './addresses.ts';
import { interfacesOfInstance } from './launched-interfaces.ts';
import { namePrivateHost } from './private-host-name.ts';
import { instanceAsOf } from './as-of.ts';
import type { CapacityReservationModel } from './capacity-reservations.ts';
import type { ChangedAttributes, PurchaseType, Ec2Instance, LaunchSettings } from './instance.ts';
import type { Network, Ec2Subnet } from './network.ts';
import type { PlacementGroupModel } from './placement-groups.ts';
import type { TagBook } from './tags.ts';
import { volumesOf } from './volumes-of.ts';

/** How long the states between take, and how long a terminated instance is remembered. */
const startsWithin = { leastMs: seconds(3), spreadMs: seconds(4) };
const endsWithin = { leastMs: seconds(20), spreadMs: seconds(15) };
const endedRememberedMs = hours(1);

type InstancesDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
  readonly network: Network;
  readonly tags: TagBook;
  readonly reservations: CapacityReservationModel;
  readonly placementGroups: PlacementGroupModel;
  readonly ledger: Ledger;
  readonly machines: MachineListener;
  readonly machineOf: (instance: Ec2Instance) => BootedMachine;
  /** How a node launched now behaves, besides what its image does. */
  readonly behaviorsOf: (launched: LaunchedInstance) => readonly MachineBehavior[];
  /** How far behind descriptions are, in milliseconds. */
  readonly describesLagMs: () => number;
  /** Called with every state that an instance reaches, the first included. */
  readonly came?: (instanceId: string, state: Ec2Instance['state']) => void;
};

type LaunchedInstance = { readonly instanceType: string; readonly zone: string; readonly capacityType: PurchaseType };

/** Keeps every instance, from its launch until an hour after its end. */
export class Instances {
  readonly #deps: InstancesDeps;
  readonly #instances: Map<string, Ec2Instance>;
  readonly #addresses = new Map<string, AddressPool>();

  constructor(deps: InstancesDeps) {
    this.#deps = deps;
    this.#instances = deps.ledger.map('ec2/instances');
  }

  /**
   * Resumes the instances that were there before a restart: their addresses, their machines and their next states. The restart
   * may have come before the tags of a launch were written.
   */
  resume(): void {
    for (const instance of this.all()) {
      if (!this.#deps.tags.knows(instance.id)) this.#deps.tags.add(instance.id, instance.settings.instanceTags);
      if (instance.state !== 'terminated') this.#poolOf(instance.settings.subnetId)?.take(instance.privateIp);
      if (instance.isCold !== true) this.#deps.machines.launched(this.#deps.machineOf(instance));
      if (instance.state === 'shutting-down' || instance.state === 'terminated')
        this.#deps.machines.stopping(instance.id);
      this.#awaitNext(instance);
    }
  }

  get(id: string): Ec2Instance | undefined {
    return this.#instances.get(id);
  }

  /** In the order of their launches. */
  all(): readonly Ec2Instance[] {
    return [...this.#instances.values()];
  }

  /** How many instances a capacity reservation holds. */
  usingReservation(id: string): number {
    return this.all().filter(
      ({ capacityReservationId, state }) =>
        capacityReservationId === id && (state === 'pending' || state === 'running'),
    ).length;
  }

  /** Returns the instance as EC2 describes it now. Under the fault `stale-describes` this is an earlier state. */
  described(id: string): Ec2Instance | undefined {
    const instance = this.#instances.get(id);
    return instance && instanceAsOf(instance, this.#describedAt());
  }

  /** Lists the instances that EC2 describes now, in the order of their launches. */
  allDescribed(): readonly Ec2Instance[] {
    const at = this.#describedAt();
    return this.all().flatMap((instance) => instanceAsOf(instance, at) ?? []);
  }

  /** Takes an address for something that is no instance: any one, or the one that it has. */
  takeAddress(subnetId: string, wanted?: string): string | undefined {
    return this.#poolOf(subnetId)?.take(wanted);
  }

  /** Why an address of a subnet cannot be taken; `undefined` for a free one. */
  obstacleOfAddress(subnetId: string, address: string): 'taken' | 'reserved' | undefined {
    const pool = this.#poolOf(subnetId);
    if (pool?.isReserved(address) === true) return 'reserved';
    return pool?.isTaken(address) === true ? 'taken' : undefined;
  }

  releaseAddress(subnetId: string, address: string): void {
    this.#poolOf(subnetId)?.release(address);
  }

  freeAddresses(subnetId: string): number {
    return this.#poolOf(subnetId)?.free ?? 0;
  }

  /**
   * Launches one instance: it is pending, and its machine begins to boot.
   * @throws AwsError when the subnet is unknown or full, the reservation it insists on has no room, or its placement group does not take it
   */
  launch(settings: LaunchSettings, request: LaunchRequest): Ec2Instance {
    const instance = this.#place(settings, request);
    this.#announce(instance);
    return instance;
  }

  /**
   * Grants up to `most` instances, each one that `admit` lets pass.
   * @throws AwsError when fewer than `least` are granted; then none is
   */
  launchBetween(
    settings: LaunchSettings,
    request: LaunchRequest,
    { least, most, admit }: { readonly least: number; readonly most: number; readonly admit: () => void },
  ): readonly Ec2Instance[] {
    const placed: Ec2Instance[] = [];
    try {
      while (placed.length < most) {
        admit();
        placed.push(this.#place(settings, { ...request, ...(placed.length > 0 && { launchIndex: placed.length }) }));
      }
    } catch (error) {
      if (!(error instanceof AwsError) || placed.length < least) {
        for (const instance of placed) this.#takeBack(instance);
        throw error;
      }
    }
    for (const instance of placed) this.#announce(instance);
    return placed;
  }

  /** Reserves what an instance needs and remembers the instance. Nothing outside learns of it yet. */
  #place(settings: LaunchSettings, request: LaunchRequest): Ec2Instance {
    const subnet = this.#subnet(settings.subnetId);
    const capacityReservationId = this.#reservationFor(settings, subnet);
    const partition = this.#partitionFor(settings, subnet);
    const privateIp = this.#poolOf(subnet.id)?.take(settings.privateIp);
    if (privateIp === undefined) throw noFreeAddresses(subnet.id);
    const instance = this.#newInstance({ settings, subnet, privateIp, request, capacityReservationId, partition });
    this.#instances.set(instance.id, instance);
    return instance;
  }

  /** Returns the addresses of a subnet. A subnet that is created later gets its pool when it is first used. */
  #poolOf(subnetId: string): AddressPool | undefined {
    const known = this.#addresses.get(subnetId);
    if (known !== undefined) return known;
    const subnet = this.#deps.network.subnets.find(({ id }) => id === subnetId);
    if (subnet === undefined) return undefined;
    const pool = new AddressPool(subnet.cidr, this.#deps.random.fork(subnetId), subnet.takenByOthers);
    this.#addresses.set(subnetId, pool);
    return pool;
  }

  #takeBack({ id, settings, privateIp }: Ec2Instance): void {
    this.#instances.delete(id);
    this.#poolOf(settings.subnetId)?.release(privateIp);
  }

  #announce(instance: Ec2Instance): void {
    this.#deps.tags.add(instance.id, instance.settings.instanceTags);
    for (const { volumeId } of volumesOf(instance)) this.#deps.tags.add(volumeId, instance.settings.volumeTags);
    const { interfaceTags, spotRequestTags } = instance.settings;
    if (interfaceTags !== undefined) this.#deps.tags.add(instance.networkInterfaceId, interfaceTags);
    const { spotRequestId } = instance;
    if (spotRequestTags !== undefined && spotRequestId !== undefined)
      this.#deps.tags.add(spotRequestId, spotRequestTags);
    if (instance.isCold !== true) this.#deps.machines.launched(this.#deps.machineOf(instance));
    this.#deps.came?.(instance.id, instance.state);
    this.#awaitNext(instance);
  }

  /** Protects an instance from TerminateInstances, or no longer. */
  protect(id: string, isProtected: boolean): void {
    const instance = this.#instances.get(id);
    if (instance !== undefined) this.#instances.set(id, { ...instance, isProtected });
  }

  /** Changes attributes of an instance. Returns what it is then. */
  change(id: string, changed: ChangedAttributes): Ec2Instance | undefined {
    const instance = this.#instances.get(id);
    if (instance === undefined) return undefined;
    const changedInstance = { ...instance, changed: { ...instance.changed, ...changed } };
    this.#instances.set(id, changedInstance);
    return changedInstance;
  }

  /** Changes what the next start of a stopped instance has. */
  changeSettings(id: string, change: Partial<LaunchSettings>): void {
    const instance = this.#instances.get(id);
    if (instance !== undefined) this.#instances.set(id, { ...instance, settings: { ...instance.settings, ...change } });
  }

  /** Begins to shut an instance down; one that is ending already stays as it is. */
  terminate(id: string, stateReason = byUser): void {
    const instance = this.#instances.get(id);
    if (instance === undefined || instance.state === 'shutting-down' || instance.state === 'terminated') return;
    this.#change(id, instance.state, { state: 'shutting-down', stateReason });
    this.#deps.machines.stopping(id);
    this.#awaitNext({ ...instance, state: 'shutting-down' });
  }

  /** Stops a running instance. It keeps its address and its disk. */
  stop(id: string): void {
    const instance = this.#instances.get(id);
    if (instance?.state !== 'running') return;
    this.#change(id, 'running', { state: 'stopping' });
    if (instance.isCold !== true) this.#deps.machines.stopping(id);
    this.#awaitNext({ ...instance, state: 'stopping' });
  }

  /** Starts a stopped instance, or the machine of an instance that waited in a warm pool. */
  start(id: string): void {
    const instance = this.#instances.get(id);
    if (instance === undefined || (instance.state !== 'stopped' && instance.state !== 'running')) return;
    const { isCold: _past, ...rest } = instance;
    const woken = { ...rest, launchedAt: this.#deps.clock.now() };
    this.#instances.set(id, woken);
    this.#change(id, 'stopped', { state: 'pending' });
    this.#deps.machines.launched(this.#deps.machineOf(woken));
    if (instance.state === 'stopped') this.#awaitNext({ ...woken, state: 'pending' });
  }

  /** Reboots the machine of a running instance. */
  reboot(id: string): void {
    if (this.#instances.get(id)?.state === 'running') this.#deps.machines.behaves(id, []);
  }

  #awaitNext(instance: Ec2Instance): void {
    switch (instance.state) {
      case 'pending':
        return this.#later(startsWithin, () => this.#begin(instance));
      case 'running':
      case 'stopped':
        return;
      case 'stopping':
        return this.#later(endsWithin, () => this.#change(instance.id, 'stopping', { state: 'stopped' }));
      case 'shutting-down':
        return this.#later(endsWithin, () => this.#end(instance));
      case 'terminated':
        return this.#later({ leastMs: endedRememberedMs, spreadMs: 0 }, () => this.#forget(instance.id));
    }
  }

  /** An instance that is not there was launched by a call that was refused in the end because it could not be kept. */
  #begin(instance: Ec2Instance): void {
    if (this.#instances.has(instance.id)) return this.#change(instance.id, 'pending', { state: 'running' });
    this.#poolOf(instance.settings.subnetId)?.release(instance.privateIp);
    this.#deps.machines.stopping(instance.id);
  }

  #end(instance: Ec2Instance): void {
    this.#poolOf(instance.settings.subnetId)?.release(instance.privateIp);
    this.#change(instance.id, 'shutting-down', { state: 'terminated' });
    for (const { volumeId, deleteOnTermination } of volumesOf(this.#instances.get(instance.id) ?? instance))
      if (deleteOnTermination) this.#deps.tags.forget(volumeId);
    if (interfacesOfInstance(instance.settings)[0]?.staysAfterEnd !== true)
      this.#deps.tags.forget(instance.networkInterfaceId);
    this.#awaitNext({ ...instance, state: 'terminated' });
  }

  #forget(id: string): void {
    this.#instances.delete(id);
    this.#deps.tags.forget(id);
  }

  #change(id: string, from: Ec2Instance['state'], change: Pick<Ec2Instance, 'state' | 'stateReason'>): void {
    const instance = this.#instances.get(id);
    if (instance?.state !== from) return;
    const changes = [...(instance.changes ?? []), { state: change.state, at: this.#deps.clock.now() }];
    this.#instances.set(id, { ...instance, ...change, changes });
    this.#deps.came?.(id, change.state);
  }

  #describedAt(): Instant {
    return instant(this.#deps.clock.now() - this.#deps.describesLagMs());
  }

  #later({ leastMs, spreadMs }: { leastMs: number; spreadMs: number }, then: () => void): void {
    const due: Instant = instant(this.#deps.clock.now() + leastMs + this.#deps.random.integer(spreadMs + 1));
    this.#deps.clock.at(due, then);
  }

  /** Spot never comes from a reservation. */
  #reservationFor(
    { instanceType, capacityType, reservation }: LaunchSettings,
    { zone }: Ec2Subnet,
  ): string | undefined {
    const { reservations } = this.#deps;
    if (capacityType === 'spot') return undefined;
    return reservations.taking({ instanceType, zone }, reservation, (id) => this.usingReservation(id));
  }

  #partitionFor({ instanceType, placement }: LaunchSettings, { zone }: Ec2Subnet): number | undefined {
    if (placement === undefined) return undefined;
    return this.#deps.placementGroups.entering(placement, { instanceType, zone }, this.all());
  }

  #subnet(id: string): Ec2Subnet {
    const subnet = this.#deps.network.subnets.find((each) => each.id === id);
    if (subnet === undefined) throw noSuchSubnet(id);
    return subnet;
  }

  #newInstance({ settings, subnet, privateIp, request, capacityReservationId, partition }: NewInstance): Ec2Instance {
    const { random, clock, region } = this.#deps;
    const id = `i-0${random.hex(16)}`;
    const { instanceType, capacityType } = settings;
    const hostnameType = settings.details?.PrivateDnsNameOptions?.HostnameType;
    const behaviors = this.#deps.behaviorsOf({ instanceType, zone: subnet.zone, capacityType });
    const deviceName = settings.disks?.[0]?.device ?? '/dev/xvda';
    const root = { deviceName, volumeId: `vol-0${random.hex(16)}`, sizeGib: settings.rootVolumeGib };
    return {
      id,
      ...request,
      settings,
      zone: subnet.zone,
      zoneId: subnet.zoneId,
      privateIp,
      privateDnsName: namePrivateHost({ id, privateIp, region, hostnameType }),
      networkInterfaceId: `eni-0${random.hex(16)}`,
      root,
      ...(settings.capacityType === 'spot' && { spotRequestId: `sir-${random.hex(8)}` }),
      ...(capacityReservationId !== undefined && { capacityReservationId }),
      ...(partition !== undefined && { partition }),
      ...(settings.isProtected === true && { isProtected: true }),
      ...(behaviors.length > 0 && { behaviors }),
      launchedAt: clock.now(),
      state: 'pending',
    };
  }
}

type LaunchRequest = Pick<Ec2Instance, 'reservationId' | 'clientToken' | 'isCold' | 'launchIndex'>;

type NewInstance = {
  readonly settings: LaunchSettings;
  readonly subnet: Ec2Subnet;
  readonly privateIp: string;
  readonly capacityReservationId: string | undefined;
  readonly partition: number | undefined;
  readonly request: LaunchRequest;
};

const byUser = {
  code: 'Client.UserInitiatedShutdown',
  message: 'Client.UserInitiatedShutdown: User initiated shutdown',
};
