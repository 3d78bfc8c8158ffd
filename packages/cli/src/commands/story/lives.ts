import {
  conditionOf,
  isConditionTrue,
  type Event,
  type Node,
  type NodeClaim,
  byTextOf,
  inOrder,
} from '@nodewright/apis';
import { type NodeLife, replacementReason } from './chronicle.ts';

/** What the story knows of an image: the release it is a build of. */
export type ReleaseNames = (
  imageId: string,
) => { readonly family: string; readonly version: string; readonly kubernetesVersion: string } | undefined;

/** Remembers every claim and node that was ever seen, and why they came and went. */
export class Lives {
  readonly #claims = new Map<string, NodeClaim>();
  readonly #nodes = new Map<string, Node>();
  readonly #came = new Map<string, string>();
  readonly #removed = new Map<string, string>();

  sawClaim(claim: NodeClaim): void {
    this.#claims.set(claim.metadata.name, claim);
  }

  sawNode(node: Node): void {
    this.#nodes.set(node.metadata.name, node);
  }

  sawEvent(event: Event): void {
    const reason = replacementReason(event);
    const name = event.involvedObject.name;
    if (reason !== undefined && name !== undefined) this.#came.set(name, `replaces ${this.#leaving()}`);
  }

  /** The nodes that are being disrupted now. */
  #leaving(): string {
    const leaving = [...this.#claims.values()].filter(
      (claim) => isConditionTrue(claim, 'DisruptionReason') && !this.#removed.has(claim.metadata.name),
    );
    return leaving.map((claim) => claim.status?.nodeName ?? claim.metadata.name).join(', ');
  }

  /** @param at RFC 3339 */
  removed(claim: string, at: string): void {
    this.#removed.set(claim, at);
  }

  /** One entry per claim that got a node, oldest first. */
  all(releases: ReleaseNames): readonly NodeLife[] {
    return [...this.#claims.values()]
      .filter((claim) => claim.status?.nodeName !== undefined)
      .toSorted(
        inOrder(
          byTextOf(({ metadata }) => metadata.creationTimestamp ?? ''),
          byTextOf(({ metadata }) => metadata.name),
        ),
      )
      .map((claim) => this.#lifeOf(claim, releases));
  }

  #lifeOf(claim: NodeClaim, releases: ReleaseNames): NodeLife {
    const name = claim.status?.nodeName ?? '';
    const info = this.#nodes.get(name)?.status?.nodeInfo;
    const image = claim.status?.imageID ?? '';
    const release = releases(image);
    const removedAt = this.#removed.get(claim.metadata.name);
    const wentBecause = whyGone(claim);
    return {
      name,
      nodePool: claim.metadata.labels?.['karpenter.sh/nodepool'] ?? '',
      image,
      release: release === undefined ? '' : `${release.family} ${release.version}`,
      osImage: info?.['osImage'] ?? '',
      kubeletVersion: info?.['kubeletVersion'] ?? '',
      createdAt: claim.metadata.creationTimestamp ?? '',
      ...(removedAt === undefined ? {} : { removedAt }),
      cameBecause: this.#came.get(claim.metadata.name) ?? 'pending pods',
      ...(removedAt === undefined || wentBecause === undefined ? {} : { wentBecause }),
    };
  }
}

function whyGone(claim: NodeClaim): string | undefined {
  const disruption = conditionOf(claim, 'DisruptionReason');
  if (disruption?.status !== 'True') return 'deleted';
  const drift = conditionOf(claim, 'Drifted');
  return drift?.status === 'True' ? `${disruption.reason}: ${drift.reason}` : disruption.reason;
}
