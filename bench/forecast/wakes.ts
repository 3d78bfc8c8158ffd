import { byTextOf, byNumberOf, inOrder, inReverse } from '@nodewright/apis';
import { type CallGate, type Clock, sleepOn, type Timer } from '@nodewright/runtime';

/** What a world did, by who asked for it: timers that fired, and calls that were served. */
export type WakeCounts = ReadonlyMap<string, number>;

/** Counts what wakes a world, once told to begin. Timers and calls are passed on as they are. */
export class WakeCounter {
  #counts: Map<string, number> | undefined;

  /** Counts from now on. Counting itself takes time, so what is only measured is not counted. */
  begin(): void {
    this.#counts = new Map();
  }

  /** What was counted since the last time. */
  take(): WakeCounts {
    const counts = this.#counts ?? new Map<string, number>();
    if (this.#counts !== undefined) this.begin();
    return counts;
  }

  clock(clock: Clock): Clock {
    const at = (due: Parameters<Clock['at']>[0], callback: () => void, name?: string): Timer => {
      if (this.#counts === undefined) return clock.at(due, callback, name);
      const owner = `timer ${withoutKey(name)}`;
      const fire = (): void => {
        this.#count(owner);
        callback();
      };
      return clock.at(due, fire, name);
    };
    const counted = { now: clock.now.bind(clock), at };
    return { ...counted, sleep: (ms, signal) => sleepOn(counted, ms, signal) };
  }

  gate(gate: CallGate): CallGate {
    return {
      call: (work, name) => {
        if (name !== undefined && this.#counts !== undefined) this.#count(`call ${withoutNames(name)}`);
        return gate.call(work, name);
      },
      park: (ticket, signal, name) => {
        if (name !== undefined && this.#counts !== undefined) this.#count(`call ${name}`);
        return gate.park(ticket, signal, name);
      },
      standAside: (ticket, work) => gate.standAside(ticket, work),
      handOver: (work) => {
        this.#count('events of watches');
        gate.handOver(work);
      },
      outside: (work) => gate.outside(work),
    };
  }

  #count(owner: string): void {
    this.#counts?.set(owner, (this.#counts.get(owner) ?? 0) + 1);
  }
}

/** The owner of a timer for one object: the name without the object. */
const withoutKey = (name = 'without name '): string => name.replace(/ [^ ]*$/, '');

/** The method and the collection of a call. */
const withoutNames = (name: string): string =>
  name.replace(/namespaces\/[^/ ]+\//, '').replace(/(\/(?:v1|v1beta1|v1alpha1)\/[a-z]+)\/[^/ ]+/, '$1/*');

/** The owners of most of it, in that order. */
export const mostOf = (counts: WakeCounts, most = 25): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...counts]
      .toSorted(
        inOrder(
          inReverse(byNumberOf(([, count]) => count)),
          byTextOf(([name]) => name),
        ),
      )
      .slice(0, most),
  );
