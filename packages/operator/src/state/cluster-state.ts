import type { Instant, Node, NodeClaim } from '@nodewright/apis';
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

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** All machines with a provider id, and nodes that are nobody's claim; sorted by name. */
  nodes(): readonly NodeState[] {
    const replaced = this.#claimsBeingReplaced();
    return this.#providerIds()
      .map((providerId) => this.#nodeState(providerId, replaced))
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

  #nodeState(providerId: string, replaced: ReadonlySet<string>): NodeState {
    const [nodeClaim] = this.#objects.nodeClaims.by('providerId', providerId);
    const node = this.#objects.nodes.by('providerId', providerId)[0] ?? this.#objects.nodes.get(providerId);
    const attachLimits = node === undefined ? undefined : attachLimitsOf(this.#objects, node.metadata.name);
    const nominatedUntil = this.#nominations.get(providerId);
    return {
      ...(node === undefined ? {} : { node }),
      ...(nodeClaim === undefined ? {} : { nodeClaim }),
      ...(nominatedUntil === undefined ? {} : { nominatedUntil }),
      pods: this.#podsOn(node),
      ...(attachLimits === undefined ? {} : { attachLimits }),
      markedForDeletion: nodeClaim !== undefined && replaced.has(nodeClaim.metadata.name),
    };
  }

  #podsOn(node: Node | undefined): NodeState['pods'] {
    if (node === undefined) return [];
    return this.#objects.pods.by('node', node.metadata.name).filter((pod) => !isTerminal(pod));
  }

  #claimsBeingReplaced(): ReadonlySet<string> {
    const underWay = disruptionCommands(this.#objects.nodeClaims.list()).filter(isComplete);
    return new Set(underWay.flatMap(({ candidates }) => candidates.map(nameOf)));
  }
}

export const providerIdOf = ({ nodeClaim, node }: NodeState): string =>
  nodeClaim?.status?.providerID ?? node?.spec?.providerID ?? node?.metadata.name ?? '';

const nameOf = (claim: NodeClaim): string => claim.metadata.name;
