import {
  type DisruptionPause,
  fromTimestamp,
  type ImageRule,
  instant,
  type Instant,
  minutes,
  type NodeRollout,
  type NodeRolloutPolicy,
  type NodeRolloutPolicySpec,
  seconds,
  type VariantImage,
} from '@nodewright/apis';
import {
  chooseLaunchImage,
  type CheckReading,
  type GovernedObject,
  type ImageGate,
  type OwnerCounters,
  planRollouts,
  type RolloutNode,
  type RolloutPlan,
  type RolloutRequest,
  type RolloutSnapshot,
} from '@nodewright/engine/inner';
import type { UpstreamReading } from '@nodewright/engine';
import type { Random } from '@nodewright/runtime';
import { ageNode, findBlockingRule, type ImageBehaviour, type SimulatedNode } from './simulated-nodes.ts';

/** A launch as invariants look at it. */
export type LaunchRecord = {
  readonly at: Instant;
  readonly node: string;
  readonly image: string;
  readonly seatOf?: string;
  readonly because: string;
  readonly blocked: boolean;
  readonly members: number;
  readonly seats: number;
  readonly isLastWave: boolean;
};

export type FleetOptions = {
  readonly random: Random;
  readonly policy?: NodeRolloutPolicySpec;
  readonly pools?: readonly { readonly name: string; readonly nodes: number; readonly variant?: string }[];
  readonly startsPerHour?: number;
};

const fleetStart = fromTimestamp('2026-06-01T00:00:00Z');
const source = 'EC2NodeClass/default';
const usualVariant = 'AL2023/amd64/none';

/**
 * Nodes, images that are good or bad, boots, drains and deaths, below any API: a small world in which rollouts are
 * planned and performed. Statuses are stored before actions are done, and both can be cut off at any step.
 */
export class SimulatedFleet {
  now: Instant = fleetStart;
  policy: NodeRolloutPolicy;
  rollouts: NodeRollout[] = [];
  rules: ImageRule[] = [];
  pauses: DisruptionPause[] = [];
  nodes: SimulatedNode[] = [];
  requests: RolloutRequest[] = [];
  /** What checks of the policy say. */
  checks: CheckReading[] = [];
  objects: GovernedObject[];
  wanted: VariantImage[] = [];
  services: { service: string; nodes: string[] }[] = [];
  withdrawn = new Set<string>();
  /** What other clusters have published. */
  upstream: UpstreamReading[] = [];
  readonly behaviours = new Map<string, ImageBehaviour>();
  readonly launches: LaunchRecord[] = [];
  readonly deaths: { readonly at: Instant; readonly image: string }[] = [];
  readonly blockedPods = new Map<string, { pod: string; podDisruptionBudget: string }>();
  plan: RolloutPlan | undefined;
  gates: ReadonlyMap<string, ImageGate> = new Map();
  openSeats = 0;
  #names = 0;
  readonly #random: Random;
  readonly #starts = new Map<string, number>();
  readonly #startsPerHour: number;

  constructor({ random, policy = {}, pools = [{ name: 'default', nodes: 12 }], startsPerHour = 20 }: FleetOptions) {
    this.#random = random;
    this.#startsPerHour = startsPerHour;
    this.policy = {
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'NodeRolloutPolicy',
      metadata: { name: 'test', generation: 1 },
      spec: policy,
    };
    this.objects = pools.map(({ name }) => ({
      id: `NodePool/${name}`,
      labels: { pool: name },
      source,
      moves: 'byNode',
      specHash: '1',
    }));
    const variants = new Set(pools.map(({ variant = usualVariant }) => variant));
    this.wanted = [...variants].map((variant) => ({ source, variant, image: `ami-1-${variant}`, release: 'v1' }));
    for (const { name, nodes, variant = usualVariant } of pools)
      for (let count = 0; count < nodes; count += 1) this.#addNode(`NodePool/${name}`, variant, `ami-1-${variant}`, {});
    for (const [index, node] of this.nodes.entries())
      this.nodes[index] = {
        ...node,
        createdAt: instant(this.now - minutes(600 + index)),
        initializedAt: instant(this.now - minutes(590)),
      };
  }

  /** From now on this release is wanted for every variant. */
  publish(release: string, behaviour: ImageBehaviour = {}): void {
    this.wanted = this.wanted.map(({ variant }) => ({ source, variant, image: `ami-${release}-${variant}`, release }));
    for (const { image } of this.wanted) this.behaviours.set(image, behaviour);
  }

