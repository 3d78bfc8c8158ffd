import type { CSINode, Instant, Node, NodeClaim, Pod } from '@nodewright/apis';
import { isTerminal, nodeNameOf, type NodeState } from '@nodewright/engine';
import { disruptionCommands, isComplete } from './disruption-command.ts';
import { isManaged } from './managed.ts';
import type { Objects } from './objects.ts';
import { attachLimitsOf } from './volume-facts.ts';

/**
 * The cluster as one picture, put together from the watched objects whenever somebody asks.
 *
 * Only nominations live in memory: they fade within seconds, so a restart loses nothing that matters.
 */
export class ClusterState {
  readonly #objects: Objects;
  readonly #nominations = new Map<string, Instant>();
  /** The last picture, by provider id. */
  #known: ReadonlyMap<string, Machine> = new Map();
  #replaced: { readonly among: readonly NodeClaim[]; readonly names: ReadonlySet<string> } = {
    among: [],
    names: new Set(),
  };

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** All machines with a provider id, and nodes that are nobody's claim; sorted by name. What has not changed is the same object as before. */
  nodes(): readonly NodeState[] {
    const replaced = this.#claimsBeingReplaced();
    const machines = this.#providerIds().map((providerId) => this.#partsOf(providerId, replaced));
    const before = this.#known;
    this.#known = new Map(machines.map((parts) => [parts.providerId, sameOrNew(parts, before.get(parts.providerId))]));
    for (const providerId of this.#nominations.keys()) {
      if (!this.#known.has(providerId)) this.#nominations.delete(providerId);
    }
    return [...this.#known.values()]
      .map(({ state }) => state)
      .toSorted((a, b) => (nodeNameOf(a) < nodeNameOf(b) ? -1 : 1));
  }

  /** Every claim of ours has its provider id: until then a launch is under way that nobody can see the size of. */
  isSynced(): boolean {
    const ours = this.#objects.nodeClaims.list().filter(({ spec }) => isManaged(spec.nodeClassRef));
    return ours.every(({ status }) => (status?.providerID ?? '') !== '');
  }

  /** Pods are on their way to this machine: it is no candidate for disruption until then. */
  nominate(providerId: string, until: Instant): void {
    this.#nominations.set(providerId, until);
  }

  #providerIds(): readonly string[] {
    const claimed = this.#objects.nodeClaims.list().flatMap(({ status }) => status?.providerID ?? []);
    const joined = this.#objects.nodes.list().map(({ spec, metadata }) => spec?.providerID ?? metadata.name);
    return [...new Set([...claimed, ...joined])].filter((id) => id !== '');
  }

  #partsOf(providerId: string, replaced: ReadonlySet<string>): Parts {
    const { nodeClaims, nodes, pods, csiNodes } = this.#objects;
    const [nodeClaim] = nodeClaims.by('providerId', providerId);
    const node = nodes.by('providerId', providerId)[0] ?? nodes.get(providerId);
    return {
      providerId,
      nodeClaim,
      node,
      pods: node === undefined ? noPods : pods.by('node', node.metadata.name),
      csiNode: node === undefined ? undefined : csiNodes.get(node.metadata.name),
      nominatedUntil: this.#nominations.get(providerId),
      markedForDeletion: nodeClaim !== undefined && replaced.has(nodeClaim.metadata.name),
    };
  }

  #claimsBeingReplaced(): ReadonlySet<string> {
    const claims = this.#objects.nodeClaims.list();
    if (claims !== this.#replaced.among) {
      const underWay = disruptionCommands(claims).filter(isComplete);
      const names = new Set(underWay.flatMap(({ candidates }) => candidates.map(nameOf)));
      this.#replaced = { among: claims, names };
    }
    return this.#replaced.names;
  }
}

/** What a machine is put together from. Objects that were read never change. */
type Parts = {
  readonly providerId: string;
  readonly nodeClaim: NodeClaim | undefined;
  readonly node: Node | undefined;
  readonly pods: readonly Pod[];
  readonly csiNode: CSINode | undefined;
  readonly nominatedUntil: Instant | undefined;
  readonly markedForDeletion: boolean;
};

type Machine = { readonly parts: Parts; readonly state: NodeState };

const noPods: readonly Pod[] = [];

const sameOrNew = (parts: Parts, before: Machine | undefined): Machine =>
  before !== undefined && isSame(before.parts, parts) ? before : { parts, state: stateOf(parts) };

const isSame = (a: Parts, b: Parts): boolean =>
  a.node === b.node &&
  a.nodeClaim === b.nodeClaim &&
  a.pods === b.pods &&
  a.csiNode === b.csiNode &&
  a.nominatedUntil === b.nominatedUntil &&
  a.markedForDeletion === b.markedForDeletion;

function stateOf({ node, nodeClaim, pods, csiNode, nominatedUntil, markedForDeletion }: Parts): NodeState {
  const attachLimits = attachLimitsOf(csiNode);
  return {
    ...(node === undefined ? {} : { node }),
    ...(nodeClaim === undefined ? {} : { nodeClaim }),
    ...(nominatedUntil === undefined ? {} : { nominatedUntil }),
    pods: pods.filter((pod) => !isTerminal(pod)),
    ...(attachLimits === undefined ? {} : { attachLimits }),
    markedForDeletion,
  };
}

export const providerIdOf = ({ nodeClaim, node }: NodeState): string =>
  nodeClaim?.status?.providerID ?? node?.spec?.providerID ?? node?.metadata.name ?? '';

const nameOf = (claim: NodeClaim): string => claim.metadata.name;
