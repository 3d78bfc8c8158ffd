import { earliest, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import type { AbsenceVerdict } from '../../state/absences.ts';
import type { GarbageSnapshot } from './observe.ts';

export type GarbageAction =
  | { readonly kind: 'deleteClaim'; readonly claim: NodeClaim; readonly because: string }
  | {
      readonly kind: 'terminate';
      readonly instance: Instance;
      readonly node: Node | undefined;
      readonly because: string;
    };

export type GarbagePlan = {
  readonly actions: readonly GarbageAction[];
  /** When to look again at what is in doubt. */
  readonly recheckAt?: Instant;
};

/** What one side has lost for certain: claims whose instance is gone, instances whose claim is. */
export function planGarbage({ claims, instances }: GarbageSnapshot): GarbagePlan {
  const actions: readonly GarbageAction[] = [
    ...claims.filter(isConfirmedGone).map(({ claim }) => ({
      kind: 'deleteClaim' as const,
      claim,
      because: 'its instance is gone',
    })),
    ...instances.filter(isConfirmedGone).map(({ instance, node }) => ({
      kind: 'terminate' as const,
      instance,
      node,
      because: 'no claim has it',
    })),
  ];
  const doubts = [...claims, ...instances].flatMap(({ verdict }) =>
    verdict.kind === 'doubtful' ? [verdict.recheckAt] : [],
  );
  const recheckAt = earliest(...doubts);
  return { actions, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

const isConfirmedGone = ({ verdict }: { readonly verdict: AbsenceVerdict }): boolean => verdict.kind === 'gone';
