import { forgetfulLedger, type Ledger } from '@nodewright/runtime';
import type { MachineBehavior } from '../machine.ts';
import { findFaultKind } from './fault-kinds.ts';
import type { CallFilter, Fault, FaultOf, PlaceFilter, ActiveFault } from './fault.ts';

type CalledOperation = { readonly service: string; readonly operation: string };
type WantedMachine = Required<PlaceFilter>;

/** Applies faults to instances that run already. Other faults take effect when a call asks for them. */
export type FaultAgent = {
  /** Returns the fault with its open fields filled in. @throws FaultError when nothing matches it */
  settle(fault: Fault): Fault;
  begun(active: ActiveFault): void;
  ended(active: ActiveFault): void;
};

/** The faults in force, oldest first. The ledger keeps them over a restart. */
export class Faults {
  readonly #active: Map<string, Fault>;
  #agent: FaultAgent | undefined;
  #count: number;

  constructor(ledger: Ledger = forgetfulLedger()) {
    this.#active = ledger.map('aws/faults');
    respellKinds(this.#active);
    this.#count = Math.max(0, ...[...this.#active.keys()].map((id) => Number(id.split('-')[1])));
  }

  workThrough(agent: FaultAgent): void {
    this.#agent = agent;
  }

  /** Puts a fault into force. @throws FaultError when nothing matches it */
  add(wanted: Fault): ActiveFault {
    const fault = this.#agent?.settle(wanted) ?? wanted;
    this.#count += 1;
    const active = { id: `fault-${this.#count}`, fault };
    this.#active.set(active.id, fault);
    this.#agent?.begun(active);
    return active;
  }

  stands(id: string): boolean {
    return this.#active.has(id);
  }

  list(): readonly ActiveFault[] {
    return [...this.#active].map(([id, fault]) => ({ id, fault }));
  }

  /** Lists the faults of one kind, oldest first. */
  find<Kind extends Fault['kind']>(kind: Kind): readonly FaultOf<Kind>[] {
    return this.#listOfKind(kind).map(({ fault }) => fault);
  }

  /** Ends one fault, or all of them. */
  clear(id?: string): void {
    for (const active of this.list()) {
      if (id !== undefined && active.id !== id) continue;
      this.#active.delete(active.id);
      this.#agent?.ended(active);
    }
  }

  /** Returns whether a fault throttles the call, and counts one of the fault's `times`. */
  throttles(call: CalledOperation): boolean {
    const hit = this.#listOfKind('throttle').find(({ fault }) => concernsCall(fault, call));
    if (hit !== undefined) this.#spend(hit);
    return hit !== undefined;
  }

  denies(call: CalledOperation): boolean {
    return this.find('deny').some((fault) => concernsCall(fault, call));
  }

  /** Returns the fault that refuses the call, and counts one of its `times`. */
  refuses(call: CalledOperation): FaultOf<'refusal'> | undefined {
    const hit = this.#listOfKind('refusal').find(({ fault }) => concernsCall(fault, call));
    if (hit !== undefined) this.#spend(hit);
    return hit?.fault;
  }

  /** Returns how many milliseconds the answer to the call is held back. */
  delayMs(call: CalledOperation): number {
    return this.find('latency').reduce((sum, fault) => sum + (concernsCall(fault, call) ? fault.delayMs : 0), 0);
  }

  lacksCapacity(wanted: WantedMachine): boolean {
    return this.find('insufficient-capacity').some((fault) => matchesPlace(fault, wanted));
  }

  /** Returns the fault, other than missing capacity, that refuses such a launch. */
  failsLaunch(wanted: WantedMachine): FaultOf<'launch-failure'> | undefined {
    return this.find('launch-failure').find((fault) => matchesPlace(fault, wanted));
  }

  /** Returns how a node that is launched now behaves, besides what its image does. */
  behaviorsOf(wanted: WantedMachine): readonly MachineBehavior[] {
    return this.find('node-behavior')
      .filter((fault) => fault.instanceId === undefined && matchesPlace(fault, wanted))
      .map(behaviorOfFault);
  }

  /** Returns how the node of a running instance behaves, besides what its machine says. */
  behaviorsImposedOn(instanceId: string): readonly MachineBehavior[] {
    return this.find('node-behavior')
      .filter((fault) => fault.instanceId === instanceId)
      .map(behaviorOfFault);
  }

  /** Returns how many milliseconds descriptions of instances lag behind. */
  describesLagMs(): number {
    return Math.max(0, ...this.find('stale-describes').map(({ lagMs }) => lagMs));
  }

  #listOfKind<Kind extends Fault['kind']>(kind: Kind): readonly ActiveFault<FaultOf<Kind>>[] {
    return this.list().filter((active): active is ActiveFault<FaultOf<Kind>> => active.fault.kind === kind);
  }

  #spend({ id, fault }: ActiveFault<FaultOf<'throttle' | 'refusal'>>): void {
    if (fault.times === undefined) return;
    if (fault.times <= 1) return this.clear(id);
    this.#active.set(id, { ...fault, times: fault.times - 1 });
  }
}

/** Older data directories spell kinds in camel case. */
function respellKinds(faults: Map<string, Fault>): void {
  for (const [id, fault] of faults) {
    const kind = findFaultKind(fault.kind);
    if (kind !== undefined && kind !== fault.kind) faults.set(id, { ...fault, kind } as Fault);
  }
}

const behaviorOfFault = ({ behavior, pods }: FaultOf<'node-behavior'>): MachineBehavior => ({
  behavior,
  ...(pods !== undefined && { pods }),
});

const concernsCall = (fault: CallFilter, call: CalledOperation): boolean =>
  (fault.service ?? call.service) === call.service && (fault.operation ?? call.operation) === call.operation;

/** Returns whether a fault concerns machines of this type, zone and capacity type. */
export const matchesPlace = (fault: PlaceFilter, wanted: WantedMachine): boolean =>
  (fault.instanceType ?? wanted.instanceType) === wanted.instanceType &&
  (fault.zone ?? wanted.zone) === wanted.zone &&
  (fault.capacityType ?? wanted.capacityType) === wanted.capacityType;
