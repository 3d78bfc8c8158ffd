import type { CSINode, Instant, KubernetesObject, Node, NodeClaim, Pod } from '@nodewright/apis';
import { attachLimitsOf, isTerminal, nodeNameOf, type NodeState } from '@nodewright/engine';
import type { Collection } from '../objects/collection.ts';
import { DaemonPods } from './daemon-pods.ts';
import { disruptionCommands, isComplete } from './disruption-command.ts';
import { Launches } from './launches.ts';
import { isManaged } from './managed.ts';
import type { Objects } from './objects.ts';

/**
 * The cluster as one picture, put together from the watched objects whenever somebody asks: of what has changed since,
 * anew.
 *
 * Only nominations and the room for capacity buffers live in memory: nominations fade within seconds and the next round
 * finds that room anew, so a restart loses nothing that matters.
 */
export class ClusterState {
  readonly launches: Launches;
  readonly #objects: Objects;
  readonly #nominations = new Map<string, Instant>();
  readonly #machines = new Map<string, Machine>();
  /** What has changed: provider ids, and names of nodes. */
  readonly #changed = new Set<string>();
  #replaced: { readonly among: readonly NodeClaim[]; readonly names: ReadonlySet<string> } = {
    among: [],
    names: new Set(),
  };
  #sorted: readonly NodeState[] = [];
  readonly #daemonPods: DaemonPods;
  /** By provider id. */
  #bufferPods: ReadonlyMap<string, number> = new Map();

  constructor(objects: Objects) {
    this.#objects = objects;
    this.#daemonPods = new DaemonPods(objects);
    this.launches = new Launches(() => objects.nodeClaims.list().filter(({ spec }) => isManaged(spec.nodeClassRef)));
    follow(objects.nodeClaims, ({ status }) => status?.providerID, this.#changed);
    follow(objects.nodes, machineOf, this.#changed);
    follow(objects.pods, ({ spec }) => spec.nodeName, this.#changed);
    follow(objects.csiNodes, ({ metadata }) => metadata.name, this.#changed);
  }

  /** All machines with a provider id, and nodes that are nobody's claim; sorted by name. A machine that is as it was is the same object. */
  nodes(): readonly NodeState[] {
    this.#noteReplaced();
    if (this.#changed.size === 0) return this.#sorted;
    for (const id of this.#changed) {
      this.#renew(id);
      const node = this.#objects.nodes.get(id); // pods and drivers tell of their node by its name
      if (node !== undefined) this.#renew(machineOf(node));
    }
    this.#changed.clear();
    this.#sorted = [...this.#machines.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ state }) => state);
    return this.#sorted;
  }

  /** What each DaemonSet would run on a new node. */
  daemonPods(): readonly Pod[] {
    return this.#daemonPods.list();
  }

  /** Every claim of ours has its provider id: until then a launch is under way that nobody can see the size of. */
  isSynced(): boolean {
    return this.launches.underWay.length === 0;
  }

  /** Pods are on their way to this machine: it is no candidate for disruption until then. */
  nominate(providerId: string, until: Instant): void {
    this.#nominations.set(providerId, until);
    this.#changed.add(providerId);
  }

  /** How many units of capacity buffers have room on which machine, by what the last round found: nothing of earlier ones stays. */
  reserve(units: ReadonlyMap<NodeState, number>): void {
    const counts = new Map([...units].map(([state, count]) => [providerIdOf(state), count]));
    const before = this.#bufferPods;
    for (const id of new Set([...before.keys(), ...counts.keys()]))
      if (before.get(id) !== counts.get(id)) this.#changed.add(id);
    this.#bufferPods = counts;
  }

  #renew(providerId: string): void {
    const { nodeClaims, nodes, pods, csiNodes } = this.#objects;
    const [nodeClaim] = nodeClaims.by('providerId', providerId);
    const node = nodes.by('providerId', providerId)[0] ?? withoutProviderId(nodes.get(providerId));
    if (nodeClaim === undefined && node === undefined) {
      this.#machines.delete(providerId);
      this.#nominations.delete(providerId);
      return;
    }
    const parts = {
      nodeClaim,
      node,
      pods: node === undefined ? noPods : pods.by('node', node.metadata.name),
      csiNode: node === undefined ? undefined : csiNodes.get(node.metadata.name),
      nominatedUntil: this.#nominations.get(providerId),
      bufferPods: this.#bufferPods.get(providerId),
      markedForDeletion: nodeClaim !== undefined && this.#replaced.names.has(nodeClaim.metadata.name),
    };
    this.#machines.set(providerId, sameOrNew(parts, this.#machines.get(providerId)));
  }

  /** Which claims are being replaced stands on all of them together. */
  #noteReplaced(): void {
    const { nodeClaims } = this.#objects;
    const claims = nodeClaims.list();
    if (claims === this.#replaced.among) return;
    const underWay = disruptionCommands(claims).filter(isComplete);
    const names = new Set(underWay.flatMap(({ candidates }) => candidates.map(nameOf)));
    for (const name of [...names, ...this.#replaced.names]) {
      const providerId = nodeClaims.get(name)?.status?.providerID;
      if (names.has(name) !== this.#replaced.names.has(name) && providerId !== undefined) this.#changed.add(providerId);
    }
    this.#replaced = { among: claims, names };
  }
}

/** A node without a provider id goes by its name. */
const machineOf = ({ spec, metadata }: Node): string => spec?.providerID ?? metadata.name;

const withoutProviderId = (node: Node | undefined): Node | undefined =>
  node?.spec?.providerID === undefined ? node : undefined;

/** What is there already counts as changed. */
function follow<T extends KubernetesObject>(
  collection: Collection<T>,
  idOf: (object: T) => string | undefined,
  changed: Set<string>,
): void {
  const note = (object: T | undefined): void => {
    const id = object === undefined ? undefined : idOf(object);
    if (id !== undefined && id !== '') changed.add(id);
  };
  for (const object of collection.list()) note(object);
  collection.cache.onChange(({ before, after }) => {
    note(before);
    note(after);
  });
}

/** What a machine is put together from. Objects that were read never change. */
type Parts = {
  readonly nodeClaim: NodeClaim | undefined;
  readonly node: Node | undefined;
  readonly pods: readonly Pod[];
  readonly csiNode: CSINode | undefined;
  readonly nominatedUntil: Instant | undefined;
  readonly bufferPods: number | undefined;
  readonly markedForDeletion: boolean;
};

type Machine = { readonly parts: Parts; readonly state: NodeState; readonly name: string };

const noPods: readonly Pod[] = [];

function sameOrNew(parts: Parts, before: Machine | undefined): Machine {
  if (before !== undefined && isSame(before.parts, parts)) return before;
  const state = stateOf(parts);
  return { parts, state, name: nodeNameOf(state) };
}

const isSame = (a: Parts, b: Parts): boolean =>
  a.node === b.node &&
  a.nodeClaim === b.nodeClaim &&
  a.pods === b.pods &&
  a.csiNode === b.csiNode &&
  a.nominatedUntil === b.nominatedUntil &&
  a.bufferPods === b.bufferPods &&
  a.markedForDeletion === b.markedForDeletion;

function stateOf(parts: Parts): NodeState {
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

export const providerIdOf = ({ nodeClaim, node }: NodeState): string =>
  nodeClaim?.status?.providerID ?? node?.spec?.providerID ?? node?.metadata.name ?? '';

const nameOf = (claim: NodeClaim): string => claim.metadata.name;
