import type { FutileLaunch } from '../futile-launch.ts';
import type { PlacementObstacle } from './obstacles.ts';
import type { TypeElimination } from './type-elimination.ts';

/** Why a pod has no place: per NodePool, or without one when there is nothing to launch from. */
export type UnschedulableReason =
  | { readonly kind: 'noNodePool' }
  /** The pod requests devices with ResourceClaims, which no round can guarantee. */
  | { readonly kind: 'resourceClaims' }
  /** No alternative of the required node affinity selects nodes by labels. */
  | { readonly kind: 'noAlternative' }
  /** The pool launches nothing now, for any pod; `why` is a clause. */
  | { readonly kind: 'passedOver'; readonly nodePool: string; readonly why: string }
  /** Nodes were launched for such pods in vain: the pool launches no more of them for a while. */
  | { readonly kind: 'futileLaunch'; readonly nodePool: string; readonly launch: FutileLaunch }
  /**
   * No instance type of the pool's NodeClass meets the pool's own requirements and can be bought. `suits`: the pod would take
   * the labels and taints of the pool.
   */
  | {
      readonly kind: 'noInstanceTypes';
      readonly nodePool: string;
      readonly elimination: TypeElimination;
      readonly suits?: true;
    }
  /** `terms`: of how many terms of its required node affinity this is the one that came nearest; one without. */
  | {
      readonly kind: 'refused';
      readonly nodePool: string;
      readonly obstacle: PlacementObstacle;
      readonly terms?: number;
    };
