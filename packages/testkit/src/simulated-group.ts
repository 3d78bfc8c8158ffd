import { instant, type Instant, readOwn, writeOwn, hours, byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import {
  eksLimits,
  type Observation,
  type SeenInstance,
  type SeenPod,
  planUpdate,
  type HeldPod,
  type UpdateAction,
  type UpdatePlan,
  beginUpdate,
  isOver,
  type NewUpdate,
  type UpdateRecord,
} from '@nodewright/nodegroups';

const second = 1000;
const joinsAfterMs = 60 * second;
const endsAfterMs = 30 * second;

type Machine = SeenInstance & { readonly endsAt?: Instant };
type Pod = {
  readonly name: string;
  node: string;
  readonly budget?: string;
  readonly sticky?: boolean;
  endsAt?: Instant;
};

export type GroupSettings = {
  readonly zones?: number;
  readonly nodes: number;
  readonly max?: number;
  /** Configurations whose nodes never join. */
  readonly broken?: readonly string[];
  /** Zones that sell nothing. */
  readonly exhausted?: readonly string[];
  /** How long a node that has joined keeps its startup taints. */
  readonly startsForMs?: number;
  /** How many instances wait beside the group, to come into service before others are launched. */
  readonly warm?: number;
};

/** For tests: an Auto Scaling group, its nodes and their pods, on time that only a test moves. */
export class SimulatedGroup {
  now: Instant = instant(0);
  /** Nodes that an update of some nodes may replace; absent: all of them. */
  letGo: ReadonlySet<string> | undefined;
  /** When the host that is at work now began. */
  since: Instant = instant(0);
  max: number;
  desired: number;
  configuration = 'old';
  readonly versions: Record<string, string> = { old: '1' };
  readonly pods: Pod[] = [];
  /** Evictions left per budget. */
  readonly budgets: Record<string, number> = {};
  readonly log: UpdateAction[] = [];
  held: readonly HeldPod[] = [];
  peak = 0;
  fewest = Infinity;
  mostCordoned = 0;
  readonly #marked = new Set<string>();
  readonly #cordoned = new Set<string>();
  readonly #suspended = new Set<string>();
  readonly #settings: GroupSettings;
  #machines: Machine[] = [];
  #count = 0;
  #pool: Machine[] = [];
  #random = 1;

  constructor(settings: GroupSettings) {
    this.#settings = settings;
    this.desired = settings.nodes;
    this.max = settings.max ?? settings.nodes + 2;
    this.#refill();
    this.#refillPool();
    this.#machines = this.#machines.map((machine) => ({ ...machine, launchedAt: instant(-joinsAfterMs) }));
  }

  get configurations(): readonly string[] {
    return this.#live()
      .map(({ configuration }) => configuration)
      .toSorted();
  }

  get warm(): readonly string[] {
    return this.#pool.map(({ configuration }) => configuration);
  }

  get marked(): readonly string[] {
    return this.#live()
      .map(({ id }) => id)
      .filter((id) => this.#marked.has(id));
  }

  get cordoned(): readonly string[] {
    return this.#live()
      .map(({ id }) => id)
      .filter((id) => this.#cordoned.has(id));
  }

  get suspended(): readonly string[] {
    return [...this.#suspended];
  }

  nodeNames(): readonly string[] {
    return this.#live().map(({ id }) => id);
  }

  begin(update: Partial<NewUpdate> = {}): UpdateRecord {
    const before = { configuration: this.configuration, max: this.max, desired: this.desired };
    const target = { configuration: 'new', labels: { image: 'new' } };
    return beginUpdate({ target, strategy: 'DEFAULT', parallel: 1, before, ...update }, this.now);
  }

  /**
   * Drives an update to its end.
   * @param options.losesAction numbers of actions that are lost because the host dies before it
   * @param options.diesAfter numbers of actions that happen, and whose answer is lost
   */
  run(
    record: UpdateRecord,
    options: {
      losesAction?: (number: number) => boolean;
      diesAfter?: (number: number) => boolean;
      hours?: number;
      each?: () => void;
    } = {},
  ): UpdateRecord {
    const end = instant(this.now + (options.hours ?? 12) * hours(1));
    let current = record;
    while (!isOver(current) && this.now < end) {
      const plan = this.turn(current);
      current = JSON.parse(JSON.stringify(plan.record)) as UpdateRecord;
      for (const action of plan.actions) {
        this.log.push(action);
        if (options.losesAction?.(this.log.length) === true) break;
        this.#perform(action);
        if (options.diesAfter?.(this.log.length) === true) break;
      }
      options.each?.();
      this.#pass(Math.max(second, (plan.recheckAt ?? this.now) - this.now));
    }
    return current;
  }

  turn(record: UpdateRecord): UpdatePlan {
    const { now, since } = this;
    const letGo = this.letGo === undefined ? {} : { letGo: this.letGo };
    const plan = planUpdate(record, { seen: this.seen(), now, since, limits: eksLimits, chance: this, ...letGo });
    if (plan.held.length > 0) this.held = plan.held;
    return plan;
  }

  /** Ends an instance as a broken machine does. */
  lose(id: string): void {
    this.#terminate(id);
  }

  integer(below: number): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random % below;
  }

  seen(): Observation {
    const nodes = this.#machines.filter((machine) => this.#hasJoined(machine));
    return {
      group: {
        min: 0,
        max: this.max,
        desired: this.desired,
        zones: this.#zones(),
        configuration: this.configuration,
        versions: this.versions,
        suspended: [...this.#suspended],
        instances: this.#machines,
        warm: this.#pool,
      },
      nodes: nodes.map(({ id, configuration, lifecycle, launchedAt }) => ({
        name: `node-${id}`,
        instanceId: id,
        ready: lifecycle === 'InService',
        labels: { image: configuration },
        unschedulable: this.#cordoned.has(id),
        marked: this.#marked.has(id),
        starting: this.now < launchedAt + joinsAfterMs + (this.#settings.startsForMs ?? 0),
      })),
      pods: this.pods.map((pod) => this.#seenPod(pod)),
    };
  }

  #seenPod({ name, node, budget, endsAt }: Pod): SeenPod {
    const budgets =
      budget === undefined ? [] : [{ name: budget, disruptionsAllowed: readOwn(this.budgets, budget) ?? 0 }];
    return { namespace: 'app', name, node: `node-${node}`, leaving: endsAt !== undefined, budgets };
  }

  #perform(action: UpdateAction): void {
    switch (action.kind) {
      case 'createVersion':
        writeOwn(this.versions, action.configuration, String(Object.keys(this.versions).length + 1));
        return;
      case 'pointGroup':
        this.configuration = action.configuration;
        return;
      case 'setSize':
        this.#resize(action.max, action.desired);
        return;
      case 'suspend':
        for (const process of action.processes) this.#suspended.add(process);
        return;
      case 'resume':
        for (const process of action.processes) this.#suspended.delete(process);
        return;
      case 'terminate':
        if (action.decrement) this.desired -= 1;
        this.#terminate(action.instanceId);
        return;
      case 'discard':
        this.#pool = this.#pool.filter(({ id }) => id !== action.instanceId);
        return;
      case 'evict':
      case 'delete':
        this.#remove(action.pod, action.kind);
        return;
      default:
        this.#touch(action.kind, action.node.replace('node-', ''));
    }
  }

  #touch(kind: 'mark' | 'unmark' | 'cordon' | 'uncordon', id: string): void {
    const set = kind.endsWith('mark') ? this.#marked : this.#cordoned;
    if (kind.startsWith('un')) set.delete(id);
    else set.add(id);
    this.mostCordoned = Math.max(this.mostCordoned, this.cordoned.length);
  }

  #remove(name: string, kind: 'evict' | 'delete'): void {
    const pod = this.pods.find((each) => each.name === name);
    if (pod === undefined || pod.endsAt !== undefined) return;
    if (kind === 'evict' && pod.budget !== undefined) {
      if ((readOwn(this.budgets, pod.budget) ?? 0) === 0) return;
    }
    pod.endsAt = instant(this.now + 5 * second);
  }

  /** A pod that tolerates everything comes back to its node; the others find another one. */
  #movePods(): void {
    for (const pod of this.pods) {
      if (pod.endsAt === undefined || pod.endsAt > this.now) continue;
      delete pod.endsAt;
      const open = this.#live().filter(({ id }) => !this.#marked.has(id) && !this.#cordoned.has(id));
      if (!pod.sticky) pod.node = open[this.integer(open.length || 1)]?.id ?? 'pending';
    }
  }

  #resize(max: number, desired: number): void {
    this.max = max;
    this.desired = desired;
    const surplus = this.#live().length - desired;
    for (const { id } of this.#live().slice(0, Math.max(0, surplus))) this.#terminate(id);
  }

  #terminate(id: string): void {
    const endsAt = instant(this.now + endsAfterMs);
    this.#machines = this.#machines.map((machine) =>
      machine.id === id ? { ...machine, lifecycle: 'Terminating', endsAt } : machine,
    );
  }

  #pass(ms: number): void {
    for (let left = ms; left > 0; left -= 5 * second) {
      this.now = instant(this.now + Math.min(left, 5 * second));
      this.#machines = this.#machines
        .filter(({ endsAt }) => endsAt === undefined || endsAt > this.now)
        .map((machine) =>
          machine.lifecycle === 'Pending' && this.now >= machine.launchedAt + joinsAfterMs
            ? { ...machine, lifecycle: 'InService' }
            : machine,
        );
      this.#refill();
      this.#refillPool();
      this.#movePods();
      this.peak = Math.max(this.peak, this.#machines.length);
      this.fewest = Math.min(this.fewest, this.#live().length);
    }
  }

  #refill(): void {
    for (;;) {
      const counts = this.#zones()
        .map((zone) => ({ zone, count: this.#live().filter((machine) => machine.zone === zone).length }))
        .filter(({ zone }) => this.#settings.exhausted?.includes(zone) !== true || this.now === 0)
        .toSorted(
          inOrder(
            byNumberOf(({ count }) => count),
            byTextOf(({ zone }) => zone),
          ),
        );
      const [open] = counts;
      const most = Math.ceil(this.desired / this.#zones().length);
      if (open === undefined || this.#live().length >= this.desired || open.count >= most) return;
      const { zone } = open;
      const lifecycle = this.now === 0 ? 'InService' : 'Pending';
      const prepared = this.now === 0 ? undefined : this.#pool.shift();
      const { id, configuration } = prepared ?? this.#launched();
      this.#machines.push({ id, zone, lifecycle, configuration, launchedAt: this.now });
    }
  }

  #launched(): Pick<Machine, 'id' | 'configuration'> {
    this.#count += 1;
    return { id: `i-${String(this.#count).padStart(4, '0')}`, configuration: this.configuration };
  }

  #refillPool(): void {
    const [zone = 'a'] = this.#zones();
    while (this.#pool.length < (this.#settings.warm ?? 0)) {
      this.#pool.push({ ...this.#launched(), zone, lifecycle: 'Warmed:Stopped', launchedAt: this.now });
    }
  }

  #zones(): readonly string[] {
    return Array.from({ length: this.#settings.zones ?? 3 }, (_, at) => String.fromCodePoint(97 + at));
  }

  #hasJoined({ configuration, launchedAt }: Machine): boolean {
    return this.now >= launchedAt + joinsAfterMs && this.#settings.broken?.includes(configuration) !== true;
  }

  #live(): readonly Machine[] {
    return this.#machines.filter(({ lifecycle }) => lifecycle !== 'Terminating');
  }
}
