import {
  type CSINode,
  type Instant,
  type KubernetesObject,
  type Node,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import {
  attachLimitsOf,
  isMarkedForDeletion,
  isTerminal,
  nodeNameOf,
  type NodeState,
  type Resources,
} from '@nodewright/engine';
import type { CachedCollection } from '../objects/collection.ts';
import { SortedObjects } from '../objects/sorted-objects.ts';
import { DaemonPods } from './daemon-pods.ts';
import { isCompleteCommand, isSamePartOfCommand, storedCommands } from './disruption-command.ts';
import { Launches } from './launches.ts';
import { findJoiningNode, findNodeOfClaim } from './node-identity.ts';
import type { Objects } from './objects.ts';
import { PoolUsage } from './pool-usage.ts';

/**
 * The cluster as one picture, assembled from the watched objects on demand: of what has changed since,
 * anew.
 *
 * Only nominations and the room for capacity buffers live in memory: nominations fade within seconds and the next round
 * finds that room anew, so a restart loses nothing that matters.
 */
export class ClusterState {
  readonly launches: Launches;
  readonly #objects: Objects;
  readonly #nominations = new Map<string, Instant>();
  readonly #machines = new Map<string, TrackedMachine>();
  /** What has changed: provider ids, and names of Nodes. */
  readonly #changed = new Set<string>();
  /** Names of claims that are being replaced. */
  #replaced: ReadonlySet<string> = new Set();
  /** A claim has joined a command since, or left one. */
  #commandsChanged = true;
  /** All machines by name, whether they stay or leave. */
  readonly #all = new SortedObjects<NodeState>();
  readonly #staying = new SortedObjects<NodeState>();
  readonly #leaving = new SortedObjects<NodeState>();
  readonly #usage = new PoolUsage();
  readonly #daemonPods: DaemonPods;
  /** By machine. */
  #bufferPods: ReadonlyMap<string, number> = new Map();
  readonly #onReserved: (() => void)[] = [];

  constructor(objects: Objects) {
    this.#objects = objects;
    this.#daemonPods = new DaemonPods(objects);
    this.launches = new Launches(() => objects.nodeClaims.by('launch', 'underWay'));
    followCollection(objects.nodeClaims, ({ status }) => [status?.providerID], this.#changed);
    objects.nodeClaims.cache.onChange(({ before, after }) => {
      if (!isSamePartOfCommand(before, after)) this.#commandsChanged = true;
    });
    followCollection(objects.nodes, ({ spec, metadata }) => [spec?.providerID, metadata.name], this.#changed);
    followCollection(objects.pods, ({ spec }) => [spec.nodeName], this.#changed);
    followCollection(objects.csiNodes, ({ metadata }) => [metadata.name], this.#changed);
  }

  /** All machines with a provider id, and nodes without a claim; sorted by name. A machine that is as it was is the same object. */
  nodes(): readonly NodeState[] {
    this.#renewChanged();
    return this.#all.list();
  }

  /** Those that are not marked for deletion, sorted by name. The same list until one of them changes. */
  stayingNodes(): readonly NodeState[] {
    this.#renewChanged();
    return this.#staying.list();
  }

  /** Those that are marked for deletion, sorted by name. The same list until one of them changes. */
  leavingNodes(): readonly NodeState[] {
    this.#renewChanged();
    return this.#leaving.list();
  }

  /** What the machines of a pool have in all. Those marked for deletion are replaced already and do not count. */
  usageOf(nodePool: string): Resources {
    this.#renewChanged();
    return this.#usage.of(nodePool);
  }

  /** What each DaemonSet would run on a new node. */
  daemonPods(): readonly Pod[] {
    return this.#daemonPods.list();
  }

  /** Every claim of ours has its provider id: until then a launch is under way whose size is not known. */
  isSynced(): boolean {
    return this.launches.underWay.length === 0;
  }

  /** Pods are on their way to this machine: it is no candidate for disruption until then. */
  nominate(machine: string, until: Instant): void {
    this.#nominations.set(machine, until);
    this.#changed.add(machine);
  }

  /** How many units of capacity buffers have room on which machine, by what the last round found: nothing of earlier ones stays. */
  reserve(units: ReadonlyMap<NodeState, number>): void {
    const counts = new Map([...units].map(([state, count]) => [machineIdOf(state), count]));
    const before = this.#bufferPods;
    const others = [...new Set([...before.keys(), ...counts.keys()])].filter((id) => before.get(id) !== counts.get(id));
    if (others.length === 0) return;
    for (const id of others) this.#changed.add(id);
    this.#bufferPods = counts;
    for (const tell of this.#onReserved) tell();
  }

  /** Calls `handler` when buffers have other room than before. */
  onReserved(handler: () => void): void {
    this.#onReserved.push(handler);
  }

  #renewChanged(): void {
    this.#noteReplaced();
    if (this.#changed.size === 0) return;
    for (const id of this.#withTheirMachines(this.#changed)) this.#renew(id);
    this.#changed.clear();
  }

  /** Pods and drivers tell of their Node by its name; and which Nodes have no claim changes with the claims. */
  #withTheirMachines(changed: ReadonlySet<string>): ReadonlySet<string> {
    const { nodes } = this.#objects;
    const ids = new Set([...changed].flatMap((id) => [id, nodes.get(id)?.spec?.providerID ?? id]));
    const names = [...ids].flatMap((id) => nodes.by('providerId', id).map(({ metadata }) => metadata.name));
    return new Set([...ids, ...names]);
  }

  /** A claim with its Node goes by its provider id, a Node without a claim by its name. */
  #pairOf(id: string): Pick<MachineParts, 'nodeClaim' | 'node'> {
    const [first, ...others] = this.#objects.nodeClaims.by('providerId', id);
    if (first !== undefined) {
      const nodeClaim = others.find((claim) => findNodeOfClaim(this.#objects, claim) !== undefined) ?? first;
      return { nodeClaim, node: this.#nodeOf(nodeClaim) };
    }
    const node = this.#objects.nodes.get(id);
    const hasClaim = this.#objects.nodeClaims
      .by('providerId', node?.spec?.providerID ?? '')
      .some((claim) => this.#nodeOf(claim) === node);
    return { nodeClaim: undefined, node: hasClaim ? undefined : node };
  }

  #nodeOf = (claim: NodeClaim): Node | undefined =>
    findNodeOfClaim(this.#objects, claim) ?? findJoiningNode(this.#objects, claim);

  #renew(id: string): void {
    const { pods, csiNodes } = this.#objects;
    const { nodeClaim, node } = this.#pairOf(id);
    const before = this.#machines.get(id);
    if (nodeClaim === undefined && node === undefined) {
      this.#keep(id, before, undefined);
      this.#nominations.delete(id);
      return;
    }
    const parts = {
      nodeClaim,
      node,
      pods: node === undefined ? noPods : pods.by('node', node.metadata.name),
      csiNode: node === undefined ? undefined : csiNodes.get(node.metadata.name),
      nominatedUntil: this.#nominations.get(id),
      bufferPods: this.#bufferPods.get(id),
      markedForDeletion: nodeClaim !== undefined && this.#replaced.has(nodeClaim.metadata.name),
    };
    this.#keep(id, before, sameOrNew(parts, before));
  }

  #keep(id: string, before: TrackedMachine | undefined, after: TrackedMachine | undefined): void {
    if (before === after) return;
    if (before !== undefined) this.#takeOut(id, before, after);
    if (after !== undefined) {
      this.#all.set(sortKey(id, after), after.state);
      this.#listOf(after).set(sortKey(id, after), after.state);
    }
    this.#usage.replace(before?.state, after?.state);
    if (after === undefined) this.#machines.delete(id);
    else this.#machines.set(id, after);
  }

  /** Where a machine stays, it is only replaced: the order there is still known. */
  #takeOut(id: string, before: TrackedMachine, after: TrackedMachine | undefined): void {
    const key = sortKey(id, before);
    const isKept = before.name === after?.name;
    if (!isKept) this.#all.delete(key);
    if (!isKept || this.#listOf(before) !== this.#listOf(after)) this.#listOf(before).delete(key);
  }

  #listOf({ state }: TrackedMachine): SortedObjects<NodeState> {
    return isMarkedForDeletion(state) ? this.#leaving : this.#staying;
  }

  /** Which claims are being replaced stands on all of them together. */
  #noteReplaced(): void {
    if (!this.#commandsChanged) return;
    this.#commandsChanged = false;
    const { nodeClaims } = this.#objects;
    const underWay = storedCommands(this.#objects).filter(isCompleteCommand);
    const names = new Set(underWay.flatMap(({ candidates }) => candidates.map(nameOfClaim)));
    for (const name of [...names, ...this.#replaced]) {
      const providerId = nodeClaims.get(name)?.status?.providerID;
      if (names.has(name) !== this.#replaced.has(name) && providerId !== undefined) this.#changed.add(providerId);
    }
    this.#replaced = names;
  }
}

/** What is there already counts as changed. */
function followCollection<T extends KubernetesObject>(
  collection: CachedCollection<T>,
  idsOf: (object: T) => readonly (string | undefined)[],
  changed: Set<string>,
): void {
  const note = (object: T | undefined): void => {
    for (const id of object === undefined ? [] : idsOf(object)) if (id !== undefined && id !== '') changed.add(id);
  };
  for (const object of collection.list()) note(object);
  collection.cache.onChange(({ before, after }) => {
    note(before);
    note(after);
  });
}

/** What a machine is put together from. Objects that were read never change. */
type MachineParts = {
  readonly nodeClaim: NodeClaim | undefined;
  readonly node: Node | undefined;
  readonly pods: readonly Pod[];
  readonly csiNode: CSINode | undefined;
  readonly nominatedUntil: Instant | undefined;
  readonly bufferPods: number | undefined;
  readonly markedForDeletion: boolean;
};

type TrackedMachine = { readonly parts: MachineParts; readonly state: NodeState; readonly name: string };

const noPods: readonly Pod[] = [];

/** Sorts by name. */
const sortKey = (id: string, { name }: TrackedMachine): string => `${name}\0${id}`;

function sameOrNew(parts: MachineParts, before: TrackedMachine | undefined): TrackedMachine {
  if (before !== undefined && isSameParts(before.parts, parts)) return before;
  const state = stateOfParts(parts);
  return { parts, state, name: nodeNameOf(state) };
}

const isSameParts = (a: MachineParts, b: MachineParts): boolean =>
  a.node === b.node &&
  a.nodeClaim === b.nodeClaim &&
  a.pods === b.pods &&
  a.csiNode === b.csiNode &&
  a.nominatedUntil === b.nominatedUntil &&
  a.bufferPods === b.bufferPods &&
  a.markedForDeletion === b.markedForDeletion;

function stateOfParts(parts: MachineParts): NodeState {
  const { node, nodeClaim, pods, csiNode, nominatedUntil, bufferPods, markedForDeletion } = parts;
  const attachLimits = attachLimitsOf(csiNode);
  return {
    ...(node === undefined ? {} : { node }),
    ...(nodeClaim === undefined ? {} : { nodeClaim }),
    ...(nominatedUntil === undefined ? {} : { nominatedUntil }),
    ...(bufferPods === undefined ? {} : { bufferPods }),
    pods: pods.filter((pod) => !isTerminal(pod)),
    ...(attachLimits === undefined ? {} : { attachLimits }),
    markedForDeletion,
  };
}

/** What a machine goes by: the provider id of its claim, else the name of its Node. */
export const machineIdOf = ({ nodeClaim, node }: NodeState): string =>
  nodeClaim?.status?.providerID ?? node?.metadata.name ?? '';

const nameOfClaim = (claim: NodeClaim): string => claim.metadata.name;
