import { earliest, instant, type Instant } from '@nodewright/apis';
import { structuralHash } from '../../drift/structural-hash.ts';
import type { RolloutSettings } from '../settings.ts';
import type { RolloutNode, RolloutSnapshot } from '../snapshot.ts';

type AgingNode = Pick<RolloutNode, 'name' | 'createdAt' | 'expiresAt'>;
type AgeLimits = Pick<RolloutSettings, 'maxAge'>;

/** From when on a node is replaced for its age: the jitter of a node is its own, and always the same. */
export function softEndOf({ name, createdAt }: AgingNode, { maxAge }: AgeLimits): Instant {
  if (maxAge?.softMs === undefined) return instant(Infinity);
  return instant(createdAt + maxAge.softMs - Math.floor(maxAge.jitterMs * fractionOf(name)));
}

/** From when on a node goes whatever the policy says. */
export const hardEndOf = ({ createdAt }: AgingNode, { maxAge }: AgeLimits): Instant =>
  instant(createdAt + (maxAge?.hardMs ?? Infinity));

/** When a node goes at the latest, by `hard` of the policy or by `expireAfter`; never is infinity. */
export const lastEndOf = (node: AgingNode, limits: AgeLimits): Instant =>
  earliest(hardEndOf(node, limits), node.expiresAt);

const fractionOf = (name: string): number => Number(BigInt(structuralHash(name)) % 1_000_000n) / 1_000_000;

/** Ages are looked at again at the first of these. */
export const nextAgeChange = (seen: RolloutSnapshot, settings: RolloutSettings): readonly Instant[] =>
  settings.maxAge === undefined
    ? []
    : seen.nodes
        .flatMap((node) => [softEndOf(node, settings), hardEndOf(node, settings)])
        .filter((at) => at > seen.now && Number.isFinite(at));
