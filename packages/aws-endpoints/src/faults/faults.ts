import { forgetfulLedger, type Ledger } from '@nodewright/runtime';
import type { CallFilter, Fault, FaultOf, PlaceFilter, ActiveFault } from './fault.ts';

type CalledOperation = { readonly service: string; readonly operation: string };
type WantedMachine = Required<PlaceFilter>;

/** What is at work beside the calls. */
export type FaultAgent = {
  /** The fault with all that it left open. @throws FaultError when it concerns nothing that is there */
  settle(fault: Fault): Fault;
  begun(standing: ActiveFault): void;
  ended(standing: ActiveFault): void;
};

/** The faults in force, oldest first. */
export class Faults {
  readonly #standing: Map<string, Fault>;
  #agent: FaultAgent | undefined;
  #count: number;

  constructor(ledger: Ledger = forgetfulLedger()) {
    this.#standing = ledger.map('aws/faults');
    this.#count = Math.max(0, ...[...this.#standing.keys()].map((id) => Number(id.split('-')[1])));
  }

  workThrough(agent: FaultAgent): void {
    this.#agent = agent;
  }

  /** @throws FaultError when it concerns nothing that is there */
  add(wanted: Fault): ActiveFault {
    const fault = this.#agent?.settle(wanted) ?? wanted;
    this.#count += 1;
    const standing = { id: `fault-${this.#count}`, fault };
    this.#standing.set(standing.id, fault);
    this.#agent?.begun(standing);
    return standing;
  }

  stands(id: string): boolean {
    return this.#standing.has(id);
  }

  list(): readonly ActiveFault[] {
    return [...this.#standing].map(([id, fault]) => ({ id, fault }));
  }

  /** Those of one kind, oldest first. */
  find<Kind extends Fault['kind']>(kind: Kind): readonly FaultOf<Kind>[] {
    return this.#standingOf(kind).map(({ fault }) => fault);
  }

  /** Ends one fault, or all of them. */
  clear(id?: string): void {
    for (const standing of this.list()) {
      if (id !== undefined && standing.id !== id) continue;
      this.#standing.delete(standing.id);
      this.#agent?.ended(standing);
    }
  }

  /** Whether this call is to be refused for its rate. Spends one of the fault's `times`. */
  throttles(call: CalledOperation): boolean {
    const hit = this.#standingOf('throttle').find(({ fault }) => concernsCall(fault, call));
    if (hit !== undefined) this.#spend(hit);
    return hit !== undefined;
  }

  denies(call: CalledOperation): boolean {
    return this.find('deny').some((fault) => concernsCall(fault, call));
  }

  /** What this call is to be refused with. Spends one of the fault's `times`. */
  refuses(call: CalledOperation): FaultOf<'refusal'> | undefined {
    const hit = this.#standingOf('refusal').find(({ fault }) => concernsCall(fault, call));
    if (hit !== undefined) this.#spend(hit);
    return hit?.fault;
  }

  /** How long the answer to this call is held back, in milliseconds. */
  delayMs(call: CalledOperation): number {
    return this.find('latency').reduce((sum, fault) => sum + (concernsCall(fault, call) ? fault.delayMs : 0), 0);
  }

  lacksCapacity(wanted: WantedMachine): boolean {
    return this.find('insufficientCapacity').some((fault) => matchesPlace(fault, wanted));
  }

  /** What stops launches of this kind, other than missing capacity. */
  failsLaunch(wanted: WantedMachine): FaultOf<'launchFailure'> | undefined {
    return this.find('launchFailure').find((fault) => matchesPlace(fault, wanted));
  }

  /** How a node behaves that is launched now; `undefined` when its image decides. */
  behaviorOf(wanted: WantedMachine): FaultOf<'nodeBehavior'>['behavior'] | undefined {
    return this.find('nodeBehavior').find((fault) => fault.instanceId === undefined && matchesPlace(fault, wanted))
      ?.behavior;
  }

  /** How far behind descriptions of instances are, in milliseconds. */
  describesLagMs(): number {
    return Math.max(0, ...this.find('staleDescribes').map(({ lagMs }) => lagMs));
  }

  #standingOf<Kind extends Fault['kind']>(kind: Kind): readonly ActiveFault<FaultOf<Kind>>[] {
    return this.list().filter((standing): standing is ActiveFault<FaultOf<Kind>> => standing.fault.kind === kind);
  }

  #spend({ id, fault }: ActiveFault<FaultOf<'throttle' | 'refusal'>>): void {
    if (fault.times === undefined) return;
    if (fault.times <= 1) return this.clear(id);
    this.#standing.set(id, { ...fault, times: fault.times - 1 });
  }
}

const concernsCall = (fault: CallFilter, call: CalledOperation): boolean =>
  (fault.service ?? call.service) === call.service && (fault.operation ?? call.operation) === call.operation;

/** Whether a fault concerns what is of this type, in this zone, bought this way. */
export const matchesPlace = (fault: PlaceFilter, wanted: WantedMachine): boolean =>
  (fault.instanceType ?? wanted.instanceType) === wanted.instanceType &&
  (fault.zone ?? wanted.zone) === wanted.zone &&
  (fault.capacityType ?? wanted.capacityType) === wanted.capacityType;
