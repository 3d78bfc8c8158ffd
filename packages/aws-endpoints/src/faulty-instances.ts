import { days, fromTimestamp, instant, toTimestamp } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { MachineListener } from './machine.ts';
import type { Ec2Instance } from './ec2/instance.ts';
import type { Instances } from './ec2/instances.ts';
import type { AwsEvent } from './events/event.ts';
import type { InstanceNotices } from './instance-notices.ts';
import type { InstanceEvents } from './events/instance-events.ts';
import { type Fault, FaultError, type FaultOf, type ActiveFault } from './faults/fault.ts';
import { type FaultAgent, type Faults, matchesPlace } from './faults/faults.ts';

type FaultyInstancesDeps = {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly instances: Instances;
  readonly machines: MachineListener;
  readonly notices: InstanceNotices;
  /** Publishes an event on EventBridge. */
  readonly publish: (event: AwsEvent) => void;
  readonly events: InstanceEvents;
};

const spotReclaimReason = {
  code: 'Server.SpotInstanceTermination',
  message: 'Server.SpotInstanceTermination: Instance terminated by Spot service',
};
type ReclaimWarning = FaultOf<'spot-interruption'> | FaultOf<'rebalance-recommendation'>;
type InstanceFault = ReclaimWarning | FaultOf<'scheduled-change'> | FaultOf<'impaired-instance'>;

const usualNoticeMs = 120_000;
const plannedAheadMs = days(14);

/** Applies faults to instances that run already. */
export class FaultyInstances implements FaultAgent {
  readonly #deps: FaultyInstancesDeps;

  constructor(deps: FaultyInstancesDeps) {
    this.#deps = deps;
  }

  /** Continues after a restart with the faults that are in force. */
  resume(): void {
    for (const standing of this.#deps.faults.list()) this.#takeEffect(standing);
  }

  settle(fault: Fault): Fault {
    const inMs = (ms: number): string => toTimestamp(instant(this.#deps.clock.now() + ms));
    switch (fault.kind) {
      case 'node-behavior':
        if (fault.instanceId !== undefined) this.#running(fault.instanceId);
        return fault;
      case 'spot-interruption':
        return { ...this.#aimed(fault, this.#spot()), endsAt: inMs(fault.noticeMs ?? usualNoticeMs) };
      case 'rebalance-recommendation':
        return this.#aimed(fault, this.#spot());
      case 'scheduled-change':
        return { ...this.#aimed(fault, this.#staying()), startsAt: inMs(plannedAheadMs) };
      case 'impaired-instance':
        return { ...this.#aimed(fault, this.#staying()), since: inMs(0) };
      case 'reservation-interruption':
        this.#reservedIn(fault.capacityReservationId);
        return { ...fault, endsAt: inMs(fault.noticeMs ?? usualNoticeMs) };
      default:
        return fault;
    }
  }

  begun(standing: ActiveFault): void {
    this.#announce(standing.fault);
    this.#takeEffect(standing);
  }

  ended({ fault }: ActiveFault): void {
    if (fault.kind === 'node-behavior') this.#impose(fault.instanceId);
    if (fault.kind === 'scheduled-change') this.#tellPlan(fault, 'closed');
  }

  /** Publishes the events of a fault once, when it begins. A restart does not repeat them. */
  #announce(fault: Fault): void {
    const { publish, events } = this.#deps;
    if (fault.kind === 'spot-interruption') publish(events.spotInterruption(fault.instanceId ?? ''));
    if (fault.kind === 'rebalance-recommendation') publish(events.rebalance(fault.instanceId ?? ''));
    if (fault.kind === 'scheduled-change') this.#tellPlan(fault, 'upcoming');
    if (fault.kind !== 'reservation-interruption') return;
    for (const { id } of this.#reservedIn(fault.capacityReservationId)) publish(events.reservationInterruption(id));
  }

  #takeEffect({ id, fault }: ActiveFault): void {
    if (fault.kind === 'spot-interruption') this.#reclaimLater(id, fault.endsAt, () => [fault.instanceId ?? '']);
    if (fault.kind === 'reservation-interruption')
      this.#reclaimLater(id, fault.endsAt, () =>
        this.#inReservation(fault.capacityReservationId).map((each) => each.id),
      );
    if (fault.kind === 'spot-interruption' || fault.kind === 'rebalance-recommendation')
      this.#deps.notices.announce(fault.instanceId ?? '');
    if (fault.kind === 'node-behavior') this.#impose(fault.instanceId);
  }

  /** Tells the machine all that is imposed on it by now: one fault of several may have ended. */
  #impose(instanceId: string | undefined): void {
    const { machines, faults } = this.#deps;
    if (instanceId !== undefined) machines.behaves(instanceId, faults.behaviorsImposedOn(instanceId));
  }

  #tellPlan(fault: FaultOf<'scheduled-change'>, status: 'upcoming' | 'closed'): void {
    const { publish, events } = this.#deps;
    const { instanceId = '', code = 'instance-retirement', startsAt = '' } = fault;
    publish(events.scheduledChange(instanceId, { code, startsAt: fromTimestamp(startsAt), status }));
  }

  #reclaimLater(id: string, endsAt = '', instanceIds: () => readonly string[]): void {
    const { clock, faults, instances } = this.#deps;
    clock.at(fromTimestamp(endsAt), () => {
      if (!faults.stands(id)) return;
      for (const instanceId of instanceIds()) instances.terminate(instanceId, spotReclaimReason);
      faults.clear(id);
    });
  }

  #running(id: string): Ec2Instance {
    const instance = this.#deps.instances.get(id);
    if (instance !== undefined && isPendingOrRunning(instance)) return instance;
    throw new FaultError(`instanceId is "${id}", wanted ${formatInstanceChoice(this.#staying())}`);
  }

  #staying(): readonly Ec2Instance[] {
    return this.#deps.instances.all().filter(isPendingOrRunning);
  }

  #spot(): readonly Ec2Instance[] {
    return this.#staying().filter(({ settings }) => settings.capacityType === 'spot');
  }

  #inReservation(id: string): readonly Ec2Instance[] {
    return this.#staying().filter(({ capacityReservationId }) => capacityReservationId === id);
  }

  #reservedIn(id: string): readonly Ec2Instance[] {
    const found = this.#inReservation(id);
    if (found.length > 0) return found;
    throw new FaultError(`capacityReservationId is "${id}", wanted that of a reservation that instances run in`);
  }

  /** Returns the fault with the oldest instance that matches it. */
  #aimed<F extends InstanceFault>(fault: F, from: readonly Ec2Instance[]): F {
    const found = from.find((instance) => concernsInstance(fault, instance));
    if (found !== undefined) return { ...fault, instanceId: found.id };
    const what =
      fault.kind === 'spot-interruption' || fault.kind === 'rebalance-recommendation' ? 'spot instance' : 'instance';
    throw new FaultError(`no ${what} of this description runs, wanted ${formatInstanceChoice(from)}`);
  }
}

const isPendingOrRunning = ({ state }: Ec2Instance): boolean => state === 'pending' || state === 'running';

const concernsInstance = (fault: InstanceFault, { id, zone, settings }: Ec2Instance): boolean =>
  (fault.instanceId ?? id) === id &&
  matchesPlace(fault, { instanceType: settings.instanceType, zone, capacityType: settings.capacityType });

const formatInstanceChoice = (instances: readonly Ec2Instance[]): string =>
  instances.length === 0
    ? 'one that runs, and none does'
    : `one of ${instances.map(({ id, zone, settings }) => `${id} (${settings.instanceType}, ${zone})`).join(', ')}`;
