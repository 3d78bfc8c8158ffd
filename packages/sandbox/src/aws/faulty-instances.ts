import { fromTimestamp, instant, toTimestamp } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { MachineListener } from '../machine.ts';
import type { Instance } from './ec2/instance.ts';
import type { Instances } from './ec2/instances.ts';
import { type Fault, FaultError, type FaultOf, type StandingFault } from './fault.ts';
import { type FaultAgent, type Faults, matches } from './faults.ts';

type Deps = {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly instances: Instances;
  readonly machines: MachineListener;
  /** Told of every instance that EC2 has warned about. */
  readonly warned: (instanceId: string) => void;
};

const reclaimed = {
  code: 'Server.SpotInstanceTermination',
  message: 'Server.SpotInstanceTermination: Instance terminated by Spot service',
};
type Warning = FaultOf<'spotInterruption'> | FaultOf<'rebalanceRecommendation'>;

const usualNoticeMs = 120_000;

/** What faults do to instances that run already. */
export class FaultyInstances implements FaultAgent {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Goes on with what was under way before a restart. */
  resume(): void {
    for (const standing of this.#deps.faults.list()) this.begun(standing);
  }

  settle(fault: Fault): Fault {
    if (fault.kind === 'nodeBehavior' && fault.instanceId !== undefined) this.#running(fault.instanceId);
    if (fault.kind !== 'spotInterruption' && fault.kind !== 'rebalanceRecommendation') return fault;
    const { id } = this.#spotInstance(fault);
    if (fault.kind === 'rebalanceRecommendation') return { ...fault, instanceId: id };
    const endsAt = toTimestamp(instant(this.#deps.clock.now() + (fault.noticeMs ?? usualNoticeMs)));
    return { ...fault, instanceId: id, endsAt };
  }

  begun({ id, fault }: StandingFault): void {
    if (fault.kind === 'spotInterruption') this.#reclaimLater(id, fault);
    if (fault.kind === 'spotInterruption' || fault.kind === 'rebalanceRecommendation')
      this.#deps.warned(fault.instanceId ?? '');
    if (fault.kind === 'nodeBehavior' && fault.instanceId !== undefined)
      this.#deps.machines.behaves(fault.instanceId, fault.behavior);
  }

  ended({ fault }: StandingFault): void {
    if (fault.kind === 'nodeBehavior' && fault.instanceId !== undefined) this.#deps.machines.behaves(fault.instanceId);
  }

  #reclaimLater(id: string, { instanceId = '', endsAt = '' }: FaultOf<'spotInterruption'>): void {
    const { clock, faults, instances } = this.#deps;
    clock.at(fromTimestamp(endsAt), () => {
      if (!faults.stands(id)) return;
      instances.terminate(instanceId, reclaimed);
      faults.clear(id);
    });
  }

  #running(id: string): Instance {
    const instance = this.#deps.instances.get(id);
    if (instance !== undefined && isStaying(instance)) return instance;
    throw new FaultError(`instanceId is "${id}", wanted ${oneOf(this.#deps.instances.all().filter(isStaying))}`);
  }

  #spotInstance(fault: Warning): Instance {
    const spot = this.#deps.instances
      .all()
      .filter((instance) => isStaying(instance) && instance.settings.capacityType === 'spot');
    const found = spot.find((instance) => concerns(fault, instance));
    if (found !== undefined) return found;
    throw new FaultError(`no spot instance of this description runs, wanted ${oneOf(spot)}`);
  }
}

const isStaying = ({ state }: Instance): boolean => state === 'pending' || state === 'running';

const concerns = (fault: Warning, { id, zone, settings }: Instance): boolean =>
  (fault.instanceId ?? id) === id &&
  matches(fault, { instanceType: settings.instanceType, zone, capacityType: settings.capacityType });

const oneOf = (instances: readonly Instance[]): string =>
  instances.length === 0
    ? 'one that runs, and none does'
    : `one of ${instances.map(({ id, zone, settings }) => `${id} (${settings.instanceType}, ${zone})`).join(', ')}`;