  /** An ordinary launch, such as that of a pending pod. */
  launchOrdinary(object: string, variant = usualVariant): void {
    const gate = this.gates.get(source);
    if (gate === undefined) return;
    const seatOf = this.#freeSeats(gate.rollout) > 0 ? gate.rollout : undefined;
    const choice = chooseLaunchImage(variant, seatOf === undefined ? 'scaleUp' : 'seat', gate);
    if (choice.set === 'none') return;
    if (seatOf !== undefined) this.openSeats -= 1;
    this.#launch(object, variant, {
      image: choice.image.image,
      because: choice.because,
      ...(seatOf === undefined ? {} : { seatOf }),
    });
  }

  /** Open seats by the last plan, as far as members and nodes that were let go since leave them. */
  #freeSeats(rollout: string | undefined): number {
    const { status } = this.rollouts.find(({ metadata }) => metadata.name === rollout) ?? {};
    const seats = status?.waves?.find(({ endedAt }) => endedAt === undefined)?.seats ?? 0;
    const members = this.nodes.filter((node) => node.rollout === rollout && !node.leaving).length;
    const leaving = new Set(this.nodes.filter((node) => node.leaving).map(({ name }) => name));
    const moves = (this.policy.status?.admitted ?? []).filter(
      ({ node, rollout: name }) => name === rollout && !leaving.has(node),
    );
    const expected = moves.reduce((sum, { node, claims }) => {
      const made = this.nodes.filter((each) => each.replaces === node && each.rollout === rollout).length;
      return sum + Math.max(0, claims - made);
    }, 0);
    return Math.min(this.openSeats, seats - members - expected);
  }

  killNode(name: string): void {
    const node = this.nodes.find((each) => each.name === name);
    if (node === undefined) return;
    this.deaths.push({ at: this.now, image: node.image });
    this.nodes = this.nodes.filter((each) => each !== node);
  }

  removeNode(name: string): void {
    this.#change(name, { leaving: true });
  }

  /** Lets time pass: nodes boot, freeze, drain, and replacements of admitted nodes are launched. */
  advanceTime(ms: number): void {
    this.now = instant(this.now + ms);
    const aging = { now: this.now, behaviours: this.behaviours, blockedPods: this.blockedPods, random: this.#random };
    this.nodes = this.nodes
      .map((node) => ageNode(node, aging))
      .filter(({ gone }) => gone === undefined || gone > this.now);
    for (const move of this.policy.status?.admitted ?? []) this.#replaceNode(move);
    this.#countStarts(ms);
  }

  snapshot(): RolloutSnapshot {
    const { now, policy, rollouts, objects, nodes, wanted, rules, pauses, services, requests } = this;
    return {
      now,
      policy,
      rollouts,
      objects,
      nodes,
      wanted: wanted.filter(({ image }) => !this.isBlocked(image)),
      obstacles: this.#obstacles(),
      kubernetesVersion: '1.31',
      rules,
      pauses,
      services,
      counters: this.#counters(),
      checks: this.checks,
      upstream: this.upstream,
      requests,
    };
  }

  #obstacles(): RolloutSnapshot['obstacles'] {
    const obstacles = new Map<string, { kind: 'blocked'; rule: string } | { kind: 'withdrawn' }>();
    for (const image of this.behaviours.keys()) {
      const rule = findBlockingRule(this.rules, image);
      if (this.withdrawn.has(image)) obstacles.set(image, { kind: 'withdrawn' });
      if (rule !== undefined) obstacles.set(image, { kind: 'blocked', rule });
    }
    return obstacles;
  }

  isBlocked(image: string): boolean {
    return findBlockingRule(this.rules, image) !== undefined;
  }

  /** Plans, stores and performs. With `stopAfter` the process dies after so many writes. */
  reconcile(stopAfter = Infinity): RolloutPlan {
    const plan = planRollouts(this.snapshot());
    let writes = 0;
    for (const write of this.#writesOf(plan)) {
      if (writes >= stopAfter) return plan;
      write();
      writes += 1;
    }
    this.plan = plan;
    return plan;
  }

  /** Stored first what is remembered, then done what follows. */
  #writesOf(plan: RolloutPlan): readonly (() => void)[] {
    return [
      ...plan.created.map(({ name, spec }) => () => {
        this.rollouts.push({ metadata: { name, generation: 1 }, spec });
      }),
      () => {
        this.policy = { ...this.policy, status: plan.policyStatus };
      },
      ...[...plan.statuses].map(([name, status]) => () => {
        this.rollouts = this.rollouts.map((each) => (each.metadata.name === name ? { ...each, status } : each));
      }),
      () => {
        this.gates = plan.gates;
        this.openSeats = plan.openSeats;
      },
      ...plan.actions.map((action) => () => this.#perform(action)),
    ];
  }

  #perform(action: RolloutPlan['actions'][number]): void {
    switch (action.kind) {
      case 'callOff':
        this.nodes = this.nodes.filter(({ name }) => name !== action.claim);
        return;
      case 'release':
        this.#change(action.node, { leaving: false });
        return;
      case 'writeRule':
        this.rules.push(action.rule);
        return;
      case 'deleteRule':
        this.rules = this.rules.filter(({ metadata }) => metadata.name !== action.name);
        return;
      case 'clearRequest':
        this.requests = this.requests.filter((request) => request !== action.request);
        return;
      case 'deleteRollout':
        this.rollouts = this.rollouts.filter(({ metadata }) => metadata.name !== action.name);
        return;
      case 'expire':
        this.#change(action.node, { leaving: true });
        return;
      case 'force':
        this.blockedPods.delete(action.node);
        this.#change(action.node, { leaving: true });
        return;
      case 'admit':
      case 'updateGroup':
        return; // replaced by `advanceTime`, from what is stored
    }
  }

  /** Replacements come first; when all are initialized the old node drains. */
  #replaceNode(move: NonNullable<NonNullable<NodeRolloutPolicy['status']>['admitted']>[number]): void {
    const old = this.nodes.find(({ name }) => name === move.node);
    if (old === undefined || old.leaving || this.#random.next() < 0.2) return;
    const made = this.nodes.filter(({ replaces, rollout }) => replaces === move.node && rollout === move.rollout);
    const backOff = this.objects.find(({ id }) => id === move.object)?.backOff;
    if (made.length < move.claims) {
      if (backOff !== undefined && backOff.until > this.now) return;
      this.#launchReplacement(old, move.rollout);
    } else if (made.every(({ initializedAt }) => initializedAt !== undefined))
      this.#change(old.name, { leaving: true });
  }

  #launchReplacement(old: SimulatedNode, rollout: string | undefined): void {
    const gate = this.gates.get(source);
    if (gate === undefined) return;
    const choice = chooseLaunchImage(old.variant, rollout === undefined ? 'expiry' : 'seat', gate);
    if (choice.set === 'none') return;
    const seat = rollout === undefined ? {} : { seatOf: rollout };
    this.#launch(old.object, old.variant, {
      image: choice.image.image,
      because: choice.because,
      ...seat,
      replaces: old.name,
    });
  }

  #launch(
    object: string,
    variant: string,
    launch: { readonly image: string; readonly because: string; readonly seatOf?: string; readonly replaces?: string },
  ): void {
    const { seatOf, replaces, image, because } = launch;
    const rollout = this.rollouts.find(({ metadata }) => metadata.name === seatOf);
    const waves = rollout?.status?.waves ?? [];
    const open = waves.findIndex(({ endedAt }) => endedAt === undefined);
    const node = this.#addNode(object, variant, image, {
      ...(seatOf === undefined ? {} : { rollout: seatOf }),
      ...(replaces === undefined ? {} : { replaces }),
    });
    this.launches.push({
      at: this.now,
      node,
      image,
      because,
      ...(seatOf === undefined ? {} : { seatOf }),
      blocked: this.isBlocked(image),
      members: this.nodes.filter((each) => each.rollout === seatOf && !each.leaving).length,
      seats: waves[open]?.seats ?? 0,
      isLastWave: open === waves.length - 1 || rollout?.spec.cause === 'Rollback',
    });
  }

  #addNode(object: string, variant: string, image: string, more: Partial<RolloutNode>): string {
    this.#names += 1;
    const name = `node-${this.#names}`;
    this.nodes.push({
      name,
      object,
      variant,
      image,
      labels: {},
      zone: `zone-${this.#names % 3}`,
      createdAt: this.now,
      ready: true,
      readySince: this.now,
      leaseRenewedAt: this.now,
      troubles: [],
      pods: 3 + (this.#names % 5),
      leaving: false,
      bootsAt: instant(this.now + seconds(60 + this.#random.integer(120))),
      ...more,
    });
    return name;
  }

  #change(name: string, change: Partial<SimulatedNode>): void {
    this.nodes = this.nodes.map((node) => {
      if (node.name !== name) return node;
      const { gone: _gone, ...rest } = node;
      return { ...(change.leaving === false ? rest : node), ...change };
    });
  }

  /** Starts of pods on every node, by image: failed ones by the behaviour of the image. */
  #countStarts(ms: number): void {
    for (const { image, initializedAt, rollout } of this.nodes) {
      if (initializedAt === undefined) continue;
      const starts = Math.round((this.#startsPerHour * ms) / minutes(60) + this.#random.next() - 0.5);
      const side = rollout === undefined ? 'peers' : 'members';
      const key = `${side} ${image}`;
      this.#starts.set(key, (this.#starts.get(key) ?? 0) + Math.max(0, starts));
    }
  }

  #counters(): readonly OwnerCounters[] {
    const running = this.rollouts.find(({ status }) => status?.endedAt === undefined);
    return this.wanted.flatMap(({ variant }): OwnerCounters[] => {
      const target = running?.spec.to.find((each) => each.variant === variant)?.image ?? '';
      const proven = running?.spec.from.find((each) => each.variant === variant)?.image ?? '';
      const row = (side: OwnerCounters['side'], image: string, starts: number): OwnerCounters => ({
        variant,
        side,
        owner: 'web',
        starts,
        failedStarts: Math.round(starts * (this.behaviours.get(image)?.breaksStarts ?? 0)),
        podSeconds: starts * 600,
        restartedPods: 0,
        duePods: starts,
        unreadyPods: 0,
      });
      return [
        row('members', target, this.#starts.get(`members ${target}`) ?? 0),
        row('peers', proven, this.#starts.get(`peers ${proven}`) ?? 0),
        row('peersBefore', proven, 20_000),
      ];
    });
  }
}
